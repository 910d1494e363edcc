import { parseAllDocuments, visit } from 'yaml';
import { inputError } from '../core/errors.ts';
import type { RunControl, RunOptions } from '../core/options.ts';
import type { Origin } from '../core/origin.ts';
import { Sources } from '../load/sources.ts';
import { Vault, type VaultSecret } from '../load/vault.ts';
import { parseVaultId, readVaultPassword, type VaultSource } from '../load/vault-secrets.ts';
import { readAnsibleConfig } from '../resolve/ansible-cfg.ts';

/**
 * What decrypts vaulted files and values: passwords from files, programs or the terminal, read once. undefined: none
 * was given. Whatever it decrypts is veiled from then on.
 */
export async function openVault(options: RunOptions, control: RunControl): Promise<Vault | undefined> {
  const sources = new Sources();
  const secrets: VaultSecret[] = [];
  for (const source of vaultSources(options, sources)) {
    const secret = source.file === undefined ? await asked(source, control) : readVaultPassword(source, sources);
    control.conceal(secret.password);
    secrets.push(secret);
  }
  return secrets.length > 0 ? new VeiledVault(secrets, control) : undefined;
}

/** In the order in which Ansible tries them; the environment and ansible.cfg are asked where no flag says anything. */
function vaultSources({ vaultIds, vaultPasswordFiles, askVaultPass }: RunOptions, sources: Sources): VaultSource[] {
  const given = [...vaultIds.map(parseVaultId), ...vaultPasswordFiles.map((file) => ({ file }))];
  if (askVaultPass) return [...given, {}];
  if (given.length > 0) return given;
  const { vaultPasswordFile: file } = readAnsibleConfig(sources, process.env);
  return file === undefined ? [] : [{ file }];
}

async function asked({ id }: VaultSource, { prompt }: RunControl): Promise<VaultSecret> {
  const name = id ? `Vault password (${id}): ` : 'Vault password: ';
  if (!prompt)
    throw inputError('the vault password is wanted, but there is no terminal to ask at', { hint: 'give it in a file' });
  return { password: await prompt(name, { secret: true }), ...(id ? { id } : {}) };
}

class VeiledVault extends Vault {
  private readonly control: RunControl;

  constructor(secrets: readonly VaultSecret[], control: RunControl) {
    super(secrets);
    this.control = control;
  }

  override decrypt(text: string, origin: Origin): Buffer {
    const plain = super.decrypt(text, origin);
    for (const secret of secretsIn(plain.toString('utf8'))) this.control.conceal(secret);
    return plain;
  }
}

/** Shorter texts in a file of variables (`yes`, `main`) are no secrets of their own, and veil what is none. */
const shortest = 6;

/** The text itself, and where it is a file of variables every value in it. */
function secretsIn(text: string): string[] {
  const values: string[] = [];
  for (const document of parseAllDocuments(text)) {
    if (!('errors' in document) || document.errors.length > 0) continue;
    visit(document, {
      Scalar: (key, node) => {
        if (key !== 'key' && typeof node.value === 'string' && node.value.length >= shortest) values.push(node.value);
      },
    });
  }
  return [text, ...values];
}
