import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { inputError } from '../core/errors.ts';
import { ms, wait } from '../core/waits.ts';
import { expandHome } from './search.ts';
import type { Sources } from './sources.ts';
import { passwordFrom, type VaultSecret } from './vault.ts';

/** A vault id as written: `label@source`, `label@prompt`, or a file. */
export interface VaultSource {
  id?: string;
  /** Absent: ask for it. */
  file?: string;
}

export function parseVaultId(text: string): VaultSource {
  const at = text.indexOf('@');
  const id = at > 0 ? text.slice(0, at) : undefined;
  const source = at < 0 ? text : text.slice(at + 1);
  return { ...(id ? { id } : {}), ...(source === 'prompt' ? {} : { file: source }) };
}

/**
 * The password of a file. An executable file is run and its output is the password; a name that ends in `-client` gets
 * `--vault-id ID`, as Ansible does. Throws an input error that never holds the password.
 */
export function readVaultPassword({ id, file = '' }: VaultSource, sources: Sources): VaultSecret {
  const path = sources.absolute(expandHome(file));
  if (!sources.isFile(path))
    throw inputError(`there is no vault password file '${file}'`, { expected: 'a file with the password' });
  const bytes = isExecutable(path) ? output(path, id) : sources.files.read(path);
  return { password: passwordFrom(bytes ?? Buffer.alloc(0), sources.show(path)), ...(id ? { id } : {}) };
}

function isExecutable(path: string): boolean {
  return (statSync(path).mode & 0o111) !== 0;
}

function output(path: string, id: string | undefined): Buffer {
  const isClient = /-client(\.[a-z]+)?$/.test(path);
  try {
    return execFileSync(path, isClient && id ? ['--vault-id', id] : [], {
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: ms(wait('vault').timeout),
    });
  } catch (error) {
    throw inputError(`the vault password script ${path} failed`, {
      expected: 'exit code 0 and the password on stdout',
      cause: error,
    });
  }
}
