import fc from 'fast-check';
import type {
  Act,
  Block,
  Case,
  Condition,
  Include,
  Node,
  Place,
  Spec,
  StartItem,
  Text,
  Unit,
  UnitKind,
  View,
} from './case.ts';
import { withoutContradictions } from './claims.ts';
import { tidied } from './tidy.ts';

/** Playbooks of at least five tasks that tread on each other's toes, over hosts on which some of it is there already. */
export function cases(): fc.Arbitrary<Case> {
  return fc
    .record({
      start: fc.array(startItem(), { maxLength: 8 }),
      tasks: fc.array(node(), { minLength: 6, maxLength: 12 }),
      handlers: fc.array(handler(), { minLength: 3, maxLength: 3 }),
      split: fc.nat({ max: 30 }),
      convergent: weighted([3, fc.constant(true)], [2, fc.constant(false)]),
      views: fc.constantFrom<View[]>(['B'], ['B'], ['L', 'U'], ['R', 'V']),
      gather: weighted([4, fc.constant(false)], [1, fc.constant(true)]),
      login: weighted<Case['login']>([3, fc.constant('root')], [1, fc.constant('deploy')]),
      tidy: weighted([6, fc.constant(true)], [1, fc.constant(false)]),
    })
    .map(({ views, tidy, ...spec }) => finished(within(spec, views), tidy))
    .filter(({ tasks }) => tasks.length >= 5);
}

/** One case in four has packages: what they bring is unknown beforehand, and apt takes its time. */
function finished(spec: Case, tidy: boolean): Case {
  // A start link other than `l` makes two names one; which tasks contradict each other then is more than the claims know.
  const start = spec.convergent ? spec.start.filter((item) => item.is !== 'link' || item.at.rel === 'l') : spec.start;
  const settled = (one: Case) => (one.convergent ? withoutContradictions(one) : one);
  const first = settled({ ...spec, start });
  return tidy ? settled({ ...first, tasks: tidied(first.start, first.tasks) }) : first;
}

/** All places under these views, so that the tasks of a case meet. */
function within(spec: Case, views: View[]): Case {
  const order: View[] = ['B', 'U', 'L', 'R', 'V'];
  const real: Record<string, View> = { L: 'U', V: 'R' };
  const mapped = (value: unknown, start: boolean): unknown => {
    if (Array.isArray(value)) return value.map((one) => mapped(one, start));
    if (typeof value !== 'object' || value === null) return value;
    if ('view' in value && 'rel' in value) {
      const view = views[order.indexOf(value.view as View) % views.length]!;
      return { view: start ? (real[view] ?? view) : view, rel: value.rel };
    }
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mapped(one, start)]));
  };
  const { start, ...rest } = spec;
  return { ...(mapped(rest, false) as Omit<Case, 'start'>), start: mapped(start, true) as StartItem[] };
}

function weighted<T>(...choices: [number, fc.Arbitrary<T>][]): fc.Arbitrary<T> {
  return fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));
}

const oneOf = <T>(...values: T[]) => fc.constantFrom(...values);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const view = () => oneOf<View>('B', 'U', 'L', 'R', 'V');

/** Few names, so that tasks meet: directories, files in them, and the same through the link `l`. */
function directory(): fc.Arbitrary<Place> {
  return fc.record({
    view: view(),
    rel: weighted([8, fc.constant('a')], [3, fc.constant('a/s')], [1, fc.constant('b')], [1, fc.constant('a/t/d')]),
  });
}

function file(): fc.Arbitrary<Place> {
  return fc.record({
    view: view(),
    rel: weighted(
      [8, fc.constant('a/f')],
      [2, fc.constant('a/g')],
      [2, fc.constant('a/s/f')],
      [1, fc.constant('f')],
      [1, fc.constant('b/f')],
      [3, fc.constant('l/f')],
    ),
  });
}

/** Places of links to `g` beside them; one that leads to itself would be a case of its own. */
const notG = () => file().filter(({ rel }) => !rel.endsWith('g'));
const anything = () => weighted([1, directory()], [2, file()]);
const fileMode = () => oneOf('0644', '0600', '0755', 'u=rw,g=r,o=', 'a+x');
const dirMode = () => oneOf('0755', '0700', '2775', 'u=rwx,g=rx,o=');
const owner = () => weighted([3, fc.constant('daemon')], [1, fc.constant('root')], [1, fc.constant('own')]);

function text(): fc.Arbitrary<Text> {
  return weighted<Text>(
    [8, oneOf('one', 'two', 'x=1').map((say) => ({ say }))],
    [2, fc.constant({ fact: true })],
    [1, fc.constant({ printed: true })],
    [1, fc.constant({ slurped: true })],
    [1, fc.constant({ host: true })],
  );
}

