import { createHash } from 'node:crypto';
import {
  type Act,
  accountName,
  type Case,
  type Condition,
  type Include,
  isBlock,
  isInclude,
  type Node,
  type Place,
  packageName,
  type Spec,
  type Text,
  unitName,
  unitText,
  written,
} from './case.ts';

type Yaml = Record<string, unknown>;

/** A case as files: its plays, ready to be written as YAML, and what they include. */
export interface Written {
  plays: Yaml[];
  /** Task files by name. */
  files: Record<string, Yaml[]>;
  /** The task of each name, to know what a task was meant to do. Names are `N ACT`, of handlers `handler N ACT`. */
  named: Map<string, { spec: Spec; places: Place[] }>;
  /** Which earlier tasks a task refers to by name: those whose results, facts or notice decide what it does. */
  refers: Map<string, string[]>;
}

export function playbookOf(spec: Case, id: string, host: string): Written {
  const writer = new Writer(spec, id);
  const tasks = spec.tasks.map((node) => writer.node(node));
  const handlers = spec.handlers.map((handler, at) => writer.handler(handler, at));
  const login = spec.login === 'root' ? {} : { vars: { ansible_user: spec.login }, become: true };
  const head = { hosts: host, gather_facts: spec.gather, ...login };
  const halves = [tasks.slice(0, spec.split), tasks.slice(spec.split)].filter((half) => half.length > 0);
  const { files, named, refers } = writer;
  return { plays: halves.map((half) => ({ ...head, tasks: half, handlers })), files, named, refers };
}

class Writer {
  readonly named = new Map<string, { spec: Spec; places: Place[] }>();
  readonly refers = new Map<string, string[]>();
  readonly files: Record<string, Yaml[]> = {};
  private count = 0;
  private readonly registered: { name: string; of: string; act: Act['do']; looped: boolean }[] = [];
  private readonly facts: { name: string; of: string }[] = [];
  private refs: string[] = [];
  /** Of the blocks and includes around a task. */
  private outer: string[] = [];
  private readonly notifiers = new Map<number, string[]>();

  constructor(
    private readonly spec: Case,
    private readonly id: string,
  ) {}

  node(node: Node): Yaml {
    if (isInclude(node)) return this.include(node);
    if (!isBlock(node)) return this.task(node);
    return this.under(node.when, () => ({
      block: node.block.map((one) => this.node(one)),
      ...(node.rescue.length > 0 ? { rescue: node.rescue.map((one) => this.node(one)) } : {}),
      ...(node.always.length > 0 ? { always: node.always.map((one) => this.node(one)) } : {}),
    }));
  }

  private include(node: Include): Yaml {
    const name = `${this.id}-${Object.keys(this.files).length}.yaml`;
    this.files[name] = [];
    return this.under(node.when, () => {
      this.files[name] = node.include.map((one) => this.node(one));
      if (node.imported) return { import_tasks: name };
      const loop = node.times === undefined ? {} : { loop: Array.from({ length: node.times }, (_, at) => `n${at}`) };
      return {
        name: `include ${name}`,
        include_tasks: name,
        ...loop,
        ...(node.times === undefined ? {} : { loop_control: { loop_var: 'turn' } }),
      };
    });
  }

  /** Tasks below a condition refer to what it refers to. */
  private under(condition: Condition | undefined, make: () => Yaml): Yaml {
    this.refs = [];
    const when = condition && this.condition(condition);
    const before = this.outer;
    this.outer = [...before, ...this.refs];
    const made = make();
    this.outer = before;
    return { ...made, ...(when ? { when } : {}) };
  }

  handler(spec: Spec, at: number): Yaml {
    const name = handlerName(spec, at);
    this.refs = [...(this.notifiers.get(at) ?? [])];
    const task: Yaml = { name, ...this.action(spec) };
    this.notify(task, name, spec, at + 1);
    this.note(name, spec);
    return task;
  }

  private task(spec: Spec): Yaml {
    const number = this.count++;
    const name = `${number} ${spec.act.do}`;
    this.refs = [...this.outer];
    const when = spec.when && this.condition(spec.when);
    const task: Yaml = { name, ...this.action(spec), ...(when ? { when } : {}), ...verdict(spec) };
    if (spec.loop) task.loop = this.loop(spec.loop, spec.again === true);
    this.notify(task, name, spec, 0);
    if (spec.until) Object.assign(task, { until: `r${number} is not failed`, retries: 2, delay: 0 });
    if (spec.register || spec.until) {
      task.register = `r${number}`;
      this.registered.push({ name: `r${number}`, of: name, act: spec.act.do, looped: spec.loop !== undefined });
    }
    if (spec.act.do === 'fact') this.facts.push({ name: `f${number}`, of: name });
    this.note(name, spec);
    return task;
  }

