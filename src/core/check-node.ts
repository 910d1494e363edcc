import { coerceParam, type ParamProblem, paramNames, problemOf, unknownParam } from './coerce.ts';
import { type ErrorFacts, inputError, type KpushError } from './errors.ts';
import type { Node } from './node.ts';
import type { Origin } from './origin.ts';
import { checkRules, type ParamRules } from './param-rules.ts';
import type { ParamSpec, ParamSpecs } from './params.ts';

/** What checking needs of a module, a gate or an action. */
export interface Parameterized {
  name: string;
  params: ParamSpecs;
  rules?: ParamRules;
  /** The parameter that free-form text fills. */
  freeForm?: string;
}

/**
 * Checks a task's parameters before anything runs: names and required ones always, values where they are literal
 * (what holds a template is checked when it is rendered). `where` is shown for what is missing.
 */
export function checkNode(
  of: Parameterized,
  node: Node | undefined,
  where: { origin: Origin; freeForm?: boolean },
): KpushError[] {
  if (node && !node.entries) return node.literal && node.value !== null ? [notMapping(of, node)] : [];
  const check = new NodeCheck(of);
  for (const [written, entry] of node?.entries ?? []) check.entry(written, entry.keyOrigin, entry.node);
  return check.finish(node?.origin ?? where.origin, where.freeForm ? of.freeForm : undefined);
}

class NodeCheck {
  private readonly errors: KpushError[] = [];
  private readonly present = new Set<string>();
  private readonly maybe = new Set<string>();
  /** Given literally: a template may render to `omit`. */
  private readonly certain = new Set<string>();
  private readonly values: Record<string, unknown>;
  private readonly names: ReadonlyMap<string, string>;
  private readonly of: Parameterized;

  constructor(of: Parameterized) {
    this.of = of;
    this.names = paramNames(of.params);
    this.values = Object.fromEntries(Object.entries(of.params).map(([name, spec]) => [name, spec.default]));
  }

  entry(written: string, keyOrigin: Origin, node: Node): void {
    const name = this.names.get(written);
    if (name === undefined) this.unknown(written, keyOrigin);
    else if (node.literal) this.literal(name, written, node);
    else {
      this.present.add(name);
      if (mayOmit(node)) this.maybe.add(name);
      this.values[name] = undefined;
      this.parts(name, written, node);
    }
  }

  finish(origin: Origin, freeForm: string | undefined): KpushError[] {
    if (freeForm) this.give(freeForm);
    for (const problem of checkRules(this.of.params, this.present, this.of.rules, this.values, this.certain))
      this.add(problem, origin);
    return this.errors;
  }

  private unknown(written: string, origin: Origin): void {
    const lacks = { kind: 'parameter' as const, name: `${this.of.name}.${written}` };
    this.add(unknownParam(this.of.name, this.of.params, written), origin, { lacks });
  }

  private give(name: string): void {
    this.present.add(name);
    this.certain.add(name);
  }

  private literal(name: string, written: string, node: Node): void {
    if (node.value === null) return;
    this.give(name);
    this.values[name] = this.attempt(name, written, this.of.params[name]!, node);
  }

  /** A list with templates in it: the literal items can be judged already. */
  private parts(name: string, written: string, node: Node): void {
    const spec = this.of.params[name]!;
    if (spec.type !== 'list' || !node.items) return;
    const item: ParamSpec = { ...spec, type: spec.elements ?? 'raw', doc: spec.doc };
    for (const part of node.items) if (part.literal) this.attempt(name, written, item, part);
  }

  private attempt(name: string, written: string, spec: ParamSpec, node: Node): unknown {
    try {
      return coerceParam(name, spec, node.value, node.source);
    } catch (error) {
      this.add(problemOf(error, name, written), node.origin);
      return undefined;
    }
  }

  private add(problem: ParamProblem, origin: Origin, facts: ErrorFacts = {}): void {
    const { message, expected, nearest, hint } = problem;
    this.errors.push(
      inputError(message, {
        origin,
        ...facts,
        ...(nearest ? { nearest } : {}),
        ...(expected && !nearest ? { expected } : {}),
        ...(hint ? { hint } : {}),
      }),
    );
  }
}

/** A template that names `omit` may give nothing. */
function mayOmit({ value }: Node): boolean {
  return typeof value === 'string' && /\bomit\b/.test(value);
}

function notMapping(of: Parameterized, node: Node): KpushError {
  return inputError(`the parameters of ${of.name} are not a mapping`, {
    origin: node.origin,
    expected: `keys such as ${Object.keys(of.params).slice(0, 3).join(', ')}`,
  });
}
