import { paramNames } from '../core/coerce.ts';
import { inputError } from '../core/errors.ts';
import { nearest } from '../core/nearest.ts';
import type { Node } from '../core/node.ts';
import type { Origin } from '../core/origin.ts';
import { isModule, moduleNames } from './builtins.ts';
import { unknownKeyword } from './check-keyword.ts';
import type { Loading } from './context.ts';
import { field, isTemplated, made, mapping, textOf, wrongType } from './expect.ts';
import { idleKeywords, innerKeywords, taskKeywords } from './keywords.ts';
import { parseKeyValues } from './kv.ts';
import { freeTextOptions, shortName, takesFreeText } from './names.ts';

/** Which module a task calls, and with what. */
export interface Action {
  module: string;
  written: string;
  origin: Origin;
  params?: Node;
  freeForm?: Node;
  /** `local_action`: the task is delegated to localhost. */
  local: boolean;
}

interface Candidate {
  written: string;
  origin: Origin;
  node: Node;
}

/** The action of a task mapping. Throws an input error for none, two, or parameters that are no parameters. */
export function actionOf(task: Node, loading: Loading): Action {
  const { candidate, local } = pick(task, loading);
  const module = shortName(candidate.written);
  const { params, freeForm } = argumentsOf(candidate, module);
  const args = field(task, 'args');
  if (args && !args.entries && args.value !== null) throw wrongType(args, 'args', 'a mapping of parameters');
  const all = merge(args, params, task.origin);
  return { module, written: candidate.written, origin: candidate.origin, params: all, freeForm, local };
}

export function isTaskKeyword(name: string): boolean {
  return name in taskKeywords || name in innerKeywords || name.startsWith('with_') || idleKeywords.has(name);
}

function taskWords(): string[] {
  return [...Object.keys(taskKeywords), ...Object.keys(innerKeywords), 'with_items'];
}

function pick(task: Node, loading: Loading): { candidate: Candidate; local: boolean } {
  const legacy = ['action', 'local_action'].flatMap((name) => legacyAction(task, name));
  const found = [...legacy, ...direct(task)];
  const known = found.filter(
    (candidate) => legacy.includes(candidate) || isModule(shortName(candidate.written), loading),
  );
  const [first, second] = known;
  if (first && second) throw twoModules(first, second);
  const candidate = first ?? onlyOne(found, task, loading);
  for (const other of found) if (other !== candidate) loading.problems.add(misplaced(other, candidate, loading));
  return { candidate, local: field(task, 'local_action') !== undefined };
}

function direct(task: Node): Candidate[] {
  return [...(task.entries ?? [])]
    .filter(([name]) => !isTaskKeyword(name) && name !== 'unless' && name !== 'only_if')
    .map(([written, { keyOrigin, node }]) => ({ written, origin: keyOrigin, node }));
}

/** `action: copy src=a dest=b` or `action: {module: copy, src: a}`. */
function legacyAction(task: Node, name: string): Candidate[] {
  const entry = task.entries?.get(name);
  if (!entry) return [];
  const text = textOf(entry.node);
  if (text !== undefined) return [fromLine(entry.node, text)];
  const module = entry.node.entries?.get('module');
  const written = textOf(module?.node);
  if (!module || written === undefined)
    throw wrongType(entry.node, name, "a module with its parameters: 'copy src=a dest=b'");
  const rest = new Map([...(entry.node.entries ?? [])].filter(([key]) => key !== 'module'));
  return [{ written, origin: module.node.origin, node: mapping(rest, entry.node.origin) }];
}

function fromLine(node: Node, text: string): Candidate {
  const written = /^\s*(\S+)/.exec(text)?.[1] ?? '';
  const rest = text.slice(text.indexOf(written) + written.length).trim();
  return { written, origin: node.origin, node: { ...node, value: rest === '' ? null : rest } };
}

function onlyOne(found: Candidate[], task: Node, loading: Loading): Candidate {
  const plausible = found.filter(
    (candidate) => !nearest(candidate.written, taskWords()) || nearest(candidate.written, moduleNames(loading)),
  );
  const [candidate] = plausible;
  if (candidate && plausible.length === 1 && found.length === 1) return candidate;
  for (const other of found) loading.problems.add(misplaced(other, undefined, loading));
  throw inputError('this task calls no module', {
    origin: task.origin,
    expected: "a module with its parameters, such as 'copy: {src: a, dest: /b}'",
  });
}

function twoModules(first: Candidate, second: Candidate) {
  return inputError(`two modules stand in one task: '${first.written}' and '${second.written}'`, {
    origin: second.origin,
    expected: 'one module per task',
    hint: "begin the second task with '- name:'",
    related: [{ origin: first.origin, text: 'the first one is here' }],
  });
}

/** A key that is neither keyword nor module; often a parameter that lost its indentation. */
function misplaced(other: Candidate, action: Candidate | undefined, loading: Loading) {
  const module = action && loading.modules.find(shortName(action.written));
  if (module && paramNames(module.params).has(other.written))
    return inputError(`'${other.written}' is not a keyword of a task`, {
      origin: other.origin,
      hint: `it is a parameter of '${action.written}': indent it under it`,
    });
  const names = [...taskWords(), ...(action ? [] : moduleNames(loading))];
  return unknownKeyword(other.written, other.origin, 'a task', names);
}

function argumentsOf({ node, written }: Candidate, module: string): { params?: Node; freeForm?: Node } {
  if (node.entries) return { params: node };
  if (node.value === null) return {};
  if (node.items) throw wrongType(node, written, 'parameters as a mapping');
  const text = textOf(node) ?? (takesFreeText(module) ? (node.source ?? String(node.value)) : undefined);
  if (text === undefined) throw wrongType(node, written, 'parameters as a mapping');
  return fromText({ ...node, value: text }, text, module, written);
}

function fromText(node: Node, text: string, module: string, written: string): { params?: Node; freeForm?: Node } {
  const isOption = freeTextOptions(module);
  const parsed = isOption ? parseKeyValues(node, text, isOption) : { freeForm: node };
  if (!parsed.freeForm || takesFreeText(module)) return parsed;
  throw inputError(`'${written}' takes parameters, not a text`, {
    origin: parsed.freeForm.origin,
    expected: `'${written}: {name: value}' or '${written}: name=value'`,
    ...(isTemplated(node) ? { hint: 'write the parameters out; a template cannot stand for all of them' } : {}),
  });
}

/** The module's own parameters win over `args:`. */
function merge(args: Node | undefined, params: Node | undefined, origin: Origin): Node | undefined {
  if (!args?.entries || !params?.entries) return params ?? (args?.entries ? args : undefined);
  return mapping(new Map([...args.entries, ...params.entries]), params.origin ?? origin);
}

/** `localhost` as the host a `local_action` is delegated to. */
export function localhost(origin: Origin): Node {
  return made('localhost', origin);
}
