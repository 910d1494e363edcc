import {
  type Act,
  accountName,
  type Case,
  type Condition,
  isBlock,
  type Node,
  type Place,
  type Spec,
  type Text,
  unitName,
  unitText,
  written,
} from './case.ts';

type Yaml = Record<string, unknown>;

/** The plays of a case, ready to be written as YAML. Task names are `N ACT`, handlers `handler N ACT`. */
export function playsOf(spec: Case, id: string, host: string): Yaml[] {
  const writer = new Writer(spec, id);
  const tasks = spec.tasks.map((node) => writer.node(node));
  const handlers = spec.handlers.map((handler, at) => writer.handler(handler, at));
  const head = { hosts: host, gather_facts: false };
  const [first, second] = [tasks.slice(0, spec.split), tasks.slice(spec.split)];
  if (first.length === 0 || second.length === 0) return [{ ...head, tasks, handlers }];
  return [
    { ...head, tasks: first, handlers },
    { ...head, tasks: second, handlers },
  ];
}

/** The task of each name, to know what a task was meant to do. */
export function actsByName(spec: Case, id: string): Map<string, { spec: Spec; places: Place[] }> {
  const writer = new Writer(spec, id);
  for (const node of spec.tasks) writer.node(node);
  spec.handlers.forEach((handler, at) => {
    writer.handler(handler, at);
  });
  return writer.named;
}

/** Which earlier tasks a task refers to by name: the tasks whose results, facts or notice decide what it does. */
export function references(spec: Case, id: string): Map<string, string[]> {
  const writer = new Writer(spec, id);
  for (const node of spec.tasks) writer.node(node);
  spec.handlers.forEach((handler, at) => {
    writer.handler(handler, at);
  });
  return writer.refers;
}

class Writer {
  readonly named = new Map<string, { spec: Spec; places: Place[] }>();
  readonly refers = new Map<string, string[]>();
  private count = 0;
  private readonly registered: { name: string; of: string; act: Act['do'] }[] = [];
  private readonly facts: { name: string; of: string }[] = [];
  private refs: string[] = [];
  private readonly notifiers = new Map<number, string[]>();

  constructor(
    private readonly spec: Case,
    private readonly id: string,
  ) {}

  node(node: Node): Yaml {
    if (!isBlock(node)) return this.task(node);
    return {
      block: node.block.map((one) => this.node(one)),
      ...(node.rescue.length > 0 ? { rescue: node.rescue.map((one) => this.node(one)) } : {}),
      ...(node.always.length > 0 ? { always: node.always.map((one) => this.node(one)) } : {}),
    };
  }

  handler(spec: Spec, at: number): Yaml {
    const name = handlerName(spec, at);
    this.refs = [...(this.notifiers.get(at) ?? [])];
    const task = { name, ...this.action(spec) };
    this.note(name, spec);
    return task;
  }

  private task(spec: Spec): Yaml {
    const number = this.count++;
    const name = `${number} ${spec.act.do}`;
    this.refs = [];
    const when = spec.when && this.condition(spec.when);
    const task: Yaml = { name, ...this.action(spec), ...(when ? { when } : {}) };
    if (spec.loop) task.loop = spec.loop.map((place) => written(place, this.id));
    const handler = spec.notify === undefined ? undefined : this.spec.handlers[spec.notify];
    if (handler) {
      task.notify = handlerName(handler, spec.notify!);
      this.notifiers.set(spec.notify!, [...(this.notifiers.get(spec.notify!) ?? []), name]);
    }
    if (spec.register) {
      task.register = `r${number}`;
      this.registered.push({ name: `r${number}`, of: name, act: spec.act.do });
    }
    if (spec.act.do === 'fact') this.facts.push({ name: `f${number}`, of: name });
    this.note(name, spec);
    return task;
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

function handlerName(handler: Spec, at: number): string {
  return `handler ${at} ${handler.act.do}`;
}

function given(params: Yaml): Yaml {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined));
}
