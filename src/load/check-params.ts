import { checkNode } from '../core/check-node.ts';
import { inputError } from '../core/errors.ts';
import type { Action } from './action.ts';
import { findModule } from './builtins.ts';
import type { Loading } from './context.ts';
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
  if (action.freeForm && !action.params) return;
  loading.problems.add(
    inputError("'meta' takes one word", { origin: action.origin, expected: "such as 'meta: flush_handlers'" }),
  );
}
