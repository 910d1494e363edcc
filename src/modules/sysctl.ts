import type { FactKey } from '../core/facts.ts';
import type { ModuleContext, Plan, WorldView } from '../core/module.ts';
import { quote } from '../core/quote.ts';
import { type Result, result, TaskFailure } from '../core/result.ts';
import type { Step, StepOutcome } from '../core/steps.ts';
import { sameSetting, sysctl, sysctlKey } from '../world/sysctl.ts';
import { defineModule } from './define.ts';
import { type EditParams, editKeys, openText, saveText } from './lib/edit.ts';
import { setLine, settingsOf } from './lib/sysctl-file.ts';

interface SysctlParams {
  name: string;
  value?: string | undefined;
  state: 'present' | 'absent';
  reload: boolean;
  sysctl_file: string;
  sysctl_set: boolean;
  ignoreerrors: boolean;
}

export const sysctlModule = defineModule({
  name: 'sysctl',
  aliases: ['ansible.posix.sysctl'],
  doc: {
    summary: 'Keeps a kernel setting, in its file and in the running kernel',
    notes: ['Only the line of this setting is touched; others stay as they were written.'],
    examples: '- sysctl: {name: net.ipv4.ip_forward, value: "1", sysctl_file: /etc/sysctl.d/99-kube.conf}\n',
  },
  params: {
    name: { type: 'str', operand: true, doc: 'The setting', required: true, aliases: ['key'] },
    value: { type: 'str', doc: 'Its value; yes and no are 1 and 0', aliases: ['val'] },
    state: { type: 'str', doc: 'Whether the file shall have it', choices: ['present', 'absent'], default: 'present' },
    reload: { type: 'bool', doc: 'Apply the file when anything differs', default: true },
    sysctl_file: { type: 'path', doc: 'The file', default: '/etc/sysctl.conf' },
    sysctl_set: { type: 'bool', doc: 'Also set it in the running kernel by itself', default: false },
    ignoreerrors: { type: 'bool', doc: 'Ignore settings that the kernel does not have', default: false },
  },
  rules: { requiredIf: [{ param: 'state', value: 'present', needs: ['value'] }] },
  facts: (params, ctx) => keysOf(params as SysctlParams, ctx),
  plan: (params, world, ctx) => planSysctl(params as SysctlParams, world, ctx),
  complete: (params, predicted, outcomes) => completed(params.name, predicted, outcomes),
});

function keysOf(params: SysctlParams, ctx: ModuleContext): FactKey[] {
  const live =
    params.state === 'present' && (params.reload || params.sysctl_set) ? [sysctlKey(params.name.trim())] : [];
  return [...live, ...editKeys(editOf(params), ctx)];
}

function planSysctl(params: SysctlParams, world: WorldView, ctx: ModuleContext): Plan {
  const name = params.name.trim();
  if (name === '') throw new TaskFailure('name cannot be blank');
  if (/[\s=]/.test(name)) throw new TaskFailure(`'${name}' is no name of a setting`);
  const value = params.state === 'present' ? setting(params.value) : undefined;
  const opened = openText(editOf(params), world, ctx);
  const before = opened.text ?? '';
  const saved = saveText(opened, setLine(before, name, value), editOf(params), world, ctx);
  const after = saved.contentChanged ? setLine(before, name, value) : before;
  const live = liveSteps(params, name, value, saved.contentChanged, after, world);
  const steps = [...saved.steps, ...live];
  return { steps, result: result(steps.length > 0), warnings: saved.warnings };
}

/** `-w` for the setting by itself, `-p` for the whole file, as asked. */
function liveSteps(
  params: SysctlParams,
  name: string,
  value: string | undefined,
  fileChanged: boolean,
  text: string,
  world: WorldView,
): Step[] {
  const wrong = value !== undefined && (params.reload || params.sysctl_set) && !isLive(name, value, world);
  const set = wrong && params.sysctl_set && value !== undefined ? [setStep(params, name, value)] : [];
  const reload = params.reload && (fileChanged || wrong) ? [reloadStep(params, text)] : [];
  return [...set, ...reload];
}

function isLive(name: string, value: string, world: WorldView): boolean {
  const live = sysctl(world, name).value;
  return live !== undefined && sameSetting(live, value);
}

function setStep(params: SysctlParams, name: string, value: string): Step {
  const argv = ['sysctl', ...(params.ignoreerrors ? ['-e'] : []), '-w', `${name}=${value}`];
  return {
    title: `set ${name} to ${value}`,
    run: { kind: 'sh', script: judged(argv) },
    effects: [{ type: 'sysctl.set', name, value }],
    ...(params.ignoreerrors ? {} : { proof: [sysctlKey(name)] }),
  };
}

/** Every setting of the file is applied: all of them may change. */
function reloadStep(params: SysctlParams, text: string): Step {
  const argv = ['sysctl', ...(params.ignoreerrors ? ['-e'] : []), '-p', params.sysctl_file];
  const own = settingsOf(text);
  return {
    title: `apply ${params.sysctl_file}`,
    run: { kind: 'sh', script: judged(argv) },
    effects: own.map(([name, value]) => ({ type: 'sysctl.set', name, value })),
    ...(params.ignoreerrors || !own.some(([name]) => name === params.name.trim())
      ? {}
      : { proof: [sysctlKey(params.name.trim())] }),
  };
}

/** sysctl may say that a value is invalid and exit with 0. */
function judged(argv: string[]): string {
  const command = argv.map((word) => (word === argv[0] ? word : quote(word))).join(' ');
  const path = 'case :$PATH: in *:/usr/sbin:*) ;; *) PATH=$PATH:/usr/sbin:/sbin;; esac';
  return `${path}\nout=$(${command} 2>&1); rc=$?; printf '%s\\n' "$out"
case $out in *'Invalid argument'*|*'Read-only file system'*) rc=1;; esac
exit $rc`;
}

function completed(name: string, predicted: Result, outcomes: StepOutcome[]): Result {
  const bad = outcomes.find((outcome) => outcome.status === 'failed');
  if (!bad || !/sysctl/.test(bad.stdout + bad.stderr)) return predicted;
  const said = (bad.stdout + bad.stderr).trim();
  const msg = /-w/.test(said) ? `setting ${name} failed: ${said}` : `Failed to reload sysctl: ${said}`;
  return { ...predicted, failed: true, values: new Map([...predicted.values, ['msg', msg]]) };
}

/** As Ansible takes it: booleans in words are numbers to the kernel. */
function setting(value: string | undefined): string {
  const text = (value ?? '').trim();
  if (/^(yes|on|true|t|y)$/i.test(text)) return '1';
  return /^(no|off|false|f|n)$/i.test(text) ? '0' : text;
}

function editOf(params: SysctlParams): EditParams {
  return { path: params.sysctl_file, backup: false, unsafe_writes: false } as EditParams;
}
