import { join } from 'node:path';
import { InputErrors, inputError, KpushError } from '../../core/errors.ts';
import type { Node } from '../../core/node.ts';
import { parseTemplate, TemplateError, usedNames } from '../../jinja/index.ts';
import { type AloneTask, tasksAlone } from '../../load/alone.ts';
import { checkPlay } from '../../load/check-play.ts';
import { checkSyntax, checkTemplates } from '../../load/check-syntax.ts';
import type { Loading } from '../../load/context.ts';
import { nameLacks } from '../../load/lacks.ts';
import { type LoadOptions, newLoading } from '../../load/playbook.ts';
import { filesBelow } from './tree.ts';

/** A role or playbook, or a file of tasks outside of them, with all that is wrong in it. */
export interface Unit {
  kind: 'role' | 'playbook' | 'tasks';
  /** Path relative to the working directory. */
  name: string;
  tasks: AloneTask[];
  /** What is wrong outside of tasks: in keywords of plays, in variables, in templates. */
  problems: KpushError[];
}

const yaml = /\.ya?ml$/;

export function roleUnit(path: string, options: LoadOptions): Unit {
  const unit: Unit = { kind: 'role', name: options.sources.show(path), tasks: [], problems: [] };
  for (const kind of ['tasks', 'handlers'])
    for (const file of filesBelow(join(path, kind), yaml))
      keep(unit, () => unit.tasks.push(...tasksIn(file, kind === 'handlers', options)));
  for (const kind of ['defaults', 'vars'])
    for (const file of filesBelow(join(path, kind), yaml)) keep(unit, () => checkVariables(file, unit, options));
  for (const file of filesBelow(join(path, 'templates'), /\.j2$/)) keep(unit, () => checkTemplate(file, unit, options));
  return unit;
}

/** Undefined: the file holds neither plays nor tasks. */
export function fileUnit(file: string, options: LoadOptions): Unit | undefined {
  const unit: Unit = { kind: 'tasks', name: options.sources.show(file), tasks: [], problems: [] };
  const node = keep(unit, () => options.sources.yaml(file));
  if (!node) return undefined;
  const items = node.items ?? [];
  if (items.some((item) => item.entries?.has('hosts') || importOf(item))) {
    for (const play of items) playInto(unit, play, file, options);
    return { ...unit, kind: 'playbook' };
  }
  if (!looksLikeTasks(node, options)) return undefined;
  unit.tasks.push(...tasksAlone(node, { file }, options));
  return unit;
}

function importOf(item: Node): boolean {
  return [...(item.entries?.keys() ?? [])].some((name) => /^(ansible\.builtin\.)?import_playbook$/.test(name));
}

function playInto(unit: Unit, play: Node, file: string, options: LoadOptions): void {
  if (importOf(play)) return;
  const loading = newLoading(options);
  checkPlay(play, loading.problems);
  checkSyntax(play, loading);
  unit.problems.push(...loading.problems.errors);
  for (const name of ['pre_tasks', 'tasks', 'post_tasks', 'handlers']) {
    const list = play.entries?.get(name)?.node;
    if (list?.items) unit.tasks.push(...tasksAlone(list, { file, handler: name === 'handlers' }, options));
  }
}

/** A list of mappings in each of which a block or a known module, or a name beside a module, stands. */
function looksLikeTasks({ items }: Node, { modules }: LoadOptions): boolean {
  const isTask = ({ entries }: Node) =>
    entries !== undefined &&
    [...entries.keys()].some(
      (key) => /^(block|(include|import)_(tasks|role)|set_fact)$/.test(key) || modules.find(key),
    );
  return items !== undefined && items.length > 0 && items.every(isTask);
}

function tasksIn(file: string, handler: boolean, options: LoadOptions): AloneTask[] {
  const node = options.sources.yaml(file);
  if (node.value === null) return [];
  if (!node.items) throw inputError('this is no list of tasks', { origin: node.origin });
  return tasksAlone(node, { file, handler }, options);
}

/** Files of variables that are encrypted are not looked into. */
function checkVariables(file: string, unit: Unit, options: LoadOptions): void {
  if (options.sources.files.read(file)?.subarray(0, 14).equals(Buffer.from('$ANSIBLE_VAULT'))) return;
  const loading = newLoading(options);
  checkTemplates(options.sources.yaml(file), loading);
  unit.problems.push(...loading.problems.errors);
}

function checkTemplate(file: string, unit: Unit, options: LoadOptions): void {
  const shown = options.sources.show(file);
  const loading: Loading = newLoading(options);
  try {
    const parsed = parseTemplate(options.sources.bytes(file).toString('utf8'), {}, { name: shown });
    nameLacks(usedNames(parsed), ({ line, column }) => ({ file: shown, line, column }), loading);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    const origin = { file: shown, line: error.line ?? 1, column: error.column ?? 1 };
    loading.problems.add(inputError(`template error: ${error.message}`, { origin }));
  }
  unit.problems.push(...loading.problems.errors);
}

/** Errors of the input are the unit's. */
function keep<T>(unit: Unit, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof InputErrors) unit.problems.push(...error.errors);
    else if (error instanceof KpushError && error.kind === 'input') unit.problems.push(error);
    else throw error;
    return undefined;
  }
}