function act(): fc.Arbitrary<Act> {
  const named = <K extends Act['do']>(name: K) => fc.constant(name);
  return weighted<Act>(
    [6, fc.record({ do: named('dir'), at: directory(), mode: maybe(dirMode()), owner: maybe(owner()) })],
    [
      1,
      fc.record({
        do: named('dir'),
        at: directory(),
        mode: maybe(oneOf('0755', 'u=rwX,g=rX,o=rX')),
        owner: owner(),
        recurse: fc.constant(true),
      }),
    ],
    [3, fc.record({ do: named('absent'), at: anything() })],
    [
      8,
      fc.record({
        do: named('copy'),
        at: file(),
        text: text(),
        mode: maybe(fileMode()),
        owner: maybe(owner()),
        force: maybe(fc.boolean()),
      }),
    ],
    [2, fc.record({ do: named('template'), at: file(), text: text(), mode: maybe(fileMode()) })],
    [1, fc.record({ do: named('tree'), at: directory(), mode: maybe(fileMode()) })],
    [1, fc.record({ do: named('remote'), from: file(), at: file() })],
    [
      5,
      fc.record({
        do: named('line'),
        at: file(),
        key: oneOf('x', 'y'),
        value: oneOf('1', '2'),
        gone: maybe(oneOf(true, false, false)),
        create: fc.boolean(),
        mode: maybe(fileMode()),
      }),
    ],
    [
      2,
      fc.record({
        do: named('link'),
        at: fc.record({ view: view(), rel: fc.constant('l') }),
        to: fc.constant('a'),
        force: maybe(fc.constant(true)),
      }),
    ],
    [1, fc.record({ do: named('link'), at: notG(), to: oneOf('g', 'nowhere'), force: maybe(fc.boolean()) })],
    [1, fc.record({ do: named('hard'), at: file(), to: file() })],
    [2, fc.record({ do: named('touch'), at: file(), preserve: fc.boolean() })],
    [3, fc.record({ do: named('attr'), at: anything(), mode: fileMode() })],
    [1, fc.record({ do: named('create'), at: file() })],
    [
      2,
      fc.record({
        do: named('insert'),
        at: file(),
        mark: oneOf('first', 'second'),
        value: oneOf('1', '2'),
        gone: maybe(oneOf(true, false, false)),
        create: fc.boolean(),
      }),
    ],
    [1, fc.record({ do: named('replace'), at: file(), from: oneOf('one', '^x=.*$'), to: oneOf('two', 'x=3') })],
    [
      2,
      fc.record({
        do: named('ini'),
        at: file(),
        key: oneOf('x', 'y'),
        value: oneOf('1', '2'),
        gone: maybe(oneOf(true, false, false)),
        mode: maybe(fileMode()),
      }),
    ],
    [
      1,
      fc.record({
        do: named('sysctl'),
        at: file(),
        key: oneOf('ip_forward', 'tcp_keepalive_time'),
        value: oneOf('0', '1'),
        gone: maybe(oneOf(true, false, false)),
      }),
    ],
    [
      1,
      fc.record({
        do: named('cron'),
        at: file(),
        job: oneOf('one', 'two'),
        minute: oneOf('1', '2'),
        gone: maybe(oneOf(true, false, false)),
      }),
    ],
    [1, fc.record({ do: named('unpack'), at: directory(), mode: maybe(fc.constant('u=rwX,g=rX,o=')) })],
    [
      2,
      fc.record({
        do: named('fetch'),
        at: file(),
        text: oneOf('one', 'two', 'x=1'),
        checked: oneOf(true, true, true, false),
        mode: maybe(fileMode()),
      }),
    ],
    [1, fc.record({ do: named('find'), at: directory() })],
    [1, fc.record({ do: named('slurp'), at: file() })],
    [
      1,
      fc.record({
        do: named('keep'),
        unit: unit(),
        kind: unitKind(),
        nice: maybe(oneOf('1', '2')),
        state: maybe(oneOf<'started' | 'stopped'>('started', 'stopped')),
        enabled: maybe(fc.boolean()),
        restart: maybe(fc.boolean()),
      }),
    ],
    [1, fc.record({ do: named('package'), name: oneOf<'a' | 'b'>('a', 'b'), gone: maybe(oneOf(true, false)) })],
    [1, fc.record({ do: named('debug'), text: text() })],
    [1, fc.record({ do: named('flush') })],
    [1, fc.record({ do: named('run'), silent: oneOf(true, true, false) })],
    [1, fc.record({ do: named('unit'), unit: unit(), kind: unitKind() })],
    [
      1,
      fc.record({
        do: named('service'),
        unit: unit(),
        state: maybe(oneOf<'started' | 'stopped' | 'restarted'>('started', 'stopped', 'restarted')),
        enabled: fc.boolean(),
        reload: maybe(fc.boolean()),
      }),
    ],
    [1, fc.record({ do: named('group'), gone: maybe(fc.boolean()) })],
    [1, fc.record({ do: named('user'), gone: maybe(fc.boolean()), shell: maybe(oneOf('/bin/sh', '/bin/false')) })],
    [2, fc.record({ do: named('fact'), value: oneOf('one', 'two').map((say) => ({ say })) })],
    [3, fc.record({ do: named('stat'), at: anything() })],
  );
}

