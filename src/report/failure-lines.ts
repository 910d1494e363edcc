import { at } from '../core/origin.ts';
import type { Failure } from './failures.ts';
import { hostList } from './host-list.ts';
import { sanitize } from './sanitize.ts';
import type { Style } from './style.ts';
import { lastLines } from './wording.ts';
import { wrapLines } from './wrap.ts';

/** Lines of output shown of a failed command, and of a unit's status and journal. */
const shownOutput = 20;

const words: Record<Failure['kind'], string> = {
  task: 'failed',
  gate: 'gate not passed',
  unreachable: 'unreachable',
  auth: 'login refused',
  input: 'bad input',
  internal: 'internal error',
  interrupted: 'interrupted',
};

/**
 * A failure as a block of lines: what, where, on whom, why, with which output, and what to try. With columns all but
 * the command, which is there to be copied, is wrapped to them.
 */
export function failureLines(failure: Failure, style: Style, columns?: number): string[] {
  const { message, hint, command, rc } = failure;
  const ran = command === undefined ? [] : [`command: ${sanitize(command).replaceAll('\n', '\\n')}`];
  const below = (lines: string[]) => lines.flatMap((line) => line.split('\n')).map((line) => `    ${line}`);
  const fit = (lines: string[]) => wrapLines(lines, columns);
  return [
    ...fit([headLine(failure, style)]),
    ...fit(below([sanitize(message).trimEnd()])),
    ...below(ran),
    ...below(rc === undefined ? [] : [`exit code: ${rc}`]),
    ...fit(below([...outputLines(failure, style), ...evidenceLines(failure, style)])),
    ...fit(below(hint ? [`try: ${sanitize(hint)}`] : [])),
  ];
}

function headLine({ kind, title, hosts, origin }: Failure, style: Style): string {
  const head = [
    style.bold(sanitize(title || words[kind])),
    style.blue(hostList(hosts)),
    origin ? style.dim(at(origin)) : '',
  ];
  return `${style.red(style.sign.failed)} ${head.filter((part) => part !== '').join('  ')}`;
}

function evidenceLines({ hosts, evidence }: Failure, style: Style): string[] {
  return quoted(`unit status and journal${hosts.length > 1 ? ` of ${hosts[0]}` : ''}`, evidence, style);
}

function outputLines({ stderr, stdout }: Failure, style: Style): string[] {
  if (stderr?.trim()) return quoted('stderr', stderr, style);
  return quoted('stdout', stdout, style);
}

function quoted(what: string, text: string | undefined, style: Style): string[] {
  if (!text?.trim()) return [];
  const all = sanitize(text).trimEnd().split('\n').length;
  const label = all > shownOutput ? `${what}, last ${shownOutput} of ${all} lines:` : `${what}:`;
  return [label, ...lastLines(sanitize(text), shownOutput).map((line) => style.dim(`  | ${line}`))];
}
