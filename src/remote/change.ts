import { createHash } from 'node:crypto';
import { quote } from '../core/quote.ts';
import type { AskBlock, ChangeReply, ChangeTrip, LiveOutput, RemoteStep, StepReply } from '../core/session.ts';
import { blocksText } from './ask.ts';
import { ChangeFrames } from './change-frames.ts';
import { startsUnits } from './change-library.ts';
import { newMarker, type Trip } from './trip.ts';

export interface ChangeRun extends Trip {
  reply(): ChangeReply;
  /** Where the trip broke off: the steps that are known to be over. */
  seen(): StepReply[];
}

/** Names this process in locks: shells of one kpush may share one. */
const controller = newMarker().slice(0, 16);

/** `library` is what the shell does not have yet. Lock, leftovers, guard, steps with proofs, next questions: one compound command. */
export function changeTrip(trip: ChangeTrip, live: LiveOutput, library: string, session: string): ChangeRun {
  const marker = newMarker();
  const frames = new ChangeFrames(trip, live, marker);
  const text = `${library}{ ${trip.steps.length > 0 ? 'kp_mk;' : ''}kp_go ${marker}\n${body(trip, session)}kp_end 0${trip.last ? ' kp_bye' : ''};}\n`;
  return { marker, text, last: trip.last, reader: frames, reply: () => frames.reply(), seen: () => frames.seen() };
}

/** Directory of a step that must finish, under the run's: the same for the same key, so that it can be adopted. */
export function finishName(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 16);
}

function body(trip: ChangeTrip, session: string): string {
  if (trip.steps.length === 0) return guarded(trip, nextText(trip));
  const lock = `kp_lock ${quoted([runName(trip.run), oneLine(trip.owner), trip.forceUnlock ? 'f' : '', controller, session])}`;
  const old = `kp_old ${quoted(trip.steps.flatMap(finishPair))}`;
  const steps = trip.steps.map((step, n) => stepText(step, n, sharesProof(trip.steps, n))).join('');
  const settle = trip.steps.some(startsUnits) ? 'kp_settle\n' : '';
  return `if ${lock}&&${old};then\n${guarded(trip, `${steps}${settle}${nextText(trip)}`)}fi\n`;
}

/** In a guard records are ended by a newline: what the planner hashed. */
function guarded({ guard }: ChangeTrip, inner: string): string {
  if (!guard) return inner;
  const records = `(\nkp_rs='\n'\n${blocksText(guard.blocks)})`;
  return `kp_o;if ${records}|kp_guard ${quote(guard.sha256)};then\n${inner}fi\n`;
}

/** Whether facts of the step before are read after this one. */
function sharesProof(steps: readonly RemoteStep[], n: number): boolean {
  return (steps[n - 1]?.provedAfter ?? 0) > 0;
}

/** `shares`: with the steps before it; their proof is read when one of them went well. */
function stepText(step: RemoteStep, n: number, shares: boolean): string {
  const fail = step.onFail === 'stop' ? 's' : 'g';
  const codes = step.okCodes.map(Number).join(' ');
  const script = step.stdin === undefined ? step.script : withStdin(step.script, step.stdin);
  const later = (step.provedAfter ?? 0) > 0;
  const begin = later && !shares ? 'kp_pr=\n' : '';
  if (!later && !shares) return `if ${run()};then\n${proof(step.proof, n)}:\nfi\n`;
  const end = later ? '' : `if [ "$kp_pr" ];then\n${proof(step.proof, n)}:\nfi\n`;
  return `${begin}if ${run()};then\nkp_pr=1\nfi\n${end}`;

  function run() {
    if (step.inShell)
      return `kp_open ${n}&&{ (\n${step.script}\n) </dev/null 3<&-;kp_r=$?;kp_done ${n} ${fail} '${codes}';}`;
    if (step.onCut === 'finish')
      return `kp_fin ${n} ${fail} ${finishName(step.key)} '${codes}' ${quote(oneLine(step.key))} ${quote(script)}`;
    return `kp_step ${n} ${fail} '${step.timeout === undefined ? '' : Math.max(1, Math.ceil(step.timeout))}' '${codes}' ${quote(script)}`;
  }
}

/** The script is the last element of a pipeline, as eval, so that any text of it stays one piece. */
function withStdin(script: string, stdin: string): string {
  return `printf %s ${quote(stdin)}|eval ${quote(script)}`;
}

function proof(blocks: AskBlock[], n: number): string {
  return blocks.length === 0 ? '' : asked(`p ${n}`, blocks);
}

function nextText(trip: ChangeTrip): string {
  if (trip.next.length === 0) return '';
  return `if [ "$kp_halt" ]||kp_over;then :;else\n${asked('next', trip.next)}fi\n`;
}

function asked(frame: string, blocks: AskBlock[]): string {
  return `kp_f begin ${frame};(\n${blocksText(blocks)});kp_f end ${frame}\n`;
}

function finishPair(step: RemoteStep, n: number): string[] {
  return step.onCut === 'finish' ? [`${n}:${finishName(step.key)}`] : [];
}

function quoted(args: string[]): string {
  return args.map(quote).join(' ');
}

function oneLine(text: string): string {
  return text.replace(/[\n\r\0]+/g, ' ');
}

function runName(run: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(run)) return run;
  throw new Error(`not a run id: ${JSON.stringify(run)}`);
}
