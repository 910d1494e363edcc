import type { Node } from '../core/node.ts';
import { at } from '../core/origin.ts';
import { offsetOf, placeIn } from '../core/place.ts';
import { TaskFailure } from '../core/result.ts';
import { renderNative, type Scope, TemplateError, type Value } from '../jinja/index.ts';
import { omitToken } from './omit.ts';
import { type PlacedEnvironment, within } from './random-places.ts';

/** The node with every template in it rendered. A literal node is its own value. Throws TemplateError, placed in its file. */
export function renderNode(node: Node, scope: Scope, env: PlacedEnvironment): Value {
  if (node.literal) return node.value;
  if (node.fault) throw new TaskFailure(node.fault.message, {}, node.fault.facts.hint);
  if (node.items) return node.items.map((item) => renderNode(item, scope, env));
  if (node.entries) return renderEntries(node.entries, scope, env);
  return placed(node, () =>
    within(
      env,
      () => at(node.origin),
      () => renderNative(node.value, scope, env),
    ),
  );
}

/** An entry that renders to `omit` is left out. */
function renderEntries(entries: NonNullable<Node['entries']>, scope: Scope, env: PlacedEnvironment): Value {
  const rendered = new Map<Value, Value>();
  for (const [name, { key, node }] of entries) {
    const value = renderNode(node, scope, env);
    if (value !== omitToken) rendered.set(key === undefined ? name : key, value);
  }
  return rendered;
}

/** Runs an evaluation of the node's text; template errors get the place in the file, once. */
export function placed<T>(node: Node, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof TemplateError) place(error, node);
    throw error;
  }
}

/** Errors of variables used inside were placed where those stand; the innermost place stays. */
function place(error: TemplateError, node: Node): void {
  if (error.origin !== undefined) return;
  const text = typeof node.value === 'string' ? node.value : '';
  const { file, line, column } =
    error.line === undefined ? node.origin : placeIn(node, offsetOf(text, error.line, error.column ?? 1));
  Object.assign(error, { origin: file, line, column });
}
