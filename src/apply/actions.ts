import type { ActionCall, Reply } from '../core/needs.ts';
import { type Result, result, TaskFailure } from '../core/result.ts';
import type { Session, Target } from '../core/session.ts';
import { SessionError } from '../core/session.ts';
import type { Value } from '../jinja/values.ts';
import type { Asker } from '../plan/asker.ts';
import type { Emit } from '../plan/driver.ts';
import { lost } from '../plan/plan-driver.ts';
import { fetchFile } from './actions/fetch.ts';
import { passGate } from './actions/gate.ts';
import { pause } from './actions/pause.ts';
import { reboot } from './actions/reboot.ts';
import { reprovision } from './actions/reprovision.ts';
import { told } from './actions/told.ts';
import { waitFor } from './actions/wait-for.ts';
import { waitForConnection } from './actions/wait-for-connection.ts';

/** What actions may use: sessions, time, and a way out when the run is interrupted. */
export interface ActionTools {
  asker: Asker;
  sessionOf(host: string): Session;
  targetOf(host: string): Target;
  /** The key that a host shows now, without logging in. */
  keyShownBy(target: Target, signal: AbortSignal): Promise<ShownKey>;
  settings: { run: string; owner: string; forceUnlock: boolean };
  now(): number;
  /** Seconds; ends early when the run is interrupted. */
  sleep(seconds: number): Promise<void>;
  stopped(): boolean;
  signal: AbortSignal;
  emit: Emit;
}

export interface ShownKey {
  /** As `ssh-keygen -l` prints it. */
  fingerprint: string;
  /** Whether this very key is known for the host. */
  known: boolean;
  /** Where it would be written down. */
  file: string | undefined;
  /** From now on the host is known by this key alone. */
  trust(): Promise<void>;
}

export interface Acted {
  result: Result;
  /** Nothing known of the host holds any more. */
  forget?: boolean;
}

export type ActionRun = (call: ActionCall, tools: ActionTools) => Promise<Acted>;

const runs = new Map<string, ActionRun>([
  ['fetch', fetchFile],
  ['gate', passGate],
  ['pause', pause],
  ['reboot', reboot],
  ['reprovision', reprovision],
  ['reset_connection', resetConnection],
  ['wait_for', waitFor],
  ['wait_for_connection', waitForConnection],
]);

/** Does an action; its failure is a result, a lost link is not. */
export async function runAction(call: ActionCall, tools: ActionTools): Promise<Reply> {
  const run = runs.get(call.action);
  if (!run) return failed(`the action ${call.action} cannot be done`);
  try {
    const acted = await told(call, tools, () => run(call, tools));
    return tools.stopped() ? { kind: 'halt', why: 'interrupted' } : { kind: 'acted', ...acted };
  } catch (error) {
    if (error instanceof TaskFailure) return failed(error.message, error.values);
    if (error instanceof SessionError) return lost(error);
    throw error;
  }
}

function failed(msg: string, values: Record<string, Value> = {}): Reply {
  return { kind: 'acted', result: { ...result(false, { ...values, msg }), failed: true } };
}

async function resetConnection({ on }: ActionCall, { sessionOf }: ActionTools): Promise<Acted> {
  await sessionOf(on).reset();
  return { result: result(false), forget: true };
}
