import {
  type Act,
  type Case,
  canonical,
  flatten,
  isBlock,
  isInclude,
  type Node,
  type Place,
  type Spec,
} from './case.ts';

/** What a task says is true when it has run: a claim on each thing it decides. Two tasks that differ about one contradict. */
type Claims = Map<string, string>;

/** The case without tasks that contradict an earlier one, and without conditions that the run itself may change. */
export function withoutContradictions(spec: Case): Case {
  const judge = new Judge(spec);
  const tasks = spec.tasks.flatMap((node) => judge.kept(node));
  const handlers = spec.handlers.filter((handler) => judge.allows(handler));
  return { ...spec, tasks, handlers };
}

class Judge {
  private readonly claims: Claims = new Map();
  /** Paths that some task writes: whether they exist is no stable condition. */
  private readonly touched: string[];

  constructor(spec: Case) {
    this.touched = [...flatten(spec.tasks), ...spec.handlers].flatMap((one) => places(one).map(canonical));
  }

  kept(node: Node): Node[] {
    const part = (nodes: Node[]) => nodes.flatMap((one) => this.kept(one));
    if (isInclude(node)) {
      const include = part(node.include);
      return include.length > 0 ? [{ ...steady(node), include }] : [];
    }
    if (!isBlock(node)) return this.allows(node) ? [steady(node)] : [];
    const block = part(node.block);
    if (block.length === 0) return [];
    const rescue = part(node.rescue);
    // A block that had a rescue keeps one, else most playbooks would end at their first failure.
    return [{ ...steady(node), block, rescue: rescue.length > 0 ? rescue : [somehow], always: part(node.always) }];
  }

  allows(spec: Spec): boolean {
    if (isVolatile(spec) || this.restsOnTouched(spec.act)) return false;
    const claims = places(spec).length > 1 ? merged(spec) : claimsOf(spec.act);
    for (const [thing, value] of claims) if ((this.claims.get(thing) ?? value) !== value) return false;
    for (const [thing, value] of claims) this.claims.set(thing, value);
    return true;
  }

  private restsOnTouched(act: Act): boolean {
    if (act.do !== 'stat') return false;
    const path = canonical(act.at);
    return this.touched.some((one) => one === path || one.startsWith(`${path}/`) || path.startsWith(`${one}/`));
  }
}

const somehow: Spec = { act: { do: 'fact', value: { say: 'rescued' } } };

/** `not changed` is true only when there is nothing to do. */
function steady<T extends { when?: Spec['when'] }>(spec: T): T {
  return spec.when?.on === 'changed' && spec.when.not ? { ...spec, when: undefined } : spec;
}

/** What a second run sees differently: printed text stays unknown, recurse speaks about what others make. */
function isVolatile({ act, judged }: Spec): boolean {
  if (judged === 'changed' || (act.do === 'dir' && act.recurse === true)) return true;
  if ((act.do === 'copy' || act.do === 'template') && 'slurped' in act.text) return true;
  return ['remote', 'hard', 'assert', 'replace', 'find', 'slurp'].includes(act.do);
}

function merged(spec: Spec): Claims {
  const all = places(spec).map((at) => claimsOf({ ...spec.act, at } as Act));
  return new Map(all.flatMap((claims) => [...claims]));
}

/** The places a task is about: the items of its loop, or its own. */
export function places(spec: Spec): Place[] {
  if (spec.loop) return spec.loop;
  return 'at' in spec.act ? [spec.act.at] : [];
}

