import { inputError } from '../../core/errors.ts';
import type { Origin } from '../../core/origin.ts';

/** What `%h` and the like stand for, by letter. */
export type Tokens = Readonly<Record<string, string>>;

/** Replaces `%x` and `%%`; with `env` also `${NAME}`. Throws an input error for what stands for nothing. */
export function expandTokens(
  text: string,
  tokens: Tokens,
  origin: Origin,
  env?: Readonly<Record<string, string | undefined>>,
): string {
  return text.replace(/%([\s\S]?)|\$\{([^}]*)\}/g, (written, letter: string | undefined, name: string | undefined) => {
    if (letter === '%') return '%';
    if (letter !== undefined) return tokens[letter] ?? unknownToken(`%${letter}`, tokens, origin);
    if (!env || name === undefined) return written;
    return env[name] ?? unset(name, origin);
  });
}

function unknownToken(written: string, tokens: Tokens, origin: Origin): never {
  const known = [...Object.keys(tokens), '%'].map((letter) => `%${letter}`).join(' ');
  throw inputError(`'${written}' stands for nothing here`, { origin, expected: `one of: ${known}` });
}

function unset(name: string, origin: Origin): never {
  throw inputError(`the environment has no variable ${name}`, { origin, expected: 'a variable that is set' });
}

/** `~` and `~/x`, as ssh writes them; other users' folders are not looked up. */
export function expandTilde(path: string, home: string, origin: Origin): string {
  if (!path.startsWith('~')) return path;
  if (path === '~' || path.startsWith('~/')) return home + path.slice(1);
  throw inputError(`'${path}' begins with another user's folder`, { origin, expected: 'the path from / on' });
}
