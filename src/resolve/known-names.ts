import type { Node } from '../core/node.ts';
import type { Play, Playbook, Role, Task } from '../core/play.ts';
import { standardEnvironment } from '../jinja/index.ts';
import { field, listed, textOf } from '../load/expect.ts';
import { varsFilePath } from '../load/play-vars-files.ts';
import type { Sources } from '../load/sources.ts';
import { VarsFolders } from './group-vars.ts';
import type { Inventory } from './inventory.ts';
import { magicNames } from './magic.ts';
import { factName } from './names.ts';
import type { Reach } from './reach.ts';

export interface KnownNames {
  has(name: string): boolean;
  /** For "did you mean". */
  all(): Iterable<string>;
  /** Something can define names that cannot be seen now. */
  open: boolean;
}

/** Every name that anything in the tree can define for any host. */
export function knownNames(
  playbook: Playbook,
  found: Reach,
  inventory: Inventory,
  sources: Sources,
  extraVars?: Node,
): KnownNames {
  const names = new Names();
  names.add(magicNames, standardEnvironment().globals.keys(), alwaysThere, extraVars?.entries?.keys());
  names.open = found.open;
  ofInventory(names, inventory, new VarsFolders(sources), [
    ...new Set(playbook.plays.map((play) => folderOf(play.file))),
  ]);
  for (const play of playbook.plays) ofPlay(names, play, sources);
  for (const role of found.roles) ofRole(names, role);
  for (const node of [...found.blockVars, ...found.includedVars]) names.add(node.entries?.keys());
  for (const { task } of found.tasks) ofTask(names, task);
  return { has: (name) => names.set.has(name) || factName(name) !== undefined, all: () => names.set, open: names.open };
}

const alwaysThere = ['item', 'ansible_facts', 'environment', 'true', 'false', 'none'];

class Names {
  readonly set = new Set<string>();
  open = false;

  add(...lists: (Iterable<string> | undefined)[]): void {
    for (const list of lists) for (const name of list ?? []) this.set.add(name);
  }
}

function folderOf(file: string): string {
  return file.slice(0, file.lastIndexOf('/')) || '/';
}

function ofInventory(names: Names, inventory: Inventory, folders: VarsFolders, playFolders: string[]): void {
  const all = [...inventory.folders, ...playFolders];
  const seen = new Set<unknown>();
  for (const [kind, members] of [
    ['group_vars', inventory.groups],
    ['host_vars', inventory.hosts],
  ] as const)
    for (const { name, vars } of members.values()) {
      for (const folder of all) names.add(folders.read(folder, kind, name).keys());
      if (!seen.has(vars)) names.add(vars.keys());
      seen.add(vars);
    }
}

function ofPlay(names: Names, play: Play, sources: Sources): void {
  names.add(play.keywords.vars?.entries?.keys());
  for (const prompt of play.varsPrompt) names.add([textOf(field(prompt, 'name')) ?? '']);
  for (const role of play.roles) ofRole(names, role);
  for (const entry of play.varsFiles) ofVarsFile(names, entry, play, sources);
}

function ofVarsFile(names: Names, entry: Node, play: Play, sources: Sources): void {
  for (const node of listed(entry)) {
    if (!node.literal) names.open = true;
    const path = node.literal ? varsFilePath(textOf(node) ?? '', play.file, sources) : undefined;
    if (path) names.add(sources.yaml(path).entries?.keys());
  }
}

function ofRole(names: Names, role: Role): void {
  for (const node of [role.defaults, role.vars, role.params, role.entryVars]) names.add(node?.entries?.keys());
  for (const dependency of role.dependencies) ofRole(names, dependency);
}

/** Modules whose parameters become variables. */
const defining = new Set(['set_fact', 'add_host', 'set_stats']);

function ofTask(names: Names, task: Task): void {
  names.add(task.keywords.vars?.entries?.keys(), task.apply?.vars?.entries?.keys());
  names.add([
    textOf(task.register) ?? '',
    textOf(loopWord(task, 'loop_var')) ?? '',
    textOf(loopWord(task, 'index_var')) ?? '',
  ]);
  if (!defining.has(task.module)) return;
  for (const name of task.params?.entries?.keys() ?? []) {
    if (name.includes('{{')) names.open = true;
    names.add([name]);
  }
}

function loopWord(task: Task, word: string): Node | undefined {
  return task.loop?.control && field(task.loop.control, word);
}
