import { at } from '../core/origin.ts';
import type { Failure } from './failures.ts';
import { hostList } from './host-list.ts';
import { sanitize } from './sanitize.ts';
import type { Style } from './style.ts';
import { lastLines } from './wording.ts';
import { wrapLine, wrapLines } from './wrap.ts';

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

/** A failure as a block of lines: what, where, on whom, why, with which output, and what to try. */
export function failureLines(failure: Failure, style: Style, columns?: number): string[] {
  const { title, hosts, origin, message, hint, command, rc, evidence } = failure;
  const head = [style.bold(sanitize(title || words[failure.kind])), style.blue(hostList(hosts))];
  const place = origin ? style.dim(at(origin)) : '';
  const ran = command === undefined ? [] : [`command: ${sanitize(command).replaceAll('\n', '\\n')}`];
  const told = (text: string) => wrapLines([`    ${sanitize(text).trimEnd().replaceAll('\n', '\n    ')}`], columns);
  const rest = [
    ...ran,
    ...(rc === undefined ? [] : [`exit code: ${rc}`]),
    ...outputLines(failure, style),
    ...quoted(`unit status and journal${hosts.length > 1 ? ` of ${hosts[0]}` : ''}`, evidence, style),
  ];
  return [
    ...wrapLine(
      `${style.red(style.sign.failed)} ${[...head, place].filter((part) => part !== '').join('  ')}`,
      columns,
    ),
    ...told(message),
    ...rest.map((line) => `    ${line}`),
    ...(hint ? told(`try: ${hint}`) : []),
  ];
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
