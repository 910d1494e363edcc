import type { EvalPoint } from '../core/evaluator.ts';
import { type Environment, Float, Tuple, Unsafe, type Value } from '../jinja/index.ts';

/** Gives `count` bytes, other ones at each call. */
export type RandomSource = (count: number) => Uint8Array;

/** An environment whose random bytes depend on the place that is being rendered. */
export interface PlacedEnvironment extends Environment {
  within?<T>(place: () => string, work: () => T): T;
}

/**
 * Random bytes of a point: each place in the files has a stream of its own that begins anew whenever the place is
 * rendered. So a task that is planned again, or applied after its plan, renders the same; two places, hosts or items
 * of a loop differ.
 */
export function randomPlaces(
  sourceAt: (place: string) => RandomSource,
  point: EvalPoint,
): Required<Pick<PlacedEnvironment, 'randomBytes' | 'within'>> {
  let place: () => string = () => '';
  let source: RandomSource | undefined;
  return {
    randomBytes(count) {
      source ??= sourceAt(`${pointKey(point)}\n${place()}`);
      return source(count);
    },
    within(inner, work) {
      const outer = { place, source };
      [place, source] = [inner, undefined];
      try {
        return work();
      } finally {
        ({ place, source } = outer);
      }
    },
  };
}

/** Runs `work` as the rendering of a place. */
export function within<T>(env: PlacedEnvironment, place: () => string, work: () => T): T {
  return env.within ? env.within(place, work) : work();
}

/** Who renders: play, task, host, and the turn of each loop around it. */
function pointKey({ play, task, host, locals }: EvalPoint): string {
  const turns = [...locals].map(([name, value]) => `${name}=${keyOf(value)}`);
  return [play.id, task?.id ?? '', host, ...turns].join('\n');
}

/** Objects of the engine's own add nothing: what they stand for is in the other locals. */
function keyOf(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(keyOf).join()}]`;
  if (value instanceof Map) return `{${[...value].map(([key, item]) => `${keyOf(key)}:${keyOf(item)}`).join()}}`;
  if (value instanceof Tuple) return keyOf([...value.items]);
  if (value instanceof Unsafe) return keyOf(value.text);
  if (value instanceof Float) return `${value.value}.0`;
  return typeof value === 'string' ? JSON.stringify(value) : typeof value === 'object' ? '' : String(value);
}
