import type { Node } from '../core/node.ts';
import { at } from '../core/origin.ts';
import {
  evaluateCondition,
  renderNative,
  type Scope,
  TemplateError,
  Undefined,
  type Unknown,
  type Value,
} from '../jinja/index.ts';
import type { Definition, Layer } from './layer.ts';
import { type PlacedEnvironment, within } from './random-places.ts';
import { placed, renderNode } from './render.ts';

/** Names in order of precedence, rendered when they are asked for, each once. */
export class LayeredScope implements Scope {
  private ownEnv: PlacedEnvironment | undefined;
  private readonly layers: readonly Layer[];
  private readonly makeEnv: (scope: LayeredScope) => PlacedEnvironment;
  private readonly done = new Map<string, Value | undefined>();
  private readonly open = new Map<string, Definition>();

  /** `layers`: strongest first. `env` is made for this scope, so that lookups know where they are. */
  constructor(layers: readonly Layer[], env: (scope: LayeredScope) => PlacedEnvironment) {
    this.layers = layers;
    this.makeEnv = env;
  }

  /** Made when something is rendered first: many a scope is asked for values that need it not. */
  get env(): PlacedEnvironment {
    this.ownEnv ??= this.makeEnv(this);
    return this.ownEnv;
  }

  /** The same with one stronger layer. */
  above(layer: Layer): LayeredScope {
    return new LayeredScope([layer, ...this.layers], this.makeEnv);
  }

  get(name: string): Value | undefined {
    if (this.done.has(name)) return this.done.get(name);
    const found = this.find(name);
    if (!found) return undefined;
    const value = this.valueOf(name, found);
    if (this.open.size === 0 || !(value instanceof Undefined)) this.done.set(name, value);
    return value;
  }

  *names(): Iterable<string> {
    const seen = new Set<string>();
    for (const layer of this.layers)
      for (const name of layer.names()) {
        if (!seen.has(name)) yield name;
        seen.add(name);
      }
  }

  isTemplated(name: string): boolean {
    const node = this.find(name)?.node;
    return node !== undefined && !node.literal && typeof node.value === 'string';
  }

  /** The definition that counts. */
  winner(name: string): Definition | undefined {
    return this.find(name);
  }

  /** Every definition, the winning one first. */
  definitions(name: string): Definition[] {
    return this.layers.flatMap((layer) => layer.findAll?.(name) ?? layer.find(name) ?? []);
  }

  render(node: Node): Value {
    return renderNode(node, this, this.env);
  }

  condition(node: Node): boolean | Unknown {
    const verdict = () =>
      evaluateCondition(node.literal || !node.items ? node.value : this.render(node), this, this.env);
    return placed(node, () => within(this.env, () => at(node.origin), verdict));
  }

  private find(name: string): Definition | undefined {
    for (const layer of this.layers) {
      const found = layer.find(name);
      if (found) return found;
    }
    return undefined;
  }

  private valueOf(name: string, found: Definition): Value {
    if (!found.node && !found.template) return found.value as Value;
    if (found.node?.literal) return found.node.value;
    if (this.open.has(name)) throw this.circle(name, found);
    this.open.set(name, found);
    try {
      return found.node ? this.render(found.node) : this.renderValue(name, found.value as Value);
    } catch (error) {
      return undefinedOf(name, error);
    } finally {
      this.open.delete(name);
    }
  }

  /** A template that stands in no file: the value of a variable that a task set. */
  private renderValue(name: string, value: Value): Value {
    return within(
      this.env,
      () => `variable ${name}`,
      () => renderNative(value, this, this.env),
    );
  }

  private circle(name: string, found: Definition): TemplateError {
    const names = [...this.open.keys()];
    const circle = [...names.slice(names.indexOf(name)), name];
    const places = circle
      .slice(0, -1)
      .map((each) => this.open.get(each)?.node?.origin)
      .filter((origin) => origin !== undefined);
    const where = places.length ? ` (${places.map(at).join(', ')})` : '';
    const error = new TemplateError('limit', `recursive loop in variable '${name}': ${circle.join(' → ')}${where}`);
    const origin = found.node?.origin;
    return origin ? Object.assign(error, { origin: origin.file, line: origin.line, column: origin.column }) : error;
  }
}

/** A variable whose own text needs something undefined is itself undefined, as `is defined` shows. */
function undefinedOf(name: string, error: unknown): Undefined {
  if (error instanceof TemplateError && error.kind === 'undefined') return new Undefined(name, error.message);
  throw error;
}