const unit = () => oneOf<Unit>('u', 'v');
const unitKind = () => oneOf<UnitKind>('stays', 'ends', 'simple');

function condition(): fc.Arbitrary<Condition> {
  const back = fc.nat({ max: 3 });
  return fc.oneof(
    fc.record({ on: fc.constant('changed' as const), back, not: maybe(fc.boolean()) }),
    fc.record({ on: fc.constant('exists' as const), back, not: maybe(fc.boolean()) }),
    fc.record({ on: fc.constant('fact' as const), back, is: oneOf('one', 'two') }),
  );
}

function spec(): fc.Arbitrary<Spec> {
  const plain = fc.record({
    act: act(),
    register: oneOf(true, true, false),
    when: weighted([3, fc.constant(undefined)], [2, condition()]),
    notify: weighted([4, fc.constant(undefined)], [1, fc.nat({ max: 2 })]),
    judged: weighted<Spec['judged']>([14, fc.constant(undefined)], [1, oneOf('unchanged', 'changed', 'failed')]),
    ignore: weighted([10, fc.constant(undefined)], [1, fc.constant(true)]),
    until: weighted([10, fc.constant(undefined)], [1, fc.constant(true)]),
  });
  const looped = fc.record({
    act: act().filter((one) => loops.has(one.do)),
    loop: fc.array(file(), { minLength: 2, maxLength: 3 }),
    register: fc.boolean(),
    again: maybe(fc.constant(true)),
    notify: weighted([4, fc.constant(undefined)], [1, fc.nat({ max: 2 })]),
  });
  return weighted<Spec>([9, plain.map(plainFlush)], [1, looped]);
}

const loops = new Set<Act['do']>(['copy', 'absent', 'line', 'touch', 'attr', 'stat', 'ini', 'insert', 'fetch']);

/** A flush takes no keywords but a condition. */
function plainFlush(spec: Spec): Spec {
  return spec.act.do === 'flush' ? { act: spec.act } : spec;
}

function node(depth = 0): fc.Arbitrary<Node> {
  const one = () => (depth < 1 ? weighted<Node>([8, spec()], [1, node(depth + 1)]) : spec());
  const some = (least: number) => fc.array(one(), { minLength: least, maxLength: 2 });
  const when = weighted([5, fc.constant(undefined)], [1, condition()]);
  const stop = weighted<Spec[]>(
    [2, fc.constant([])],
    [1, fc.constant([{ act: { do: 'fail' } }])],
    [1, fc.constant([{ act: { do: 'assert' } }])],
  );
  const block = fc
    .record({ block: some(1), stop, rescue: some(1), always: some(0), when })
    .map(({ stop, ...rest }): Block => ({ ...rest, block: [...rest.block, ...stop] }));
  const include: fc.Arbitrary<Include> = fc
    .record({
      include: some(1),
      imported: fc.boolean(),
      when,
      times: weighted([3, fc.constant(undefined)], [1, fc.constant(2)]),
    })
    .map(({ times, ...rest }) => (rest.imported || times === undefined ? rest : { ...rest, times }));
  return weighted<Node>([16, spec()], [2, block], [1, include]);
}

function handler(): fc.Arbitrary<Spec> {
  const acts = act().filter((one) => ['copy', 'line', 'touch', 'service', 'dir', 'run'].includes(one.do));
  return fc.record({ act: acts, notify: weighted([3, fc.constant(undefined)], [1, fc.nat({ max: 2 })]) });
}

function startItem(): fc.Arbitrary<StartItem> {
  const named = <K extends StartItem['is']>(name: K) => fc.constant(name);
  const real = (places: fc.Arbitrary<Place>) =>
    places.map(({ view, rel }) => ({ view, rel: rel.startsWith('l/') ? `a/${rel.slice(2)}` : rel }));
  const owned = oneOf('root', 'root', 'daemon');
  return weighted<StartItem>(
    [
      6,
      fc.record({
        is: named('dir'),
        at: directory(),
        mode: oneOf(0o755, 0o700, 0o2755),
        owner: owned,
      }),
    ],
    [
      6,
      fc.record({
        is: named('file'),
        at: real(file()),
        text: oneOf('one\n', 'two\n', 'x=1\ny=2\n', 'x=2', ''),
        mode: oneOf(0o644, 0o600),
        owner: owned,
      }),
    ],
    [
      2,
      fc.record({
        is: named('link'),
        at: fc.record({ view: view(), rel: fc.constant('l') }),
        to: fc.constant('a'),
      }),
    ],
    [1, fc.record({ is: named('link'), at: real(notG()), to: oneOf('g', 'nowhere') })],
    [1, fc.record({ is: named('unit'), unit: unit(), kind: unitKind(), running: fc.boolean(), enabled: fc.boolean() })],
    [1, fc.record({ is: named('package'), name: oneOf<'a' | 'b'>('a', 'b') })],
    [1, fc.record({ is: named('user') })],
    [1, fc.record({ is: named('group') })],
  );
}
