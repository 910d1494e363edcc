import type { Plan, WorldView } from '../core/module.ts';
import type { ParamSpecs, Params } from '../core/params.ts';
import { quoteAll } from '../core/quote.ts';
import { type Result, result, TaskFailure } from '../core/result.ts';
import type { Step, StepOutcome } from '../core/steps.ts';
import { Unknown, type Value } from '../jinja/values.ts';
import { type ToolQuery, tool, toolKey } from '../world/tool.ts';
import { defineModule } from './define.ts';
import { completeTold, sbin } from './lib/one-step.ts';
import { output } from './lib/ran.ts';
import { splitWords } from './lib/words.ts';

const params = {
  name: { type: 'list', elements: 'str', operand: true, doc: 'Packages, with a version (`==1.2`) or without' },
  version: { type: 'str', operand: true, doc: 'Version of the one package' },
  requirements: { type: 'str', operand: true, doc: 'File of requirements on the host' },
  state: {
    type: 'str',
    doc: 'What shall be true of them',
    choices: ['present', 'absent', 'latest', 'forcereinstall'],
    default: 'present',
  },
  virtualenv: { type: 'path', doc: 'Environment to install into; made where it is missing' },
  virtualenv_command: { type: 'str', doc: 'Command that makes it', default: 'virtualenv' },
  virtualenv_python: { type: 'str', operand: true, doc: 'Its Python' },
  virtualenv_site_packages: { type: 'bool', doc: "It sees the system's packages", default: false },
  extra_args: { type: 'str', doc: 'Further arguments of pip' },
  editable: { type: 'bool', doc: 'Install as editable', default: false },
  executable: { type: 'path', doc: 'pip itself' },
  chdir: { type: 'path', doc: 'Folder to run in' },
  umask: { type: 'str', operand: true, doc: 'umask of what is written' },
} as const satisfies ParamSpecs;

type PipParams = Params<typeof params>;

export const pipModule = defineModule({
  name: 'pip',
  doc: {
    summary: 'Installs and removes Python packages',
    notes: [
      'What a file of requirements or a range of versions comes to, only pip can tell: a plan says unknown then.',
    ],
    examples:
      '- pip: {name: [jsonpatch, "kubernetes==25.3.0"], virtualenv: /opt/venv, virtualenv_command: python3 -m venv}\n',
    returns: { cmd: 'the command', stdout: 'what it printed' },
  },
  params,
  rules: {
    oneOf: [['name', 'requirements']],
    exclusive: [
      ['name', 'requirements'],
      ['executable', 'virtualenv'],
    ],
  },
  facts: (given) => [toolKey(listQuery(given))],
  plan: (given, world) => planPip(given, world),
  complete: (_given, predicted, outcomes) => completed(predicted, outcomes),
});

function planPip(given: PipParams, world: WorldView): Plan {
  checkVersion(given);
  const { rc, stdout = '' } = tool(world, listQuery(given));
  if (rc === 127 && given.virtualenv === undefined)
    throw new TaskFailure('this host has no pip', {}, 'install python3-pip in an earlier task');
  const there = new Map(stdout.split('\n').map((line) => [normal(line.split('==')[0]!), line.split('==')[1] ?? '']));
  const judged = packagesOf(given).map((text) => verdict(text, given, there));
  const due = judged.some((one) => one !== 'settled') || given.requirements !== undefined;
  const values = {
    name: given.name ?? null,
    requirements: given.requirements ?? null,
    state: given.state,
    version: given.version ?? null,
    virtualenv: given.virtualenv ?? null,
  };
  if (!due) return { steps: [], result: result(false, values) };
  const open = given.requirements !== undefined || !judged.includes('due');
  const step = pipStep(given, rc === 127);
  const later = new Unknown(step.title);
  const outputs = { stdout: later, stderr: later, stdout_lines: later, stderr_lines: later, cmd: command(given) };
  return {
    steps: [open ? { ...step, always: true } : step],
    result: result(open ? later : true, { ...values, ...outputs }),
  };
}

function checkVersion({ name = [], version, state }: PipParams): void {
  if (version === undefined) return;
  if (state === 'latest') throw new TaskFailure('version is incompatible with state=latest');
  if (name.length > 1)
    throw new TaskFailure(
      "'version' is ambiguous with more than one package",
      {},
      'write the versions into name, such as kubernetes==25.3.0',
    );
  if (/[=<>!~]/.test(name[0] ?? ''))
    throw new TaskFailure(`'version' conflicts with that of ${name[0]}`, {}, 'leave one of them out');
}

