import { createHash } from 'node:crypto';
import type { ControllerFile, ControllerFiles } from '../../../src/core/module.ts';
import { TaskFailure } from '../../../src/core/result.ts';
import type { Value } from '../../../src/jinja/values.ts';

/** A controller file in a case: its text, or a mapping: `text` or `base64` and `mode`; `entries` makes a directory. */
export type ShortFile =
  | string
  | { text?: string; base64?: string; repeat?: number; mode?: string; entries?: Record<string, ShortFile> };

export function controllerFiles(files: Record<string, ShortFile>, templates: Record<string, Value>): ControllerFiles {
  return {
    find(_kind, name) {
      const written = files[name.replace(/\/$/, '')] ?? (name in templates ? '' : undefined);
      if (written === undefined) throw new TaskFailure(`Could not find or access '${name}'`);
      return fileOf(`/site/files/${name.replace(/\/$/, '')}`, written);
    },
    template(name) {
      if (!(name in templates)) throw new TaskFailure(`Could not find or access '${name}'`);
      return templates[name]!;
    },
  };
}

function fileOf(path: string, written: ShortFile): ControllerFile {
  const short = typeof written === 'string' ? { text: written } : written;
  const text = Buffer.from((short.text ?? '').repeat(short.repeat ?? 1));
  const bytes = short.base64 === undefined ? text : Buffer.from(short.base64, 'base64');
  return {
    path,
    kind: short.entries ? 'directory' : 'file',
    size: bytes.length,
    mode: Number.parseInt(short.mode ?? '0644', 8),
    mtime: 0,
    sha256: () => createHash('sha256').update(bytes).digest('hex'),
    bytes: () => bytes,
    walk: () => below(path, '', short.entries ?? {}),
  };
}

function below(
  root: string,
  prefix: string,
  entries: Record<string, ShortFile>,
): { path: string; file: ControllerFile }[] {
  return Object.entries(entries).flatMap(([name, written]) => {
    const path = `${prefix}${name}`;
    const file = fileOf(`${root}/${path}`, written);
    const inner = typeof written === 'object' && written.entries ? below(root, `${path}/`, written.entries) : [];
    return [{ path, file }, ...inner];
  });
}
