import { inputError } from '../core/errors.ts';
import type { Node } from '../core/node.ts';
import type { Play } from '../core/play.ts';
import { checkTemplates } from './check-syntax.ts';
import type { Loading } from './context.ts';
import { wrongType } from './expect.ts';
import { findIn, nearestFile, searchFolders } from './search.ts';
import type { Sources } from './sources.ts';

/** The path of a vars_files entry, searched in `vars/` and next to the playbook; undefined: there is none. */
export function varsFilePath(name: string, playFile: string, sources: Sources): string | undefined {
  const path = findIn(sources, searchFolders({ file: playFile, playFile }, 'vars'), name);
  return path !== undefined && sources.isFile(path) ? path : undefined;
}

/** Reads the vars_files that are named literally, so that a missing or bad one is found before anything runs. */
export function checkVarsFiles(play: Play, loading: Loading): void {
  for (const entry of play.varsFiles) loading.problems.attempt(() => checkEntry(entry, play, loading));
}

/** An entry that is a list names alternatives: the first that exists counts. */
function checkEntry(entry: Node, play: Play, loading: Loading): void {
  const names = entry.items ?? [entry];
  if (names.some((name) => !name.literal)) return;
  const path = names.map((name) => pathOf(name, play, loading)).find((each) => each !== undefined);
  if (!path) throw missing(entry, names, play, loading.sources);
  const node = loading.sources.yaml(path, entry.origin);
  if (node.value !== null && !node.entries) throw wrongType(node, loading.sources.show(path), 'a mapping of variables');
  checkTemplates(node, loading);
}

function pathOf(name: Node, play: Play, loading: Loading): string | undefined {
  if (typeof name.value !== 'string') throw wrongType(name, 'vars_files', 'the name of a file');
  return varsFilePath(name.value, play.file, loading.sources);
}

function missing(entry: Node, names: readonly Node[], play: Play, sources: Sources) {
  const name = String(names[0]?.value);
  const folders = searchFolders({ file: play.file, playFile: play.file }, 'vars');
  const close = nearestFile(sources, folders, name);
  return inputError(`there is no vars file '${name}'`, {
    origin: entry.origin,
    expected: `a file in ${folders.map((folder) => sources.show(folder)).join(', ')}`,
    ...(close ? { nearest: close } : {}),
  });
}
