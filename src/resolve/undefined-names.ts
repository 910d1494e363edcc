import { inputError } from '../core/errors.ts';
import { nearest } from '../core/nearest.ts';
import type { Node } from '../core/node.ts';
import type { Origin } from '../core/origin.ts';
import { offsetOf, placeIn } from '../core/place.ts';
import type { Playbook, Task } from '../core/play.ts';
import { type FreeName, freeNames, parseCondition, parseYamlString, TemplateError } from '../jinja/index.ts';
import { type TemplateFile, templateFile } from '../load/check-template-file.ts';
import { field } from '../load/expect.ts';
import { Problems } from '../load/problems.ts';
import type { Sources } from '../load/sources.ts';
import type { Inventory } from './inventory.ts';
import { type KnownNames, knownNames } from './known-names.ts';
import type { Reach } from './reach.ts';

export interface NameCheck {
  playbook: Playbook;
  inventory: Inventory;
  sources: Sources;
  /** What `reach` found. */
  found: Reach;
  extraVars?: Node;
}

/**
 * Finds names that tasks read and nothing in the tree can define, before anything runs. Not errors: names that are
 * asked about somewhere (`is defined`, `default()`), tasks whose failure is taken care of, and everything where an
 * include may define what cannot be seen now. Throws an input error or InputErrors.
 */
export function checkNames({ playbook, inventory, sources, found, extraVars }: NameCheck): void {
  const problems = new Problems();
  const known = knownNames(playbook, found, inventory, sources, extraVars);
  if (!known.open) {
    const uses = found.tasks.flatMap(({ task, caught, playFile }) => {
      const file = problems.attempt(() => templateFile(task, playFile, sources));
      return [...usesOf(task), ...(file ? fileUses(file) : [])].map((use) => ({ ...use, caught }));
    });
    const guarded = new Set(uses.filter((use) => use.guarded).map((use) => use.name));
    const reported = new Set<string>();
    for (const use of uses) {
      if (use.caught || guarded.has(use.name) || known.has(use.name) || reported.has(use.name)) continue;
      reported.add(use.name);
      problems.add(undefinedName(use, known));
    }
  }
  problems.check();
}

type Use = FreeName & { place(): Origin };

function undefinedName(use: Use, known: KnownNames) {
  const close = nearest(use.name, known.all());
  return inputError(`nothing defines the variable '${use.name}'`, {
    origin: use.place(),
    ...(close
      ? { nearest: close }
      : { expected: 'a variable of the inventory, the playbook, a role, a task before, or -e' }),
    hint: 'where it may be missing, say so: default(…) or is defined',
  });
}

/** What a task evaluates for sure when it runs; its `vars` are evaluated only when they are used. */
function usesOf(task: Task): Use[] {
  const { keywords, loop } = task;
  const conditions = [keywords.when, task.changedWhen, task.failedWhen, task.until].flatMap((nodes) => nodes ?? []);
  const that = task.module === 'assert' && task.params ? field(task.params, 'that') : undefined;
  const texts = [
    ...paramNodes(task),
    task.freeForm,
    loop?.node,
    keywords.delegateTo,
    keywords.becomeUser,
    ...(keywords.environment ?? []),
  ];
  return [
    ...conditions.flatMap(conditionUses),
    ...(that ? (that.items ?? [that]).flatMap(conditionUses) : []),
    ...texts.flatMap((node) => (node ? templateUses(node) : [])),
  ];
}

function paramNodes(task: Task): Node[] {
  return [...(task.params?.entries ?? [])]
    .filter(([name]) => task.module !== 'assert' || name !== 'that')
    .map(([, { node }]) => node);
}

/** Names in every template of the node. */
function templateUses(node: Node): Use[] {
  if (node.literal) return [];
  if (node.items) return node.items.flatMap(templateUses);
  if (node.entries) return [...node.entries.values()].flatMap((entry) => templateUses(entry.node));
  return namesOf(node, () => freeNames(parseYamlString(String(node.value))));
}

function conditionUses(node: Node): Use[] {
  if (typeof node.value !== 'string' || node.value.trim() === '') return [];
  return node.literal ? namesOf(node, () => freeNames(parseCondition(node.value as string))) : templateUses(node);
}

/** Names that a template file reads, beside those that the template module defines. */
function fileUses({ file, parsed }: TemplateFile): Use[] {
  return freeNames(parsed)
    .filter(({ name }) => !name.startsWith('template_') && name !== 'ansible_managed')
    .map((name) => ({ ...name, place: () => ({ file, line: name.line, column: name.column }) }));
}

/** A text that does not parse was reported when it was loaded. */
function namesOf(node: Node, names: () => FreeName[]): Use[] {
  try {
    return names().map((name) => ({
      ...name,
      place: () => placeIn(node, offsetOf(String(node.value), name.line, name.column)),
    }));
  } catch (error) {
    if (error instanceof TemplateError) return [];
    throw error;
  }
}
