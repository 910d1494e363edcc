import { TaskFailure } from '../../core/result.ts';
import { removeJob, removeVariable, setJob, setVariable } from './crontab-text.ts';

/** Parameters of cron after coercion. */
export interface CronParams {
  name: string;
  job?: string | undefined;
  state: 'present' | 'absent';
  user?: string | undefined;
  cron_file?: string | undefined;
  minute: string;
  hour: string;
  day: string;
  month: string;
  weekday: string;
  special_time?: string | undefined;
  disabled: boolean;
  env: boolean;
  insertafter?: string | undefined;
  insertbefore?: string | undefined;
  backup: boolean;
}

/** The table after the task. */
export function editCron(text: string, params: CronParams): { text: string; warnings: string[] } {
  check(params);
  if (params.env) return { text: editVariable(text, params), warnings: [] };
  if (params.state === 'absent') return { text: removeJob(text, params.name), warnings: [] };
  const job = (params.job ?? '').replace(/^[\r\n]+|[\r\n]+$/g, '');
  const warnings = /[\r\n]/.test(job) ? ['Job should not contain line breaks'] : [];
  return { text: setJob(text, params.name, lineOf(job, params)), warnings };
}

function check(params: CronParams) {
  const times = [params.minute, params.hour, params.day, params.month, params.weekday];
  if (params.special_time !== undefined && times.some((time) => time !== '*'))
    throw new TaskFailure('You must specify time and date fields or special time.');
  if (params.state === 'absent') return;
  if (params.cron_file !== undefined && params.user === undefined)
    throw new TaskFailure('To use cron_file=... parameter you must specify user=... as well');
  if (params.job === undefined) throw new TaskFailure("You must specify 'job' to install a new cron job or variable");
  if ((params.insertafter ?? params.insertbefore) !== undefined && !params.env)
    throw new TaskFailure('Insertafter and insertbefore parameters are valid only with env=yes');
}

function editVariable(text: string, params: CronParams): string {
  if (params.name.includes(' ')) throw new TaskFailure('Invalid name for environment variable');
  if (params.state === 'absent') return removeVariable(text, params.name);
  const beside = { after: params.insertafter, before: params.insertbefore };
  const edited = setVariable(text, params.name, params.job ?? '', beside);
  if (edited === undefined) throw new TaskFailure(`Variable named '${beside.after ?? beside.before}' not found.`);
  return edited;
}

function lineOf(job: string, params: CronParams): string {
  const { minute, hour, day, month, weekday, special_time: special, user, cron_file: file } = params;
  const when = special === undefined ? [minute, hour, day, month, weekday] : [`@${special}`];
  const who = file === undefined ? [] : [user!];
  return `${params.disabled ? '#' : ''}${[...when, ...who, job].join(' ')}`;
}
