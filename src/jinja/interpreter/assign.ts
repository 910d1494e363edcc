import { typeError } from '../errors.ts';
import { Namespace } from '../objects/namespace.ts';
import { items } from '../python/sequence.ts';
import type { Target } from '../syntax/ast.ts';
import type { Value } from '../values.ts';
import type { Frame } from './frame.ts';

/** Binds a value to a name, a pattern of names, or an attribute of a namespace. */
export function assign(target: Target, value: Value, frame: Frame): void {
  if (target.kind === 'name') frame.set(target.name, value);
  else if (target.kind === 'attribute') assignAttribute(target.target, target.name, value, frame);
  else assignPattern(target.items, value, frame);
}

function assignPattern(targets: readonly Target[], value: Value, frame: Frame): void {
  const parts = items(value);
  if (parts.length !== targets.length) throw wrongCount(targets.length, parts.length);
  targets.forEach((item, i) => {
    assign(item, parts[i]!, frame);
  });
}

function assignAttribute(owner: string, name: string, value: Value, frame: Frame): void {
  const namespace = frame.get(owner);
  if (!(namespace instanceof Namespace)) throw typeError('cannot assign attribute on non-namespace object');
  namespace.attributes.set(name, value);
}

function wrongCount(wanted: number, got: number) {
  return typeError(
    got > wanted
      ? `too many values to unpack (expected ${wanted})`
      : `not enough values to unpack (expected ${wanted}, got ${got})`,
  );
}
