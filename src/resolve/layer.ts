import type { Node } from '../core/node.ts';
import type { Origin } from '../core/origin.ts';
import type { Value } from '../jinja/values.ts';
import type { VarEntries } from './inventory.ts';

/** One definition of a variable: a node to render, or a value as it is. */
export interface Definition {
  /** Where in the order of precedence it stands, in words. */
  layer: string;
  node?: Node;
  value?: Value;
  origin?: Origin;
  /** A value that is the controller's own text: templates in it are rendered. */
  template?: boolean;
}

/** One step of the order of precedence. */
export interface Layer {
  find(name: string): Definition | undefined;
  names(): Iterable<string>;
  /** A layer that stands for several: all their definitions, the winning one first. */
  findAll?(name: string): Definition[];
}

export function entriesLayer(layer: string, entries: VarEntries | undefined): Layer | undefined {
  if (!entries || entries.size === 0) return undefined;
  return {
    find(name) {
      const entry = entries.get(name);
      return entry && { layer, node: entry.node, origin: entry.keyOrigin };
    },
    names: () => entries.keys(),
  };
}

/** Several mapping nodes, weakest first, as layers from the strongest down. */
export function nodeLayers(layer: string, nodes: readonly (Node | undefined)[]): Layer[] {
  return [...nodes].reverse().flatMap((node) => entriesLayer(layer, node?.entries) ?? []);
}

export function valuesLayer(layer: string, values: ReadonlyMap<string, Value>, template = false): Layer | undefined {
  if (values.size === 0) return undefined;
  return {
    find(name) {
      const value = values.get(name);
      return value === undefined ? undefined : { layer, value, ...(template ? { template } : {}) };
    },
    names: () => values.keys(),
  };
}

/** Layers that never change as one with a single look-up. `layers`: strongest first. */
export function mergedLayer(layers: readonly Layer[]): Layer {
  if (layers.length === 1) return layers[0] as Layer;
  const first = new Map<string, Definition>();
  for (const layer of layers)
    for (const name of layer.names()) {
      const found = first.has(name) ? undefined : layer.find(name);
      if (found) first.set(name, found);
    }
  return {
    find: (name) => first.get(name),
    names: () => first.keys(),
    findAll: (name) => layers.flatMap((layer) => layer.find(name) ?? []),
  };
}
