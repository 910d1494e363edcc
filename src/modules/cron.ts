import type { FactKey } from '../core/facts.ts';
import type { ModuleContext, Plan, WorldView } from '../core/module.ts';
import { quoteAll } from '../core/quote.ts';
import { result, TaskFailure } from '../core/result.ts';
import type { Step } from '../core/steps.ts';
import { crontab, crontabKey } from '../world/crontab.ts';
import { defineModule } from './define.ts';
import { type CronParams, editCron } from './lib/cron-edit.ts';
import { isEmpty, jobNames, variableNames, withoutHeader } from './lib/crontab-text.ts';
import { type EditParams, editKeys, openText, saveText } from './lib/edit.ts';
import { removeFileStep } from './lib/remove-file.ts';

export const cronModule = defineModule({
  name: 'cron',
  doc: {
    summary: 'Keeps jobs in a crontab',
    notes: ['Jobs are known by a marker line with their name, the same as Ansible writes.'],
    examples:
      '- cron: {name: etcd snapshot, hour: "3", minute: "0", job: /usr/local/bin/snapshot, user: root, cron_file: etcd}\n',
    returns: { jobs: 'names of the jobs', envs: 'names of the variables' },
  },
  params: {
    name: { type: 'str', doc: 'Name of the job, or of the variable', required: true },
    job: { type: 'str', doc: 'The command, or the value', aliases: ['value'] },
    state: { type: 'str', doc: 'Whether it shall be there', choices: ['present', 'absent'], default: 'present' },
    user: { type: 'str', operand: true, doc: 'Whose table; in a cron_file: who runs it' },
    cron_file: { type: 'path', doc: 'A file in /etc/cron.d, or a full path, instead of a table' },
    minute: { type: 'str', doc: 'Minutes', default: '*' },
    hour: { type: 'str', doc: 'Hours', default: '*' },
    day: { type: 'str', doc: 'Days of the month', default: '*', aliases: ['dom'] },
    month: { type: 'str', doc: 'Months', default: '*' },
    weekday: { type: 'str', doc: 'Days of the week', default: '*', aliases: ['dow'] },
    special_time: {
      type: 'str',
      doc: 'Instead of times',
      choices: ['reboot', 'yearly', 'annually', 'monthly', 'weekly', 'daily', 'hourly'],
    },
    disabled: { type: 'bool', doc: 'Keep it, commented out', default: false },
    env: { type: 'bool', doc: 'A variable, no job', default: false },
    insertafter: { type: 'str', doc: 'Variable before a new one' },
    insertbefore: { type: 'str', doc: 'Variable after a new one' },
    backup: { type: 'bool', doc: 'Keep a copy of the old cron_file', default: false },
  },
  rules: { exclusive: [['insertafter', 'insertbefore']] },
  facts: (params, ctx) => keysOf(params as CronParams, ctx),
  plan: (params, world, ctx) => planCron(params as CronParams, world, ctx),
});

function keysOf(params: CronParams, ctx: ModuleContext): FactKey[] {
  return params.cron_file === undefined ? [crontabKey(params.user ?? '')] : editKeys(editOf(params), ctx);
}

function planCron(params: CronParams, world: WorldView, ctx: ModuleContext): Plan {
  const { steps, text, warnings } =
    params.cron_file === undefined ? inTable(params, world) : inFile(params, world, ctx);
  const { cron_file, state } = params;
  const values = {
    jobs: jobNames(text),
    envs: variableNames(text),
    state,
    ...(cron_file === undefined ? {} : { cron_file }),
  };
  return { steps, result: result(steps.length > 0, values), warnings: [...warnings, ...fileNameWarning(cron_file)] };
}

interface Edited {
  steps: Step[];
  text: string;
  warnings: string[];
}

function inTable(params: CronParams, world: WorldView): Edited {
  const user = params.user ?? '';
  const fact = crontab(world, user);
  if (!fact.command) throw new TaskFailure('this host has no crontab command', {}, 'install cron');
  const before = withoutHeader(fact.text);
  const { text, warnings } = editCron(before, params);
  return { steps: text === before ? [] : [tableStep(user, before, text)], text, warnings };
}

function tableStep(user: string, before: string, text: string): Step {
  const of = user === '' ? [] : ['-u', user];
  const whose = user === '' ? 'the crontab' : `the crontab of ${user}`;
  return {
    title: `write ${whose}`,
    run: {
      kind: 'sh',
      script: quoteAll(['crontab', ...of, ...(isEmpty(text) ? ['-r'] : ['-'])]),
      ...(isEmpty(text) ? {} : { stdin: text }),
    },
    effects: [{ type: 'fact.set', family: 'crontab', id: user, value: { command: true, text } }],
    diff: [{ kind: 'text', path: whose, before: before === '' ? null : before, after: text === '' ? null : text }],
  };
}

function inFile(params: CronParams, world: WorldView, ctx: ModuleContext): Edited {
  const opened = openText(editOf(params), world, ctx);
  const before = opened.text ?? '';
  const { text, warnings } = editCron(before, params);
  if (isEmpty(text) && params.state === 'absent' && !params.env && opened.text !== undefined && text !== before)
    return { steps: [removeFileStep(opened.path, before)], text: '', warnings };
  if (text === before) return { steps: [], text, warnings };
  const saved = saveText(opened, text, editOf(params), world, ctx);
  return { steps: saved.steps, text, warnings: [...warnings, ...saved.warnings] };
}

function editOf(params: CronParams): EditParams {
  const file = params.cron_file ?? '';
  if (file === '/etc/crontab') throw new TaskFailure('Will not manage /etc/crontab via cron_file, see documentation.');
  const path = file.startsWith('/') ? file : `/etc/cron.d/${file}`;
  return { path, backup: params.backup, unsafe_writes: false } as EditParams;
}

/** cron passes over files with other names. */
function fileNameWarning(file: string | undefined): string[] {
  const name = file?.slice(file.lastIndexOf('/') + 1);
  if (name === undefined || /^[A-Za-z0-9_-]+$/.test(name)) return [];
  return [`cron reads only files named with letters, digits, '_' and '-': ${name} is not one`];
}