type Verdict = 'settled' | 'due' | 'open';

function verdict(text: string, { state }: PipParams, there: ReadonlyMap<string, string>): Verdict {
  const [, name = '', range = ''] = /^\s*([A-Za-z0-9._-]+)(?:\[[^\]]*\])?\s*(.*?)\s*$/.exec(text) ?? [];
  const version = there.get(normal(name));
  if (state === 'absent') return version === undefined ? 'settled' : 'due';
  if (state === 'forcereinstall' || name === '' || version === undefined) return name === '' ? 'open' : 'due';
  if (state === 'latest') return 'open';
  if (range === '') return 'settled';
  const exact = /^==\s*([\w.+!-]+)$/.exec(range)?.[1];
  return exact === undefined ? 'open' : exact === version ? 'settled' : 'due';
}

function packagesOf({ name = [], version }: PipParams): string[] {
  return version === undefined ? name : name.map((one) => `${one}==${version}`);
}

function pipStep(given: PipParams, makesEnvironment: boolean): Step {
  const make = makesEnvironment && given.virtualenv !== undefined ? [`${makeCommand(given)} >/dev/null || exit 1`] : [];
  const title = `pip ${command(given).split(' ').slice(1).join(' ')}`;
  const mask = given.umask === undefined ? [] : [`umask ${quoteAll([given.umask])}`];
  return {
    title: title.length > 80 ? `${title.slice(0, 79)}…` : title,
    run: { kind: 'sh', script: [`${sbin}; export LC_ALL=C`, ...mask, ...make, `exec ${command(given)}`].join('\n') },
    effects: [
      { type: 'opaque', why: title },
      { type: 'fact.unknown', family: 'tool', id: toolKey(listQuery(given)).id, why: title },
    ],
    ...(given.chdir === undefined ? {} : { cwd: given.chdir }),
  };
}

function makeCommand({
  virtualenv,
  virtualenv_command,
  virtualenv_python,
  virtualenv_site_packages,
}: PipParams): string {
  const venv = /\bvenv\b/.test(virtualenv_command);
  const python = virtualenv_python === undefined || venv ? [] : [`-p${virtualenv_python}`];
  return quoteAll([
    ...wordsOf(virtualenv_command, 'virtualenv_command'),
    ...(virtualenv_site_packages ? ['--system-site-packages'] : []),
    ...python,
    virtualenv!,
  ]);
}

function command(given: PipParams): string {
  const removes = given.state === 'absent';
  const upgrade = { latest: ['-U'], forcereinstall: ['-U', '--force-reinstall'] }[given.state as 'latest'] ?? [];
  const words = [pip(given), removes ? 'uninstall' : 'install', ...(removes ? ['-y'] : upgrade)];
  const what =
    given.requirements === undefined
      ? packagesOf(given).flatMap((name) => (given.editable ? ['-e', name] : [name]))
      : ['-r', given.requirements];
  return quoteAll([...words, ...wordsOf(given.extra_args ?? '', 'extra_args'), ...what]);
}

function wordsOf(text: string, parameter: string): string[] {
  try {
    return splitWords(text);
  } catch (error) {
    throw new TaskFailure(`${parameter} cannot be cut into words: ${(error as Error).message}`);
  }
}

function pip({ virtualenv, executable }: PipParams): string {
  return virtualenv === undefined ? (executable ?? 'pip3') : `${virtualenv}/bin/pip3`;
}

function listQuery(given: PipParams): ToolQuery {
  return { argv: [pip(given), 'list', '--format=freeze', '--disable-pip-version-check'] };
}

/** Names are the same whatever their case and separators. */
function normal(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}

function completed(predicted: Result, outcomes: readonly StepOutcome[]): Result {
  const told = completeTold(predicted, outcomes);
  const outcome = outcomes.at(-1);
  if (!outcome || told.failed) return told;
  const changed =
    predicted.changed instanceof Unknown ? /Successfully (un)?installed/.test(outcome.stdout) : told.changed;
  return { ...told, changed, values: new Map<string, Value>([...told.values, ...Object.entries(output(outcome))]) };
}
