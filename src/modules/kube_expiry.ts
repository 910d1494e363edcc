import { X509Certificate } from 'node:crypto';
import type { WorldView } from '../core/module.ts';
import { result } from '../core/result.ts';
import type { Value } from '../jinja/values.ts';
import { content, contentKey } from '../world/content.ts';
import { defineModule } from './define.ts';

export const kubeExpiryModule = defineModule({
  name: 'kube_expiry',
  doc: {
    summary: 'When certificates on a host end',
    notes: ['Changes nothing: kube_certificate renews those that are near their end.'],
    examples: '- kube_expiry: {certificates: [/etc/kubernetes/pki/kubelet.pem], renew_hours: 72}\n  register: expiry\n',
    returns: { hours: 'path of each to the hours that are left, null where there is none', due: 'those to be renewed' },
  },
  params: {
    certificates: { type: 'list', elements: 'path', doc: 'Files in PEM', required: true },
    renew_hours: { type: 'int', doc: 'With less than this left one is due', default: 72 },
    brief: { type: 'bool', doc: 'Tell only the first to end, and those that are due', default: false },
  },
  facts: ({ certificates }) => certificates.map((path) => contentKey(path, { text: true })),
  plan({ certificates, renew_hours, brief }, world, { now }) {
    const found = certificates.map((path) => ({ path, end: endOf(path, world) }));
    const left = found.map(({ path, end }): [string, Value] => [path, hoursLeft(end, now)]);
    const due = left.filter(([, hours]) => typeof hours === 'number' && hours < renew_hours).map(([path]) => path);
    const all = found.map(({ path, end }) => `${path} ${noteOf(end, now)}${due.includes(path) ? ': due' : ''}`);
    const notes = brief ? briefly(found, all, due) : all;
    return { steps: [], notes, result: result(false, { hours: new Map<Value, Value>(left), due }) };
  },
});

interface Found {
  path: string;
  end: number | null | undefined;
}

/** One line, and one more for each that is due. */
function briefly(found: Found[], notes: string[], due: string[]): string[] {
  const [first] = found
    .flatMap(({ end }, at) => (typeof end === 'number' ? [{ end, at }] : []))
    .sort((a, b) => a.end - b.end);
  if (!first || due.length > 0) return notes.filter((_, at) => due.includes(found[at]!.path));
  return [`of ${found.length} certificates the first to end: ${notes[first.at]}`];
}

/** Milliseconds since the epoch; undefined: there is no file, null: what is in it is no certificate. */
function endOf(path: string, world: WorldView): number | null | undefined {
  const fact = content(world, path, { text: true });
  if (!fact.exists) return undefined;
  try {
    return Date.parse(new X509Certificate(fact.text ?? '').validTo);
  } catch {
    return null;
  }
}

function hoursLeft(end: number | null | undefined, now: number): number | null {
  return end === null || end === undefined ? null : Math.floor((end - now) / 3_600_000);
}

function noteOf(end: number | null | undefined, now: number): string {
  if (end === undefined) return 'is not there';
  if (end === null) return 'is no certificate';
  const day = new Date(end).toISOString().slice(0, 10);
  return end < now ? `ended on ${day}` : `ends on ${day}, in ${Math.floor((end - now) / 86_400_000)} days`;
}
