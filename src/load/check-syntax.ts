import { type ErrorFacts, inputError, type KpushError } from '../core/errors.ts';
import type { Node } from '../core/node.ts';
import type { Origin } from '../core/origin.ts';
import { offsetOf, placeIn } from '../core/place.ts';
import {
  type ParsedExpression,
  parseCondition,
  parseYamlString,
  type Template,
  TemplateError,
  usedNames,
} from '../jinja/index.ts';
import type { Loading } from './context.ts';
import { nameLacks } from './lacks.ts';

/** Keys whose texts are bare expressions. */
const expressionKeys = new Set(['when', 'changed_when', 'failed_when', 'until', 'that', 'break_when']);
/** Keys whose content is checked where it is loaded. */
const nestedKeys = new Set(['block', 'rescue', 'always', 'tasks', 'pre_tasks', 'post_tasks', 'handlers', 'roles']);

/** Finds template syntax errors in a task, play or vars mapping before anything runs. */
export function checkSyntax(node: Node, loading: Loading): void {
  for (const [name, { node: value }] of node.entries ?? []) {
    if (nestedKeys.has(name)) continue;
    if (expressionKeys.has(name)) checkConditions(value, loading);
    else if (name === 'assert' || name.endsWith('.assert')) checkSyntax(value, loading);
    else checkTemplates(value, loading);
  }
}

/** Every text in the node that holds a template. */
export function checkTemplates(node: Node, loading: Loading): void {
  if (node.literal || loading.checked.has(node)) return;
  loading.checked.add(node);
  if (typeof node.value === 'string') attempt(node, loading, () => parseYamlString(node.value as string));
  for (const item of node.items ?? []) checkTemplates(item, loading);
  for (const { node: value } of node.entries?.values() ?? []) checkTemplates(value, loading);
}

function checkConditions(node: Node, loading: Loading): void {
  for (const item of node.items ?? [node]) {
    if (typeof item.value !== 'string' || loading.checked.has(item)) continue;
    loading.checked.add(item);
    if (!item.literal) attempt(item, loading, () => parseYamlString(item.value as string));
    else if (item.value.trim() !== '') attempt(item, loading, () => parseCondition(item.value as string));
  }
}

function attempt(node: Node, loading: Loading, parse: () => ParsedExpression | Template): void {
  try {
    const parsed = parse();
    if (loading.names) nameLacks(usedNames(parsed), (at) => placeOf(node, at), loading);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    loading.problems.add(templateProblem(error, node));
  }
}

/** A template error as an input error with its place in the file. */
export function templateProblem(error: TemplateError, node: Node, facts: ErrorFacts = {}): KpushError {
  const origin =
    error.line === undefined ? node.origin : placeOf(node, { line: error.line, column: error.column ?? 1 });
  return inputError(`template error: ${error.message}`, { origin, nearest: error.nearest, cause: error, ...facts });
}

function placeOf(node: Node, { line, column }: { line: number; column: number }): Origin {
  return placeIn(node, offsetOf(typeof node.value === 'string' ? node.value : '', line, column));
}
