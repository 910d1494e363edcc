import { checkNode } from '../core/check-node.ts';
import { inputError } from '../core/errors.ts';
import { nearest } from '../core/nearest.ts';
import type { Node } from '../core/node.ts';
import { metaWords } from '../core/play.ts';
import type { Action } from './action.ts';
import { findModule } from './builtins.ts';
import type { Loading } from './context.ts';
import { isTemplated, wrongType } from './expect.ts';
import { openModules } from './names.ts';

/** Checks the parameters of a known module: names, required ones, literal values. */
export function checkParams(action: Action, loading: Loading): void {
  const module = findModule(action.module, loading);
  if (!module) return;
  if (action.module === 'meta') checkMeta(action, loading);
  if (action.module === 'meta' || openModules.has(action.module)) return;
  const where = { origin: action.origin, freeForm: action.freeForm !== undefined };
  for (const error of checkNode(module, action.params, where)) loading.problems.add(error);
}

function checkMeta(action: Action, loading: Loading): void {
  if (action.freeForm && !action.params) checkWord(action.freeForm, loading);
  else loading.problems.add(notOneWord(action));
}

function notOneWord({ origin }: Action) {
  return inputError("'meta' takes one word", { origin, expected: "such as 'meta: flush_handlers'" });
}

function checkWord(node: Node, loading: Loading): void {
  const word = String(node.value);
  if (isTemplated(node) || metaWords.some((known) => known === word)) return;
  const close = nearest(word, metaWords);
  loading.problems.add(
    wrongType(node, 'meta', `one of: ${metaWords.join(', ')}`, close === undefined ? {} : { nearest: close }),
  );
}
