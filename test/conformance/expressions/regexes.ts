import { spawnSync } from 'node:child_process';
import { pythonRegex, replacementOf, TemplateError } from '../../../src/jinja/index.ts';

type Result = [[[number, number], (string | null)[]][], number | null, boolean, string] | null;

const flagBits = { ignoreCase: 2, multiline: 8, dotAll: 16 };

/** Random patterns on random texts, by Python's `re` and by kpush's engine; gives the cases that differ. */
export function compareRegexes(seed: number, count: number): string[] {
  const script = new URL('./regexes.py', import.meta.url).pathname;
  const { stdout, status, stderr } = spawnSync('/usr/bin/python3', [script, String(seed), String(count)], {
    encoding: 'utf8',
    cwd: '/',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(stderr);
  const lines = stdout.trim().split('\n');
  if (lines.length !== count) throw new Error(`${lines.length} cases instead of ${count}`);
  return lines.flatMap(compareLine);
}

function compareLine(line: string): string[] {
  const [pattern, text, flags, theirs] = JSON.parse(line) as [string, string, number, Result];
  const ours = answer(pattern, text, flags);
  if (ours === 'too many steps' || JSON.stringify(ours) === JSON.stringify(theirs)) return [];
  return [`${pattern} on ${JSON.stringify(text)}: Python ${JSON.stringify(theirs)}, kpush ${JSON.stringify(ours)}`];
}

/** A pattern that needs too many steps is refused: that is no difference in the answer. */
function answer(pattern: string, text: string, bits: number): Result | 'too many steps' {
  try {
    const flags = Object.fromEntries(Object.entries(flagBits).map(([name, bit]) => [name, (bits & bit) !== 0]));
    const regex = pythonRegex(pattern, flags);
    return [
      [...regex.all(text)].map(({ start, end, groups }) => [[start, end], groups.map((group) => group ?? null)]),
      regex.match(text)?.end ?? null,
      regex.fullMatch(text) !== undefined,
      regex.replace(text, replacementOf(regex, '<\\g<0>>')),
    ];
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return error.kind === 'limit' ? 'too many steps' : null;
  }
}