function claimsOf(act: Act): Claims {
  const about = (at: Place, kind: string, more: Record<string, string | undefined> = {}): Claims => {
    const path = canonical(at);
    const above = ancestors(path).map((one) => [one, 'dir'] as const);
    const details = Object.entries(more).flatMap(([name, value]) =>
      value === undefined ? [] : [[`${path}#${name}`, value] as const],
    );
    const account = more.owner === 'own' ? (['user', 'group'] as const).map((one) => [one, 'present'] as const) : [];
    return new Map<string, string>([...above, [path, kind], ...details, ...account]);
  };
  switch (act.do) {
    case 'dir':
      return about(act.at, 'dir', { mode: act.mode, owner: act.owner });
    case 'absent':
      return about(act.at, 'absent');
    case 'copy':
      if (act.force === false) return about(act.at, 'file');
      return about(act.at, 'file', { content: JSON.stringify(act.text), mode: act.mode, owner: act.owner });
    case 'template':
      return about(act.at, 'file', { content: `template ${JSON.stringify(act.text)}`, mode: act.mode });
    case 'tree':
      return new Map(
        ['f', 'g'].flatMap((name) => [
          ...about({ ...act.at, rel: join(act.at.rel, name) }, 'file', { content: `tree ${name}`, mode: act.mode }),
        ]),
      );
    case 'line':
      return about(act.at, 'file', {
        content: 'lines',
        [`line ${act.key}`]: act.gone ? 'gone' : act.value,
        mode: act.gone ? undefined : act.mode,
      });
    case 'insert':
      return about(act.at, 'file', { content: 'lines', [`block ${act.mark}`]: act.gone ? 'gone' : act.value });
    case 'ini':
      return about(act.at, 'file', {
        content: 'ini',
        [`option ${act.key}`]: act.gone ? 'gone' : act.value,
        mode: act.gone ? undefined : act.mode,
      });
    case 'sysctl':
      return about(act.at, 'file', { content: 'sysctl', [`key ${act.key}`]: act.gone ? 'gone' : act.value });
    case 'cron':
      return about(act.at, act.gone ? 'absent' : 'file', {
        content: 'cron',
        [`job ${act.job}`]: act.gone ? 'gone' : act.minute,
        // A table is made with this mode; another's say would not last.
        mode: 'cron',
      });
    case 'unpack': {
      const mode = act.mode ?? 'packed';
      const below = (name: string) => ({ ...act.at, rel: join(act.at.rel, name) });
      const files = ['f', 'g', 's/f'].flatMap((name) => [
        ...about(below(name), 'file', { content: `packed ${name}`, mode, time: 'packed', owner: 'packed' }),
      ]);
      return new Map([...files, ...about(below('s'), 'dir', { mode, owner: 'packed' })]);
    }
    case 'fetch':
      return about(act.at, 'file', {
        content: act.checked ? JSON.stringify({ say: act.text }) : `fetched ${act.text}`,
        mode: act.mode,
      });
    case 'package':
      return new Map([
        [`package ${act.name}`, act.gone ? 'absent' : 'present'],
        ...(act.name === 'b' && !act.gone ? [['package a', 'present'] as const] : []),
        ...(act.name === 'a' && act.gone ? [['package b', 'absent'] as const] : []),
      ]);
    case 'keep':
      return new Map(
        Object.entries({
          [`unit ${act.unit}`]: act.kind,
          [`unit ${act.unit} nice`]: act.nice,
          [`service ${act.unit} state`]: act.state,
          [`service ${act.unit} enabled`]: act.enabled,
        }).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as const])),
      );
    case 'link':
      return about(act.at, `link ${act.to}`);
    case 'touch':
      return about(act.at, 'file', { time: 'now' });
    case 'create':
      return about(act.at, 'file');
    case 'attr':
      return new Map([[`${canonical(act.at)}#mode`, act.mode]]);
    case 'unit':
      return new Map([[`unit ${act.unit}`, act.kind]]);
    case 'service':
      return new Map(
        Object.entries({ state: act.state === 'restarted' ? 'started' : act.state, enabled: act.enabled })
          .filter(([, value]) => value !== undefined)
          .map(([name, value]) => [`service ${act.unit} ${name}`, String(value)]),
      );
    case 'group':
      return new Map([['group', act.gone ? 'absent' : 'present']]);
    case 'user': {
      // A user's own group comes and goes with it.
      const state = act.gone ? 'absent' : 'present';
      const shell = act.shell && !act.gone ? [['shell', act.shell] as const] : [];
      return new Map<string, string>([['user', state], ['group', state], ...shell]);
    }
    default:
      return new Map();
  }
}

function join(rel: string, name: string): string {
  return rel === '' ? name : `${rel}/${name}`;
}

function ancestors(path: string): string[] {
  const names = path.split('/');
  return names.slice(1).map((_, at) => names.slice(0, at + 1).join('/'));
}

/** What a task reads or writes, as words; two tasks with a word in common depend on one another. */
export function resources(spec: Spec): string[] {
  const { act } = spec;
  const paths = places(spec).map(canonical);
  const from = act.do === 'remote' ? [canonical(act.from)] : act.do === 'hard' ? [canonical(act.to)] : [];
  const target = act.do === 'link' ? [canonical({ view: act.at.view, rel: act.to })] : [];
  const account = 'owner' in act && act.owner === 'own' ? ['account'] : [];
  const unit = 'unit' in act ? [`unit ${act.unit}`] : [];
  const packages = act.do === 'package' ? ['package'] : [];
  const self = act.do === 'user' || act.do === 'group' ? ['account'] : [];
  return [...paths, ...from, ...target, ...account, ...unit, ...packages, ...self];
}

/** Whether what the later task finds or does depends on the earlier: the same thing, one above the other, or its result. */
export function dependent(earlier: Spec, later: Spec, refers: boolean): boolean {
  if (refers) return true;
  const near = (a: string, b: string) => a === b || b.startsWith(`${a}/`) || a.startsWith(`${b}/`);
  return resources(earlier).some((a) => resources(later).some((b) => near(a, b)));
}
