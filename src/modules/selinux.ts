import type { ModuleContext, Plan, WorldView } from '../core/module.ts';
import type { ParamSpecs, Params } from '../core/params.ts';
import { result, TaskFailure } from '../core/result.ts';
import type { Step } from '../core/steps.ts';
import { type ToolQuery, tool, toolKey } from '../world/tool.ts';
import { defineModule } from './define.ts';
import { type EditParams, editKeys, openText, saveText } from './lib/edit.ts';
import { completeTold, oneStep } from './lib/one-step.ts';

const params = {
  state: {
    type: 'str',
    doc: 'What SELinux does, now and after a restart',
    required: true,
    choices: ['enforcing', 'permissive', 'disabled'],
  },
  policy: { type: 'str', doc: 'The policy, such as targeted; must be given unless disabled' },
  configfile: { type: 'path', doc: 'Its configuration', default: '/etc/selinux/config', aliases: ['conf', 'file'] },
  update_kernel_param: { type: 'bool', doc: 'Not supported; leave it false', default: false },
} as const satisfies ParamSpecs;

type SelinuxParams = Params<typeof params>;

export const selinuxModule = defineModule({
  name: 'selinux',
  doc: {
    summary: 'Switches SELinux, now and for good',
    notes: [
      'disabled needs a restart: until then it is made permissive. On a host without SELinux, disabled is true already.',
    ],
    examples: '- selinux: {state: permissive, policy: targeted}\n',
    returns: {
      state: 'as asked',
      policy: 'as asked',
      msg: 'what was done',
      reboot_required: 'whether it needs a restart',
    },
  },
  params,
  facts: (given, ctx) => [toolKey(getenforce), ...editKeys(editOf(given), ctx)],
  plan: (given, world, ctx) => planSelinux(given, world, ctx),
  complete: (_given, predicted, outcomes) => completeTold(predicted, outcomes),
});

const getenforce: ToolQuery = { argv: ['getenforce'] };

function planSelinux(given: SelinuxParams, world: WorldView, ctx: ModuleContext): Plan {
  if (given.update_kernel_param)
    throw new TaskFailure('update_kernel_param is not supported', {}, 'run grubby in a command');
  if (given.state !== 'disabled' && given.policy === undefined)
    throw new TaskFailure("Policy is required if state is not 'disabled'");
  const { rc, stdout = '' } = tool(world, getenforce);
  const opened = openText(editOf(given), world, ctx);
  if (rc === 127 || opened.text === undefined) return withoutSelinux(given);
  const now = stdout.toLowerCase();
  const saved = saveText(opened, configured(opened.text, given), editOf(given), world, ctx);
  const live = liveSteps(now, given.state);
  const steps = [...live, ...saved.steps];
  const reboot = (given.state === 'disabled') !== (now === 'disabled');
  const msg = steps.map(({ title }) => title).join(', ');
  const values = {
    msg,
    configfile: given.configfile,
    policy: given.policy ?? null,
    state: given.state,
    reboot_required: reboot,
  };
  return { steps, result: result(steps.length > 0, values), warnings: saved.warnings };
}

function withoutSelinux({ state, configfile, policy }: SelinuxParams): Plan {
  if (state !== 'disabled') throw new TaskFailure('this host has no SELinux', {}, 'state: disabled is true on it');
  const values = { msg: '', configfile, policy: policy ?? null, state, reboot_required: false };
  return { steps: [], result: result(false, values) };
}

/** A kernel that runs with SELinux cannot drop it, nor take it up: the rest comes with a restart. */
function liveSteps(now: string, state: SelinuxParams['state']): Step[] {
  const wanted = state === 'enforcing' ? 'enforcing' : 'permissive';
  if (now === 'disabled' || now === wanted) return [];
  const told = wanted === 'enforcing' ? 'Enforcing' : 'Permissive';
  return [
    oneStep({
      title: `make SELinux ${wanted}`,
      argv: ['setenforce', wanted === 'enforcing' ? '1' : '0'],
      ...{ subject: 'SELinux', field: 'mode', before: now, after: wanted },
      answers: [[getenforce, { rc: 0, stdout: told }]],
    }),
  ];
}

function configured(text: string, { state, policy }: SelinuxParams): string {
  const set = (all: string, name: string, value: string | undefined) =>
    value === undefined ? all : all.replace(new RegExp(`^${name}=.*$`, 'm'), `${name}=${value}`);
  return set(set(text, 'SELINUX', state), 'SELINUXTYPE', policy);
}

function editOf({ configfile }: SelinuxParams): EditParams {
  return { path: configfile, backup: false, unsafe_writes: false };
}
