import type { Value } from '../jinja/values.ts';
import type { Origin } from './origin.ts';

/**
 * A YAML value that knows where it was written. `value` is the whole value (Map, array or scalar, YAML 1.1 types);
 * `entries` and `items` give the parts their own origins; `source` is a scalar's text as written ("1.20", "0644").
 */
export interface Node {
  value: Value;
  origin: Origin;
  source?: string;
  /** Mappings: each key with the origin of the key itself. */
  entries?: ReadonlyMap<string, { keyOrigin: Origin; node: Node }>;
  items?: readonly Node[];
  /** True when nothing in it holds `{{`, `{%` or `{#`: it is its own rendering. */
  literal: boolean;
}
