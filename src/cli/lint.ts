import { lstatSync, readdirSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { InputErrors, inputError, KpushError } from '../core/errors.ts';
import { nearest } from '../core/nearest.ts';
import type { Node } from '../core/node.ts';
import { dynamicLoader } from '../load/dynamic.ts';
import { loadPlaybook } from '../load/playbook.ts';
import { Problems } from '../load/problems.ts';
import { Sources } from '../load/sources.ts';
import { loadInventory } from '../resolve/inventory-load.ts';
import { reach } from '../resolve/reach.ts';
import { lintPlays } from './lint-plays.ts';
import { moduleTable, nameTable } from './tables.ts';

export interface LintResult {
  files: number;
  errors: KpushError[];
  warnings: KpushError[];
}

/** Checks playbooks and inventories without connecting anywhere; folders are searched for them. */
export function lint(paths: readonly string[], cwd: string): LintResult {
  const result: LintResult = { files: 0, errors: [], warnings: [] };
  const sources = new Sources({ cwd, onDuplicate: (error) => result.errors.push(error) });
  for (const path of paths.flatMap((one) => yamlFiles(resolve(cwd, one)))) {
    result.files++;
    keepErrors(result, () => lintFile(path, sources, result));
  }
  return { ...result, errors: distinct(result.errors), warnings: distinct(result.warnings) };
}

function lintFile(path: string, sources: Sources, result: LintResult) {
  const inventory = () => loadInventory([path], sources, (warning) => result.warnings.push(warning));
  const node = isYaml.test(path) ? sources.yaml(path) : new Problems().attempt(() => sources.yaml(path));
  if (!node) return inventory();
  if (isPlaybook(node)) {
    const { playbook, loading } = loadPlaybook(path, {
      sources,
      modules: moduleTable,
      names: nameTable(),
      strict: true,
    });
    result.warnings.push(...loading.problems.warnings);
    const found = reach(playbook, dynamicLoader(playbook, loading));
    result.warnings.push(...found.missing);
    result.errors.push(...lintPlays(playbook, found));
  } else if (isInventory(node) || !isYaml.test(path)) inventory();
}

/** A file of another name that is no YAML either can only be an inventory of INI lines. */
const isYaml = /\.(ya?ml|json)$/i;

/** A list of plays. A list of tasks is checked where a play or role takes it in. */
function isPlaybook(node: Node): boolean {
  return (node.items ?? []).some((item) => item.entries?.has('hosts') || item.entries?.has('import_playbook'));
}

function isInventory(node: Node): boolean {
  const groups = [...(node.entries?.values() ?? [])].map((entry) => entry.node.entries);
  return node.entries?.has('all') || groups.some((group) => group?.has('hosts') || group?.has('children'));
}

const skippedFolders = new Set([
  'node_modules',
  'group_vars',
  'host_vars',
  'roles',
  'templates',
  'files',
  'vars',
  'defaults',
]);

/** YAML files below a folder, but not in folders that hold other things; a file is itself. */
function yamlFiles(path: string): string[] {
  const kind = kindOf(path);
  if (!kind) throw missing(path);
  if (!kind.isDirectory()) return [path];
  const entries = readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    if (entry.name.startsWith('.')) return [];
    if (entry.isDirectory()) return skippedFolders.has(entry.name) ? [] : yamlFiles(join(path, entry.name));
    return /\.ya?ml$/.test(entry.name) && isFile(join(path, entry.name)) ? [join(path, entry.name)] : [];
  });
}

function missing(path: string): KpushError {
  const [folder, name] = [dirname(path), basename(path)];
  const close = kindOf(folder)?.isDirectory() ? nearest(name, readdirSync(folder)) : undefined;
  return inputError(`there is no ${name} in ${folder}`, close === undefined ? {} : { nearest: close });
}

/** Undefined where there is nothing; a link that leads to itself is as good as nothing. */
function kindOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw inputError(`cannot read ${path}: ${(error as Error).message}`);
  }
}

/** Not a pipe, which would be waited for; a link that leads nowhere is left for the reading to complain of. */
function isFile(path: string): boolean {
  return lstatSync(path).isSymbolicLink() || statSync(path).isFile();
}

function keepErrors(result: LintResult, check: () => void) {
  try {
    check();
  } catch (error) {
    if (error instanceof InputErrors) result.errors.push(...error.errors);
    else if (error instanceof KpushError && error.kind === 'input') result.errors.push(error);
    else throw error;
  }
}

/** A file that several playbooks take in is wrong once. */
function distinct(errors: KpushError[]): KpushError[] {
  const key = ({ message, facts }: KpushError) => JSON.stringify([message, facts.origin]);
  return [...new Map(errors.map((error) => [key(error), error])).values()];
}
