import { inputError } from '../core/errors.ts';
import type { RunControl, RunOptions } from '../core/options.ts';
import { diskFiles } from '../load/files.ts';

export interface Secrets {
  password?: string;
  becomePassword?: string;
  /** Of private keys, by file; filled before the first connection. */
  passphrases?: Record<string, string>;
}

/** Passwords are asked once, before anything is connected, or read from files; they are veiled from then on. */
export async function askSecrets(options: RunOptions, control: RunControl): Promise<Secrets> {
  const password = await secret('SSH password: ', options.askPass, options.connectionPasswordFile, control);
  const become = await secret(
    'become password: ',
    options.askBecomePass,
    options.becomePasswordFile,
    control,
    password,
  );
  return {
    passphrases: {},
    ...(password === undefined ? {} : { password }),
    ...(become === undefined ? {} : { becomePassword: become }),
  };
}

async function secret(
  text: string,
  ask: boolean,
  file: string | undefined,
  control: RunControl,
  otherwise?: string,
): Promise<string | undefined> {
  const found = file === undefined ? (ask ? await asked(text, control, otherwise) : undefined) : fromFile(file);
  if (found) control.conceal(found);
  return found;
}

async function asked(text: string, { prompt }: RunControl, otherwise?: string): Promise<string> {
  if (!prompt)
    throw inputError(`${text.replace(/: $/, '')} is wanted, but there is no terminal to ask at`, {
      hint: 'give it in a file',
    });
  return (await prompt(text, { secret: true, required: true })) || otherwise || '';
}

function fromFile(path: string): string {
  const bytes = contentOf(path);
  if (bytes === undefined) throw inputError(`the password file ${path} is not there`);
  return bytes.toString('utf8').replace(/\r?\n$/, '');
}

function contentOf(path: string): Buffer | undefined {
  try {
    return diskFiles().read(path);
  } catch (error) {
    throw inputError(`the password file ${path} cannot be read: ${(error as Error).message}`);
  }
}
