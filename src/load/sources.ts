import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { inputError, type KpushError } from '../core/errors.ts';
import { nearest } from '../core/nearest.ts';
import type { Node } from '../core/node.ts';
import type { Origin } from '../core/origin.ts';
import { diskFiles, type SourceFiles } from './files.ts';
import type { Vault } from './vault.ts';
import { parseYaml } from './yaml.ts';

export interface SourceOptions {
  files?: SourceFiles;
  /** Folder that names in messages are relative to. Default: the working directory. */
  cwd?: string;
  vault?: Vault;
  /** Takes duplicate keys as warnings (`--compat ansible`). Absent: they are errors. */
  onDuplicate?: (warning: KpushError) => void;
}

/** The YAML files of a run, each read and parsed once; all paths are absolute, origins show them relative to `cwd`. */
export class Sources {
  readonly files: SourceFiles;
  readonly cwd: string;
  private readonly options: SourceOptions;
  private readonly parsed = new Map<string, Node>();

  constructor(options: SourceOptions = {}) {
    this.options = options;
    this.files = options.files ?? diskFiles();
    this.cwd = options.cwd ?? process.cwd();
  }

  get vault(): Vault | undefined {
    return this.options.vault;
  }

  /** The name of a file as messages show it. */
  show(path: string): string {
    const short = relative(this.cwd, path);
    return short === '' ? '.' : short.startsWith('..') || isAbsolute(short) ? path : short;
  }

  /** The absolute path of a name from the command line. */
  absolute(name: string): string {
    return resolve(this.cwd, name);
  }

  isFile(path: string): boolean {
    return this.files.kind(path) === 'file';
  }

  isDirectory(path: string): boolean {
    return this.files.kind(path) === 'directory';
  }

  /** A file as a Node. Throws an input error at `from`, the place that names the file, when it cannot be read. */
  yaml(path: string, from?: Origin): Node {
    const known = this.parsed.get(path);
    if (known) return known;
    const node = this.parse(path, this.bytes(path, from));
    this.parsed.set(path, node);
    return node;
  }

  /** Bytes of a file, decrypted when it is a vault file. */
  bytes(path: string, from?: Origin): Buffer {
    const raw = this.raw(path, from);
    if (!raw.subarray(0, 14).equals(Buffer.from('$ANSIBLE_VAULT'))) return raw;
    const origin = { file: this.show(path), line: 1, column: 1 };
    if (this.options.vault) return this.options.vault.decrypt(raw.toString('latin1'), origin);
    throw inputError('the file is encrypted with ansible-vault and no password is given', {
      origin,
      expected: 'a vault password',
      hint: 'give --vault-password-file FILE or --ask-vault-pass',
    });
  }

  /** An unparsed text as YAML, for `-e` and the like. */
  parse(path: string, content: Buffer | string, file: string = this.show(path)): Node {
    const { vault, onDuplicate } = this.options;
    return parseYaml(content, {
      file,
      ...(vault ? { vault: (text, origin) => vault.decrypt(text, origin).toString('utf8') } : {}),
      ...(onDuplicate ? { onDuplicate } : {}),
    });
  }

  private raw(path: string, from?: Origin): Buffer {
    try {
      const bytes = this.files.read(path);
      if (bytes) return bytes;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EISDIR')
        throw inputError(`${this.show(path)} is a folder`, { origin: from, expected: 'a file' });
      throw inputError(`cannot read ${this.show(path)}: ${(error as Error).message}`, { origin: from, cause: error });
    }
    const close = nearest(basename(path), this.files.list(dirname(path)));
    const facts = close === undefined ? { expected: 'a file' } : { nearest: this.show(join(dirname(path), close)) };
    throw inputError(`there is no file ${this.show(path)}`, { origin: from, ...facts });
  }
}