  private notify(task: Yaml, name: string, spec: Spec, least: number) {
    const at = spec.notify;
    const handler = at === undefined || at < least ? undefined : this.spec.handlers[at];
    if (!handler) return;
    task.notify = handlerName(handler, at!);
    this.notifiers.set(at!, [...(this.notifiers.get(at!) ?? []), name]);
  }

  /** The places; or the same places as items of the results of an earlier loop over as many. */
  private loop(at: readonly Place[], again: boolean): unknown {
    const before = this.registered.filter(({ looped }) => looped).at(-1);
    const places = at.map((place) => written(place, this.id));
    if (!again || !before) return places;
    this.refs.push(before.of);
    return `{{ ${JSON.stringify(places)} if (${before.name} | default({})).results | default([]) | length > 0 else [] }}`;
  }

  private note(name: string, spec: Spec) {
    this.named.set(name, { spec, places: spec.loop ?? ('at' in spec.act ? [spec.act.at] : []) });
    this.refers.set(name, this.refs);
  }

  private condition(condition: Condition): string | undefined {
    if (condition.on === 'fact') {
      const fact = this.facts.at(-1 - condition.back);
      return fact && this.referTo(fact.of, `${fact.name} | default('') == '${condition.is}'`);
    }
    const wanted = this.registered.filter(({ act }) => (condition.on === 'exists') === (act === 'stat'));
    const one = wanted.at(-1 - condition.back);
    if (!one) return undefined;
    const not = condition.not ? 'not ' : '';
    return this.referTo(
      one.of,
      condition.on === 'changed'
        ? `(${one.name} | default({'changed': false})) is ${not}changed`
        : `${not}((${one.name} | default({})).stat | default({})).exists | default(false)`,
    );
  }

  private referTo(task: string, expression: string): string {
    this.refs.push(task);
    return expression;
  }

  private text(text: Text): string {
    if ('say' in text) return `${text.say}\n`;
    if ('fact' in text) {
      const fact = this.facts.at(-1);
      return fact ? this.referTo(fact.of, `fact {{ ${fact.name} | default('') }}\n`) : 'no fact\n';
    }
    if ('host' in text) return "host {{ (ansible_facts | default({})).hostname | default('unknown') }}\n";
    if ('slurped' in text) {
      const slurp = this.registered.filter(({ act }) => act === 'slurp').at(-1);
      return slurp
        ? this.referTo(
            slurp.of,
            `slurped {{ (${slurp.name} | default({})).content | default('') | b64decode | trim }}\n`,
          )
        : 'nothing slurped\n';
    }
    const command = this.registered.filter(({ act }) => act === 'run').at(-1);
    return command
      ? this.referTo(command.of, `printed {{ (${command.name} | default({})).stdout | default('') }}\n`)
      : 'nothing printed\n';
  }

