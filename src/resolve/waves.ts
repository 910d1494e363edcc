import { inputError, type KpushError } from '../core/errors.ts';
import type { EvalPoint, Evaluator } from '../core/evaluator.ts';
import type { Node } from '../core/node.ts';
import type { EarlierPlay } from '../core/options.ts';
import { at } from '../core/origin.ts';
import { scalarText } from '../core/plain.ts';
import type { Play, Playbook } from '../core/play.ts';
import { toPlain, Undefined, type Value } from '../jinja/index.ts';
import { Problems } from '../load/problems.ts';
import { cutBatches } from './batches.ts';
import { type FailureBudget, failureBudget } from './budget.ts';
import type { Inventory } from './inventory.ts';
import { type PatternOptions, selectHosts } from './patterns.ts';
import type { RandomSource } from './random-places.ts';
import type { Reach } from './reach.ts';
import { shuffled } from './shuffle.ts';
import { opened } from './tags.ts';

export interface Wave {
  play: Play;
  name: string;
  hosts: string[];
  batches: string[][];
  /** Hosts wait for each other between tasks. */
  linear: boolean;
  /** any_errors_fatal. */
  fatal: boolean;
  budget?: FailureBudget;
  /** In the runs that this one goes on after: the budget counts them, too. */
  failedBefore?: readonly string[];
}

export interface WaveOptions {
  inventory: Inventory;
  evaluator: Evaluator;
  playbook: Playbook;
  /** What `reach` found: whether tasks add hosts or groups. Absent: the static tasks tell. */
  found?: Reach;
  /** Hosts that `-l` leaves; undefined: all. */
  limit?: ReadonlySet<string>;
  /** ansible.cfg's any_errors_fatal. */
  fatal?: boolean;
  /** What the runs came to that this one goes on after. */
  earlier?: readonly EarlierPlay[];
  /** As in ResolveSettings. */
  randomAt?(place: string): RandomSource;
  /** Takes what matches nothing as a warning (`--compat ansible`). */
  warn?(warning: KpushError): void;
}

export interface Waves {
  /** A play's hosts and batches when its turn comes, without the hosts that failed before. */
  wave(play: Play, failed: ReadonlySet<string>): Wave;
  /** Hosts of a pattern that are in this run (`--limit`), for gates. */
  hosts(pattern: string): string[];
  /** Looks at every play's pattern before anything runs. Throws an input error for one that matches nothing. */
  check(): void;
}

/** Cuts plays into waves and batches. Patterns of plays after an add_host or group_by may match nothing until then. */
export function createWaves(options: WaveOptions): Waves {
  const grows = mayGrow(options);
  return {
    wave: (play, failed) => waveOf(play, failed, options, grows),
    hosts: (pattern) => within(selectHosts([pattern], options.inventory, { what: 'the host pattern' }), options),
    check: () => {
      const problems = new Problems();
      for (const play of options.playbook.plays) problems.attempt(() => hostsOf(play, options, grows));
      problems.check();
    },
  };
}

/** Under an include that shows its file only when it runs, hosts may come from anywhere. */
function mayGrow({ playbook, found }: WaveOptions): boolean {
  if (found) return found.open || found.tasks.some(({ task }) => addsHosts(task));
  return playbook.plays.some((play) => [...play.tasks, ...play.handlers].flatMap(opened).some(addsHosts));
}

function addsHosts({ module }: { module: string }): boolean {
  return module === 'add_host' || module === 'group_by';
}

