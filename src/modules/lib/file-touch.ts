import type { ModuleContext, Plan, WorldView } from '../../core/module.ts';
import { quote } from '../../core/quote.ts';
import { result, TaskFailure } from '../../core/result.ts';
import type { Step } from '../../core/steps.ts';
import type { PresentFile } from '../../world/file.ts';
import { fileFields, stateOf } from '../../world/file-fields.ts';
import { hasTimes, type WantedTimes } from '../../world/times.ts';
import { attributeSteps, effectKind } from './attributes.ts';
import type { FileParams } from './file-params.ts';
import { located } from './links.ts';
import { textPayload } from './payload.ts';
import { place } from './place.ts';
import { afterAttributes } from './results.ts';

/** `state: file`: what is there gets the attributes; nothing is made. */
export function existing(given: FileParams, world: WorldView): Plan {
  const at = located(world, given.path, given.follow);
  const state = stateOf(at.fact);
  if (!at.fact.exists || (state !== 'file' && state !== 'hard'))
    throw new TaskFailure(`file (${at.path}) is ${state}, cannot continue`, { path: at.path, state });
  const done = adjusted(at.path, at.fact, given, 'preserve', world);
  return { steps: done.steps, result: result(done.steps.length > 0, { path: at.path, ...done.fields }) };
}

/** `state: touch`: makes an empty file, or moves its times; always a change unless both times are `preserve`. */
export function touch(given: FileParams, world: WorldView, ctx: ModuleContext): Plan {
  const at = located(world, given.path, given.follow);
  if (at.fact.exists) {
    const done = adjusted(at.path, at.fact, given, 'now', world);
    return { steps: done.steps, result: result(done.steps.length > 0, { dest: at.path, ...done.fields }) };
  }
  if (at.fact.parent !== 'directory')
    throw new TaskFailure(`Error, could not touch target: No such file or directory: ${at.path}`, { path: at.path });
  const { mode, owner, group } = given;
  const placed = place({ path: at.path, fact: at.fact, payload: textPayload(''), mode, owner, group }, world, ctx);
  const times = timesStep(at.path, given, 'preserve', 'file');
  const steps = [...placed.steps, ...times];
  return { steps, result: result(true, { dest: at.path, ...fileFields(at.path, placed.after) }) };
}

/** Attributes, then times, of something that exists. */
export function adjusted(path: string, fact: PresentFile, given: FileParams, times: string, world: WorldView) {
  const moves =
    wantedTimes(given) && hasTimes(world, path, wantedTimes(given)!)
      ? []
      : timesStep(path, given, times, effectKind(fact));
  const steps = [...attributeSteps(path, fact, given, world), ...moves];
  const after = afterAttributes(path, fact, given, world);
  return { steps, fields: fileFields(path, after) };
}

/** Times that can be there already: with `now` among them there is always something to do. */
export function wantedTimes({ state, modification_time, access_time }: FileParams): WantedTimes | undefined {
  const byDefault = state === 'touch' ? 'now' : 'preserve';
  const times = { modification: modification_time ?? byDefault, access: access_time ?? byDefault };
  const words = [times.modification, times.access];
  const fixed = words.some((word) => /^\d/.test(word)) && words.every((word) => word === 'preserve' || isStamp(word));
  return fixed ? times : undefined;
}

function timesStep(path: string, given: FileParams, byDefault: string, kind: ReturnType<typeof effectKind>): Step[] {
  const modification = given.modification_time ?? byDefault;
  const access = given.access_time ?? byDefault;
  const commands =
    modification === access
      ? touchCommand('', modification, path)
      : [...touchCommand('-m', modification, path), ...touchCommand('-a', access, path)];
  if (commands.length === 0) return [];
  return [
    {
      title: `touch ${path}`,
      run: { kind: 'sh', brief: true, script: commands.join(' && ') },
      effects: [{ type: 'file.put', path, kind }],
      diff: [
        {
          kind: 'fields',
          subject: path,
          fields: [{ name: 'times', before: null, after: timesText(modification, access) }],
        },
      ],
      always: true,
    },
  ];
}

function touchCommand(which: string, time: string, path: string): string[] {
  if (time === 'preserve') return [];
  const stamp = time === 'now' ? '' : `-t ${stampOf(time)}`;
  return [['touch -c', which, stamp, quote(path)].filter((word) => word !== '').join(' ')];
}

function stampOf(time: string): string {
  if (isStamp(time)) return time;
  throw new TaskFailure(`'${time}' is no time`, {}, 'write now, preserve or YYYYMMDDhhmm.SS');
}

function isStamp(time: string): boolean {
  return /^\d{12}(\.\d\d)?$/.test(time);
}

function timesText(modification: string, access: string): string {
  return modification === access ? modification : `modification ${modification}, access ${access}`;
}
