import type { EvalPoint } from '../core/evaluator.ts';
import type { Value } from '../jinja/index.ts';
import { variableNames } from '../resolve/explain.ts';
import type { Scopes } from '../resolve/scopes.ts';

/** Variables of a host as files set them, templates unrendered; what kpush itself defines is left out. */
export function inventoryVars(
  scopes: Scopes,
  point: EvalPoint,
  toPlain: (value: Value) => unknown,
): Record<string, unknown> {
  const scope = scopes.at(point);
  const written = variableNames(point, scopes).flatMap((name) => {
    const node = scope.definitions(name)[0]?.node;
    return node ? [[name, toPlain(node.value)] as const] : [];
  });
  return Object.fromEntries(written);
}