function waveOf(play: Play, failed: ReadonlySet<string>, options: WaveOptions, grows: boolean): Wave {
  const point = playPoint(play);
  const render = (node: Node | undefined) => (node ? options.evaluator.value(node, point) : null);
  const order = render(play.order);
  const hosts = ordered(hostsOf(play, options, grows), play, order, options).filter((host) => !failed.has(host));
  const earlier = options.earlier?.find((one) => one.at === at(play.origin));
  const whole = earlier ? withEarlier(earlier, hosts, play, order, options) : hosts;
  const domainOf = (host: string, by: string) => domain(host, by, play, options);
  const given = (node: Node | undefined) => {
    const value = render(node);
    return node && value !== null ? { node, value } : undefined;
  };
  const budget = failureBudget(whole.length, given(play.maxFailPercentage), given(play.maxFailures));
  return {
    play,
    name: scalarText(render(play.name)) ?? textOf(play.name),
    hosts: inOrderOf(whole, hosts),
    batches: (play.serial ? cutBatches(whole, render(play.serial), play.serial, domainOf) : [whole])
      .map((batch) => inOrderOf(batch, hosts))
      .filter((batch) => batch.length > 0),
    linear: scalarText(render(play.strategy)) === 'linear',
    fatal: isTrue(render(play.keywords.anyErrorsFatal)) ?? options.fatal ?? false,
    ...(budget ? { budget } : {}),
    ...(earlier ? { failedBefore: earlier.failed } : {}),
  };
}

/** Those of `all` that are among `hosts`. */
function inOrderOf(all: readonly string[], hosts: readonly string[]): string[] {
  const among = new Set(hosts);
  return all.filter((host) => among.has(host));
}

/** The hosts of a play with those that the runs before came to, in their order: batches are cut out of all. */
function withEarlier(
  earlier: EarlierPlay,
  hosts: readonly string[],
  play: Play,
  order: Value,
  options: WaveOptions,
): string[] {
  const known = new Set([...earlier.hosts, ...hosts]);
  if (scalarText(order) === 'shuffle') return [...known];
  const { limit: _limit, ...unlimited } = options;
  return ordered(hostsOf(play, unlimited, true), play, order, unlimited).filter((host) => known.has(host));
}

function hostsOf(play: Play, { inventory, evaluator, limit, warn }: WaveOptions, grows: boolean): string[] {
  const value = evaluator.value(play.hosts, playPoint(play));
  const patterns = (Array.isArray(value) ? value : [value]).map((each) => scalarText(each) ?? '');
  const lenient = warn ?? (grows ? () => undefined : undefined);
  const options: PatternOptions = {
    what: 'the host pattern',
    origin: play.hosts.origin,
    ...(lenient ? { warn: lenient } : {}),
  };
  return within(selectHosts(patterns, inventory, options), { limit });
}

function within(hosts: string[], { limit }: Pick<WaveOptions, 'limit'>): string[] {
  return limit ? hosts.filter((host) => limit.has(host)) : hosts;
}

function ordered(hosts: string[], play: Play, order: Value, options: WaveOptions): string[] {
  const word = scalarText(order) ?? 'inventory';
  if (word === 'inventory') return hosts;
  if (word === 'reverse_inventory') return [...hosts].reverse();
  if (word === 'sorted') return [...hosts].sort();
  if (word === 'reverse_sorted') return [...hosts].sort().reverse();
  if (word === 'shuffle') return shuffled(hosts, options.randomAt?.(`order of ${play.id}`));
  throw inputError(`the order '${word}' is not known`, {
    origin: play.order?.origin,
    expected: 'inventory, reverse_inventory, sorted, reverse_sorted or shuffle',
  });
}

/** A host without the variable is a domain of its own: nothing is known to fail with it. */
function domain(host: string, by: string, play: Play, { evaluator }: WaveOptions): string {
  const value = evaluator.variable(by, { ...playPoint(play), host });
  if (value === undefined || value instanceof Undefined) return `host ${host}`;
  return `domain ${JSON.stringify(toPlain(value))}`;
}

/** Where a play's own keywords are evaluated: no host's variables but what every host sees. */
export function playPoint(play: Play): EvalPoint {
  return {
    host: 'localhost',
    play,
    playHosts: [],
    playHostsAll: [],
    batch: [],
    state: { facts: new Map(), set: new Map(), included: new Map() },
    blockVars: [],
    includeParams: [],
    locals: new Map(),
    others: () => undefined,
    checkMode: false,
  };
}

function textOf(node: Node): string {
  return Array.isArray(node.value) ? node.value.map(String).join(',') : String(node.value);
}

function isTrue(value: Value): boolean | undefined {
  if (value === null) return undefined;
  return value === true || ['true', 'yes', 'on', '1', 'y', 't'].includes((scalarText(value) ?? '').toLowerCase());
}
