import { result, TaskFailure } from '../core/result.ts';
import { judgeRoll, type Roll, skewPolicy } from '../kubernetes/skew.ts';
import { defineModule } from './define.ts';

export const kubeSkewModule = defineModule({
  name: 'kube_skew',
  doc: {
    summary: "Every moment of a roll is within Kubernetes' version skew policy",
    notes: [
      `The rules are those of ${skewPolicy}; patch releases do not matter to them.`,
      'Apiservers go up one minor release at a time, and nothing goes down unless `allow_downgrade` says so.',
    ],
    examples: `- kube_skew:
    to: v1.21.3
    running: {cp1: {kube-apiserver: v1.20.2}, worker1: {kubelet: v1.20.2}}
    order:
      - [cp1, [kube-apiserver]]
      - [worker1, [kubelet]]
`,
    returns: { moments: 'how many were judged', already: 'what is not as it should be even now' },
  },
  params: {
    to: { type: 'str', doc: 'The release that all become', required: true },
    running: { type: 'dict', doc: 'Host to component to what it says it is', required: true },
    order: {
      type: 'list',
      doc: 'What is replaced together, as pairs of a host and a list of components',
      required: true,
    },
    allow_downgrade: { type: 'bool', doc: 'An older release may be put in place of a newer one', default: false },
  },
  facts: () => [],
  plan({ to, running, order, allow_downgrade: allowDowngrade }) {
    const hosts = Object.entries(running).map(([host, versions]) => ({ host, versions: texts(versions) }));
    const { verdict, problems, already, moments } = judgeRoll({
      running: hosts,
      to,
      order: order.map(pairOf),
      allowDowngrade,
    });
    if (verdict !== 'allowed') throw refused(to, problems);
    const notes = [
      `${moments} moments judged, all within the version skew policy`,
      ...already.map((one) => `as it is: ${one}`),
    ];
    return { steps: [], notes, result: result(false, { moments, already }) };
  },
});

function pairOf(entry: unknown): Roll['order'][number] {
  const [host, components] = Array.isArray(entry) ? entry : [];
  if (typeof host === 'string' && Array.isArray(components)) return { host, components: components.map(String) };
  throw new TaskFailure(`order holds pairs of a host and a list of components, not ${JSON.stringify(entry)}`);
}

function texts(versions: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries((versions ?? {}) as object).map(([name, text]) => [name, String(text)]));
}

function refused(to: string, problems: string[]): TaskFailure {
  const shown = problems.slice(0, 8);
  const more = problems.length > shown.length ? [`and ${problems.length - shown.length} more`] : [];
  return new TaskFailure(
    `no way to ${to}: ${[...shown, ...more].join('; ')}`,
    { problems },
    `the rules: ${skewPolicy}`,
  );
}
