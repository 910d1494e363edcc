import { quote } from '../core/quote.ts';

/** An argument vector as shell words; `expand` as Ansible's command does it: known $VAR and a leading ~, nothing else. */
export function argvText(argv: readonly string[], expand: boolean): string {
  if (argv.length === 0) throw new Error('an empty argument vector');
  return argv.map(expand ? pathText : quote).join(' ');
}

/** One word in which `~`, `~user`, `$NAME` and `${NAME}` are filled in on the host; an unset variable stays as written. */
export function pathText(text: string): string {
  if (text.includes('\0')) throw new Error('a NUL byte cannot be passed to a shell');
  const tilde = /^~[A-Za-z0-9._-]*(?=\/|$)/.exec(text)?.[0] ?? '';
  const rest = text.slice(tilde.length);
  return tilde + (rest === '' && tilde ? '' : variables(rest));
}

function variables(text: string): string {
  if (!text.includes('$')) return quote(text);
  const parts = text.split(/(\$(?:[A-Za-z_][A-Za-z0-9_]*|\{[A-Za-z_][A-Za-z0-9_]*\}))/);
  return parts.map((part, at) => (at % 2 ? variable(part) : part && quote(part))).join('');
}

/** In double quotes, and with itself as the default. */
function variable(reference: string): string {
  const name = reference.replace(/[${}]/g, '');
  const asWritten = reference.startsWith('${') ? `\\\${${name}\\}` : `\\$${name}`;
  return `"\${${name}-${asWritten}}"`;
}
