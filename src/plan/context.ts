import type { EvalPoint } from '../core/evaluator.ts';
import type { Keywords, Play, Task, TaskTree } from '../core/play.ts';
import { toPlain } from '../jinja/index.ts';
import type { Value } from '../jinja/values.ts';
import type { HostEnv } from './environment.ts';
import type { Context, HostState } from './state.ts';

/** What a play's tasks inherit. */
export function playContext(play: Play): Context {
  return {
    keywords: { ...play.keywords, vars: undefined },
    blockVars: [],
    includeParams: [],
    role: undefined,
    tags: tagsOf(play.keywords),
    locals: new Map(),
  };
}

/** What stands inside `tree` inherits: inner words win, conditions, tags and environments add up. */
export function within(context: Context, tree: TaskTree): Context {
  const { keywords } = tree;
  return {
    ...context,
    keywords: inherit(context.keywords, keywords),
    blockVars: keywords.vars ? [...context.blockVars, keywords.vars] : context.blockVars,
    role: tree.role ?? context.role,
    tags: [...context.tags, ...tagsOf(keywords)],
  };
}

/** A task's own view: its `vars` are the evaluator's business, so they are not added again. */
export function forTask(context: Context, task: Task): Context {
  const known = ofTasks.get(context)?.get(task);
  if (known) return known;
  const made = { ...within(context, task), blockVars: context.blockVars };
  const tasks = ofTasks.get(context) ?? new WeakMap<Task, Context>();
  ofTasks.set(context, tasks.set(task, made));
  return made;
}

/** A task is planned more than once: for each item of a loop, ahead of its time, after a trip. */
const ofTasks = new WeakMap<Context, WeakMap<Task, Context>>();

export function inherit(outer: Keywords, inner: Keywords): Keywords {
  const set = Object.fromEntries(Object.entries(inner).filter(([, value]) => value !== undefined));
  return {
    ...outer,
    ...set,
    when: joined(outer.when, inner.when),
    environment: joined(outer.environment, inner.environment),
    tags: undefined,
    vars: undefined,
  };
}

function joined<T>(outer: T[] | undefined, inner: T[] | undefined): T[] | undefined {
  return outer && inner ? [...outer, ...inner] : (outer ?? inner);
}

export function tagsOf(keywords: Keywords): string[] {
  return (keywords.tags ?? []).flatMap((node) => {
    const plain = toPlain(node.value);
    return (Array.isArray(plain) ? plain : String(plain).split(',')).map((tag) => String(tag).trim());
  });
}

/** Where a task is evaluated. `locals` of the instance stand over those of includes and rescue sections. */
export function pointFor(
  state: HostState,
  env: HostEnv,
  context: Context,
  task: Task | undefined,
  locals: ReadonlyMap<string, Value>,
): EvalPoint {
  const { run, tools } = env;
  return {
    host: env.host,
    play: run.play,
    get playHosts() {
      return run.hosts();
    },
    playHostsAll: run.hostsAll,
    get batch() {
      const live = new Set(run.hosts());
      return run.batch.filter((host) => live.has(host));
    },
    state: state.vars,
    blockVars: context.blockVars,
    task,
    role: context.role,
    includeParams: context.includeParams,
    locals: overlaid([state.locals, context.locals, locals]),
    others: (host) => env.others(host, state),
    checkMode: tools.options.checkMode,
  };
}

const none: ReadonlyMap<string, Value> = new Map();

/** Later maps win. Most are empty: then nothing is copied. */
function overlaid(maps: readonly ReadonlyMap<string, Value>[]): ReadonlyMap<string, Value> {
  const filled = maps.filter(({ size }) => size > 0);
  return filled.length > 1 ? new Map(filled.flatMap((map) => [...map])) : (filled[0] ?? none);
}