  private action(spec: Spec): Yaml {
    const { act } = spec;
    const at = (place: Place) => (spec.loop ? '{{ item }}' : written(place, this.id));
    const owner = (name: string | undefined) => (name === 'own' ? accountName(this.id) : name);
    switch (act.do) {
      case 'dir':
        return {
          file: given({
            path: at(act.at),
            state: 'directory',
            mode: act.mode,
            owner: owner(act.owner),
            recurse: act.recurse,
          }),
        };
      case 'absent':
        return { file: { path: at(act.at), state: 'absent' } };
      case 'copy':
        return {
          copy: given({
            dest: at(act.at),
            content: this.text(act.text),
            mode: act.mode,
            owner: owner(act.owner),
            force: act.force,
          }),
        };
      case 'template': {
        const vars = { line: this.text(act.text).trimEnd() };
        return { template: given({ src: 'plain.j2', dest: at(act.at), mode: act.mode }), vars };
      }
      case 'tree':
        return { copy: given({ src: 'tree/', dest: `${at(act.at)}/`, mode: act.mode }) };
      case 'remote':
        return { copy: { remote_src: true, src: written(act.from, this.id), dest: at(act.at) } };
      case 'line':
        return {
          lineinfile: given({
            path: at(act.at),
            regexp: `^${act.key}=`,
            line: act.gone ? undefined : `${act.key}=${act.value}`,
            state: act.gone ? 'absent' : undefined,
            create: act.create,
            // Without a file there is nothing to do, and a later task may make one with another mode.
            mode: act.gone ? undefined : act.mode,
          }),
        };
      case 'link':
        return { file: given({ path: at(act.at), src: act.to, state: 'link', force: act.force }) };
      case 'hard':
        return { file: { path: at(act.at), src: written(act.to, this.id), state: 'hard' } };
      case 'touch':
        return {
          file: given({
            path: at(act.at),
            state: 'touch',
            modification_time: act.preserve ? 'preserve' : undefined,
            access_time: act.preserve ? 'preserve' : undefined,
          }),
        };
      case 'attr':
        return { file: { path: at(act.at), mode: act.mode } };
      case 'create':
        return {
          shell: `mkdir -p "$(dirname '${at(act.at)}')" && echo made > '${at(act.at)}'`,
          args: { creates: at(act.at) },
        };
      case 'insert':
        return {
          blockinfile: given({
            path: at(act.at),
            marker: `# {mark} ${act.mark}`,
            block: `p=${act.value}\nq=${act.value}\n`,
            state: act.gone ? 'absent' : undefined,
            create: act.create,
          }),
        };
      case 'replace':
        return { replace: { path: at(act.at), regexp: act.from, replace: act.to } };
      case 'ini':
        return {
          ini_file: given({
            path: at(act.at),
            section: 'main',
            option: act.key,
            value: act.gone ? undefined : act.value,
            state: act.gone ? 'absent' : undefined,
            mode: act.gone ? undefined : act.mode,
          }),
        };
      case 'sysctl':
        return {
          sysctl: given({
            name: `net.ipv4.${act.key}`,
            value: act.gone ? undefined : act.value,
            state: act.gone ? 'absent' : undefined,
            sysctl_file: at(act.at),
            reload: false,
          }),
        };
      case 'cron':
        return {
          cron: given({
            name: act.job,
            job: act.gone ? undefined : 'true',
            minute: act.minute,
            user: 'root',
            cron_file: at(act.at),
            state: act.gone ? 'absent' : undefined,
          }),
        };
      case 'unpack':
        return { unarchive: given({ src: 'some.tgz', dest: at(act.at), mode: act.mode }) };
      case 'fetch':
        return {
          get_url: given({
            url: `file://${poolDir}/${act.text}`,
            dest: at(act.at),
            checksum: act.checked ? `sha256:${createHash('sha256').update(`${act.text}\n`).digest('hex')}` : undefined,
            mode: act.mode,
          }),
        };
      case 'find':
        return { find: { paths: [at(act.at)], recurse: true } };
      case 'slurp':
        return { slurp: { src: at(act.at) } };
      case 'keep':
        return {
          systemd_unit: given({
            name: unitName(act.unit, this.id),
            content: unitText(act.kind),
            dropins: act.nice === undefined ? undefined : { '10-nice.conf': `[Service]\nNice=${act.nice}\n` },
            state: act.state,
            enabled: act.enabled,
            restart: act.restart,
          }),
        };
      case 'package':
        return { apt: given({ name: packageName(act.name), state: act.gone ? 'absent' : undefined }) };
      case 'flush':
        return { meta: 'flush_handlers' };
      case 'debug':
        return { debug: { msg: this.text(act.text) } };
      case 'run':
        return act.silent ? { command: 'echo out', changed_when: false } : { command: 'echo out' };
      case 'unit':
        return {
          copy: {
            dest: `/etc/systemd/system/${unitName(act.unit, this.id)}`,
            content: unitText(act.kind),
            mode: '0644',
          },
        };
      case 'service':
        return {
          systemd: given({
            name: unitName(act.unit, this.id),
            state: act.state,
            enabled: act.enabled,
            daemon_reload: act.reload,
          }),
        };
      case 'group':
        return { group: { name: accountName(this.id), state: act.gone ? 'absent' : 'present' } };
      case 'user':
        return {
          user: given({
            name: accountName(this.id),
            state: act.gone ? 'absent' : 'present',
            shell: act.shell,
            create_home: false,
          }),
        };
      case 'fact':
        return { set_fact: { [`f${this.count - 1}`]: this.text(act.value).trimEnd() } };
      case 'stat':
        return { stat: { path: at(act.at) } };
      case 'fail':
        return { fail: { msg: 'as generated' } };
      case 'assert':
        return { assert: { that: [this.condition({ on: 'exists', back: 0 }) ?? 'true'] } };
    }
  }
}

/** Where a host has files to download. */
export const poolDir = '/srv/kp/pool';

function verdict({ judged, ignore, act }: Spec): Yaml {
  const said = judged === undefined || judged === 'failed' ? {} : { changed_when: judged === 'changed' };
  if (act.do === 'flush') return {};
  return {
    ...said,
    ...(judged === 'failed' ? { failed_when: true } : {}),
    ...(ignore || judged === 'failed' ? { ignore_errors: true } : {}),
  };
}

function handlerName(handler: Spec, at: number): string {
  return `handler ${at} ${handler.act.do}`;
}

function given(params: Yaml): Yaml {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined));
}
