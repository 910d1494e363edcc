import { join, resolve, sep } from 'node:path';
import { inputError } from '../core/errors.ts';
import { nearest } from '../core/nearest.ts';
import type { Node } from '../core/node.ts';
import type { Origin } from '../core/origin.ts';
import { checkTemplates } from './check-syntax.ts';
import type { Context } from './context.ts';
import { mergeMappings, wrongType } from './expect.ts';
import { varsFiles } from './vars-files.ts';

type Need = Pick<Context, 'loading'>;

const extensions = ['.yml', '.yaml', '.json'];

/** The main file of a role's folder, or the one a `*_from` names; undefined when there is no main file. */
export function roleFile(
  rolePath: string,
  kind: string,
  from: string | undefined,
  origin: Origin,
  { loading }: Need,
): string | undefined {
  const folder = join(rolePath, kind);
  const names =
    from === undefined
      ? [...extensions, ''].map((ext) => `main${ext}`)
      : ['', ...extensions].map((ext) => `${from}${ext}`);
  const found = names.map((name) => resolve(folder, name)).find((path) => loading.sources.isFile(path));
  if (found && !found.startsWith(folder + sep)) throw outside(found, rolePath, origin, loading.sources.show);
  if (found || from === undefined) return found;
  const close = nearest(
    from,
    loading.sources.files.list(folder).map((name) => name.replace(/\.(ya?ml|json)$/, '')),
  );
  throw inputError(`the role has no file ${kind}/${from}`, {
    missing: true,
    origin,
    expected: `a file in ${loading.sources.show(folder)}`,
    ...(close ? { nearest: close } : {}),
  });
}

function outside(path: string, rolePath: string, origin: Origin, show: (path: string) => string) {
  return inputError(`${show(path)} lies outside the role`, { origin, expected: `a file in ${show(rolePath)}` });
}

/** `defaults` or `vars` of a role: one file, or all files of a folder `main`. */
export function roleVars(
  rolePath: string,
  kind: 'defaults' | 'vars',
  from: string | undefined,
  origin: Origin,
  context: Need,
): Node | undefined {
  const { sources } = context.loading;
  const folder = resolve(rolePath, kind, from ?? 'main');
  const files =
    sources.isDirectory(folder) && folder.startsWith(join(rolePath, kind) + sep)
      ? varsFiles(sources, folder)
      : [roleFile(rolePath, kind, from, origin, context)].filter((path) => path !== undefined);
  return mergeMappings(files.flatMap((path) => variablesIn(path, context) ?? []));
}

/** A file of variables; undefined when it is empty. */
export function variablesIn(path: string, { loading }: Need, from?: Origin): Node | undefined {
  const node = loading.sources.yaml(path, from);
  if (node.value === null) return undefined;
  if (!node.entries) throw wrongType(node, loading.sources.show(path), 'a mapping of variables');
  checkTemplates(node, loading);
  return node;
}
