import type { EvalPoint, Evaluator } from '../core/evaluator.ts';
import type { Node } from '../core/node.ts';
import type { Keywords } from '../core/play.ts';
import type { Target } from '../core/session.ts';
import {
  evaluate,
  mergeUnknown,
  parseExpression,
  standardEnvironment,
  TemplateError,
  Tuple,
  Unknown,
  type Value,
} from '../jinja/index.ts';
import { controllerFiles } from './controller-files.ts';
import { identityOf, keywordText, reachKeyword, variableText } from './identity.ts';
import { type Layer, valuesLayer } from './layer.ts';
import { itemsOf } from './lookups/place.ts';
import { omitToken } from './omit.ts';
import { within } from './random-places.ts';
import type { LayeredScope } from './scope.ts';
import { Scopes } from './scopes.ts';
import type { ResolveSettings } from './settings.ts';
import { buildTarget, type TargetQuestions, transportNamed, userOf } from './target.ts';
import { defaultTargetDefaults, type TargetDefaults } from './target-defaults.ts';

/** Evaluates nodes, conditions and variables with Ansible's precedence; pure but for reading files of the controller. */
export function createEvaluator(settings: ResolveSettings): Evaluator & { scopes: Scopes } {
  const env = standardEnvironment(settings.now ? { now: settings.now } : {});
  for (const [name, filter] of Object.entries(settings.filters ?? {})) env.filters.set(name, filter);
  const scopes = new Scopes(settings, env);
  const defaults = { ...defaultTargetDefaults(process.env), ...settings.target };
  return {
    scopes,
    value: (node, point) => (node.literal ? node.value : withoutOmit(scopes.at(point).render(node))),
    condition: (nodes, point) => allOf(nodes, scopes.at(point)),
    variable: (name, point) => scopes.at(point).get(name),
    checkVarsFiles: (point) => scopes.checkVarsFiles(point),
    lookup: (name, terms, point) => loopItems(name, terms, point, scopes),
    files: (point) => controllerFiles(scopes.lookupPlace(point)),
    identity: (keywords, point) => identity(keywords, point, scopes, defaults),
    connection: (keywords, point) => connection(keywords, point, scopes, defaults),
    target: targetOnce(scopes, defaults),
    user: (host, point) => userOf(questions(host, point, scopes), defaults),
  };
}

/** A keyword or parameter that renders to `omit` counts as not given. */
function withoutOmit(value: Value): Value {
  return value === omitToken ? null : value;
}

/** AND by Kleene's logic: one false decides; what fails behind an Unknown may never be reached and is Unknown too. */
function allOf(nodes: readonly Node[], scope: LayeredScope): boolean | Unknown {
  let open: Unknown | undefined;
  for (const node of nodes) {
    const verdict = verdictOf(node, scope, open);
    if (verdict === false) return false;
    if (verdict instanceof Unknown) open = open ? mergeUnknown(open, verdict) : verdict;
  }
  return open ?? true;
}

function verdictOf(node: Node, scope: LayeredScope, open: Unknown | undefined): boolean | Unknown {
  try {
    return scope.condition(node);
  } catch (error) {
    if (open && error instanceof TemplateError) return open;
    throw error;
  }
}

const query = parseExpression('query(kpush_lookup, *kpush_terms)');

/** What `with_NAME` loops over: the lookup's list, its strings marked as data, its tuples as lists. */
function loopItems(name: string, terms: Value, point: EvalPoint, scopes: Scopes): Value {
  if (terms instanceof Unknown) return terms;
  const asked = new Map<string, Value>([
    ['kpush_lookup', name],
    ['kpush_terms', [...(itemsOf(terms) ?? [terms])]],
  ]);
  const scope = scopes.at(point).above(valuesLayer('the terms of the loop', asked) as Layer);
  const found = within(
    scope.env,
    () => `with_${name}`,
    () => evaluate(query, scope, scope.env),
  );
  return Array.isArray(found) ? found.map((item) => (item instanceof Tuple ? [...item.items] : item)) : found;
}

function identity(keywords: Keywords, point: EvalPoint, scopes: Scopes, defaults: TargetDefaults) {
  const acting = point.delegate ?? point.host;
  const user = () => userOf(questions(acting, point, scopes), defaults);
  return identityOf(keywords, scopes.at(point), scopes.as(acting, point), user, defaults);
}

/** Only where the keyword asks for another way than the host's own; variables of the host win over keywords. */
function connection(
  keywords: Keywords,
  point: EvalPoint,
  scopes: Scopes,
  defaults: TargetDefaults,
): string | undefined {
  if (!keywords.connection) return undefined;
  const acting = point.delegate ?? point.host;
  const word = keywordText(scopes.at(point), keywords.connection);
  if (word === undefined) return undefined;
  const own = target(acting, { ...point, task: undefined }, scopes, defaults).transport;
  const asked = transportNamed(word, keywords.connection?.origin);
  const fixed = scopes
    .as(acting, point)
    .definitions('ansible_connection')
    .some((each) => each.node !== undefined);
  return asked === own || fixed ? undefined : asked;
}

/** Where the point says nothing but the play, a host is reached the same way until the inventory changes (add_host). */
function targetOnce(scopes: Scopes, defaults: TargetDefaults): Evaluator['target'] {
  const known = new WeakMap<EvalPoint['play'], Map<string, { version: number; made: Target }>>();
  return (host, point) => {
    if (!isBare(point)) return target(host, point, scopes, defaults);
    const { version } = scopes;
    const ofPlay = known.get(point.play) ?? new Map();
    known.set(point.play, ofPlay);
    const last = ofPlay.get(host);
    if (last?.version === version) return last.made;
    const made = target(host, point, scopes, defaults);
    ofPlay.set(host, { version, made });
    return made;
  };
}

/** Nothing is known of the host, and no task, block, role or loop has a say. */
function isBare({ task, state, role, delegate, checkMode, locals, ...point }: EvalPoint): boolean {
  const { facts, set, included, exposed } = state;
  const { playHosts, batch, blockVars, includeParams } = point;
  const lists = playHosts.length + batch.length + blockVars.length + includeParams.length + (exposed?.length ?? 0);
  const isNew = facts.size + set.size + included.size + locals.size + lists === 0;
  return isNew && !task && !role && !checkMode && delegate === undefined;
}

/** How to reach a host: its own variables, the play's and task's keywords, flags, ssh_config. */
function target(host: string, point: EvalPoint, scopes: Scopes, defaults: TargetDefaults): Target {
  return buildTarget(questions(host, point, scopes), defaults);
}

function questions(host: string, point: EvalPoint, scopes: Scopes): TargetQuestions {
  const scope = scopes.as(host, point);
  const given = (names: string[]) => names.filter((name) => isGiven(scope, name));
  return {
    host,
    implicitLocal: scopes.host(host).implicit === true,
    text: (...names) => variableText(scope, given(names)),
    keyword: (name) => keywordText(scope, reachKeyword(point, name)),
    origin: (...names) => given(names).flatMap((name) => scope.definitions(name)[0]?.origin ?? [])[0],
    isFile: (path) => scopes.isFile(path),
  };
}

/** Said by someone, not only by the defaults that every task sees. */
function isGiven(scope: LayeredScope, name: string): boolean {
  const first = scope.winner(name);
  return first !== undefined && first.layer !== 'how the host is reached';
}
