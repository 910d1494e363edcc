import type { FactKey } from '../core/facts.ts';
import type { ModuleContext, Plan, WorldView } from '../core/module.ts';
import { quoteAll } from '../core/quote.ts';
import { type Result, result, TaskFailure } from '../core/result.ts';
import type { Step, StepOutcome } from '../core/steps.ts';
import { kmod, kmodKey } from '../world/kmod.ts';
import { defineModule } from './define.ts';
import { type EditParams, editKeys, openText, saveText } from './lib/edit.ts';
import { splitWords } from './lib/words.ts';

interface ModprobeParams {
  name: string;
  state: 'present' | 'absent';
  params: string;
  persistent: 'disabled' | 'present' | 'absent';
}

export const modprobeModule = defineModule({
  name: 'modprobe',
  aliases: ['community.general.modprobe'],
  doc: {
    summary: 'Loads and unloads kernel modules, now and at boot',
    notes: [
      'What is built into the kernel counts as loaded. At boot: /etc/modules-load.d/NAME.conf and, for parameters, /etc/modprobe.d/NAME.conf.',
    ],
    examples: '- modprobe: {name: br_netfilter, persistent: present}\n',
    returns: { name: 'the module', params: 'as given', state: 'as asked' },
  },
  params: {
    name: { type: 'str', operand: true, doc: 'The module', required: true },
    state: { type: 'str', doc: 'Whether it shall be loaded', choices: ['absent', 'present'], default: 'present' },
    params: { type: 'str', doc: 'Parameters to load it with', default: '' },
    persistent: {
      type: 'str',
      doc: 'Whether it is loaded at boot; disabled: as it is',
      choices: ['disabled', 'present', 'absent'],
      default: 'disabled',
    },
  },
  facts: (params, ctx) => keysOf(params as ModprobeParams, ctx),
  plan: (params, world, ctx) => planModprobe(params as ModprobeParams, world, ctx),
  complete: (_params, predicted, outcomes) => completed(predicted, outcomes),
});

function keysOf(params: ModprobeParams, ctx: ModuleContext): FactKey[] {
  const files =
    params.persistent === 'disabled' ? [] : filesOf(params.name).flatMap((path) => editKeys(editOf(path), ctx));
  return [kmodKey(params.name), ...files];
}

function planModprobe(params: ModprobeParams, world: WorldView, ctx: ModuleContext): Plan {
  const { name, state } = params;
  if (!/^[\w-]+$/.test(name)) throw new TaskFailure(`'${name}' is no name of a kernel module`);
  const live = liveStep(params, world);
  const files = params.persistent === 'disabled' ? [] : fileSteps(params, world, ctx);
  const steps = [...(live ? [live] : []), ...files];
  return { steps, result: result(steps.length > 0, { name, params: params.params, state }) };
}

function liveStep(params: ModprobeParams, world: WorldView): Step | undefined {
  const { name, state } = params;
  const fact = kmod(world, name);
  const running = fact.state === 'loaded' || fact.state === 'builtin';
  if (running === (state === 'present')) return undefined;
  if (state === 'present' && fact.state === 'missing')
    throw new TaskFailure(
      `modprobe: FATAL: Module ${name} not found`,
      { rc: 1 },
      'the running kernel has none of that name: a package with more modules (linux-modules-extra) may be missing',
    );
  if (state === 'absent' && fact.state === 'builtin')
    throw new TaskFailure(`modprobe: FATAL: Module ${name} is builtin.`, { rc: 1 });
  const argv =
    state === 'present' ? ['modprobe', '--', name, ...splitWords(params.params)] : ['modprobe', '-r', '--', name];
  return {
    title: `${state === 'present' ? 'load' : 'unload'} kernel module ${name}`,
    run: { kind: 'sh', script: `PATH=$PATH:/usr/sbin:/sbin; exec ${quoteAll(argv)}` },
    effects: [{ type: 'kmod.set', name, loaded: state === 'present' }],
    proof: [kmodKey(name)],
    diff: [
      {
        kind: 'fields',
        subject: `kernel module ${name}`,
        fields: [{ name: 'loaded', before: yes(running), after: yes(!running) }],
      },
    ],
  };
}

/** Both files are wholly ours; a missing one is as good as an empty one. */
function fileSteps(params: ModprobeParams, world: WorldView, ctx: ModuleContext): Step[] {
  const present = params.persistent === 'present';
  const [load, options] = filesOf(params.name) as [string, string];
  return [
    ...save(load, present ? `${params.name}\n` : '', world, ctx),
    ...save(options, present && params.params !== '' ? `options ${params.name} ${params.params}\n` : '', world, ctx),
  ];
}

function save(path: string, text: string, world: WorldView, ctx: ModuleContext): Step[] {
  const opened = openText(editOf(path), world, ctx);
  if (text === '' && opened.text === undefined) return [];
  if (text !== '') return saveText(opened, text, editOf(path), world, ctx).steps;
  const diff: Step['diff'] = [{ kind: 'text', path, before: opened.text ?? null, after: null }];
  return [
    {
      title: `remove ${path}`,
      run: { kind: 'argv', argv: ['rm', '-f', '--', path] },
      effects: [{ type: 'file.remove', path }],
      diff,
    },
  ];
}

function filesOf(name: string): string[] {
  return [`/etc/modules-load.d/${name}.conf`, `/etc/modprobe.d/${name}.conf`];
}

function editOf(path: string): EditParams {
  return { path, backup: false, unsafe_writes: false } as EditParams;
}

function completed(predicted: Result, outcomes: StepOutcome[]): Result {
  const bad = outcomes.find((outcome) => outcome.status === 'failed' && outcome.stderr.includes('modprobe'));
  if (!bad) return predicted;
  const values: [string, string | number][] = [
    ['msg', bad.stderr.trim()],
    ['rc', bad.rc],
    ['stdout', bad.stdout],
    ['stderr', bad.stderr],
  ];
  return { ...predicted, failed: true, values: new Map([...predicted.values, ...values]) };
}

function yes(value: boolean): string {
  return value ? 'yes' : 'no';
}
