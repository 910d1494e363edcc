import type { Value } from '../jinja/values.ts';
import type { KpushError } from './errors.ts';
import type { Origin } from './origin.ts';

/**
 * A YAML value that knows where it was written. `value` is the whole value (Map, array or scalar, YAML 1.1 types);
 * `entries` and `items` give the parts their own origins; `source` is a scalar's text as written ("1.20", "0644").
 */
export interface Node {
  value: Value;
  origin: Origin;
  source?: string;
  /** Mappings: each key with the origin of the key itself; `key` only where it is no string (`8:`, `yes:`). */
  entries?: ReadonlyMap<string, { keyOrigin: Origin; key?: Value; node: Node }>;
  items?: readonly Node[];
  /** True when nothing in it holds `{{`, `{%` or `{#`: it is its own rendering. */
  literal: boolean;
  /** Scalars that hold a template or `k=v`: where their text stands in the file, to place what is inside. */
  raw?: RawText;
  /** Why the value cannot be had (a vaulted text without its password): thrown when it is used. */
  fault?: KpushError;
}

/** The characters of a scalar as written, quotes and block indicators included. */
export interface RawText {
  text: string;
  start: number;
  end: number;
}
