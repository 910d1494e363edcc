import { spawn } from 'node:child_process';
import type { ActionCall } from '../../core/needs.ts';
import { result, TaskFailure } from '../../core/result.ts';
import { SessionError, type Target } from '../../core/session.ts';
import { wait } from '../../core/waits.ts';
import type { ActionRun, ActionTools, ShownKey } from '../actions.ts';
import { say } from './told.ts';
import { bootId } from './wait-for-connection.ts';

/** A machine is destroyed and made anew by the user's command: another boot id, and as a rule another host key. */
export const reprovision: ActionRun = async (call, tools) => {
  const target = tools.targetOf(call.on);
  if (target.transport === 'local') throw new TaskFailure('the controller itself cannot be made anew');
  const start = tools.now();
  const deadline = start + Number(call.params.timeout) * 1000;
  const before = await oldBoot(call.on, tools);
  const printed = await made(call, target, tools, deadline);
  await tools.sessionOf(call.on).reset();
  const wanted = call.params.host_key === undefined ? printed : [String(call.params.host_key)];
  const key = await newMachine({ call, target, tools, deadline, before, wanted });
  const elapsed = Math.round((tools.now() - start) / 1000);
  say(call, tools, `the new machine is there after ${elapsed} s; its key is ${key}`);
  return { result: result(true, { host_key: key, elapsed }), forget: true };
};

/** A machine that is dead has none to tell. */
async function oldBoot(on: string, tools: ActionTools): Promise<string | undefined> {
  try {
    return await bootId(on, tools);
  } catch (error) {
    if (error instanceof SessionError && error.kind !== 'aborted') return undefined;
    throw error;
  }
}

/** Runs the command; returns the fingerprints that it prints. */
async function made(call: ActionCall, target: Target, tools: ActionTools, deadline: number): Promise<string[]> {
  const { address, port } = target;
  const env = { ...process.env, KPUSH_NODE: call.on, KPUSH_ADDRESS: address, KPUSH_PORT: String(port) };
  const child = spawn('/bin/sh', ['-c', String(call.params.cmd)], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const end = () => child.pid !== undefined && killGroup(child.pid);
  const timer = setTimeout(end, Math.max(0, deadline - tools.now()));
  tools.signal.addEventListener('abort', end);
  let text = '';
  const hear = (part: string) => {
    text += part;
    for (const line of part.split('\n').filter(Boolean)) say(call, tools, line);
  };
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', hear);
  try {
    const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
    if (tools.signal.aborted) throw new SessionError('aborted', 'wait', 'interrupted');
    if (code !== 0) throw new TaskFailure(failureText(code, text), { rc: code ?? -1, stdout: text.slice(-4000) });
  } finally {
    clearTimeout(timer);
    tools.signal.removeEventListener('abort', end);
  }
  return text.match(/SHA256:[A-Za-z0-9+/]{43}/g) ?? [];
}

function killGroup(pid: number) {
  try {
    process.kill(-pid, 'SIGTERM');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function failureText(code: number | null, text: string): string {
  const last = text.trim().split('\n').at(-1);
  return `the command that makes the machine anew ended with ${code ?? 'a signal: it took too long'}${last ? `: ${last}` : ''}`;
}

interface Expected {
  call: ActionCall;
  target: Target;
  tools: ActionTools;
  deadline: number;
  /** Boot id of the old machine; undefined: it was dead. */
  before: string | undefined;
  /** Fingerprints that it may show; none: any new one. */
  wanted: readonly string[];
}

/** The old machine may answer for a while: it has the old boot id. Returns the fingerprint of the new one's key. */
async function newMachine(expected: Expected): Promise<string> {
  const { call, tools, deadline } = expected;
  const pinned: string[] = [];
  let told = 'nothing answers';
  for (;;) {
    const key = await shown(expected);
    if (key !== undefined) {
      const print = await taken(expected, key, pinned);
      const found = await looked(expected);
      if ('boot' in found) return judged(expected, print);
      told = found.told;
      await tools.sessionOf(call.on).reset();
    }
    if (tools.stopped()) throw new SessionError('aborted', 'wait', 'interrupted');
    if (tools.now() > deadline) throw new TaskFailure(`the new machine was not there in time: ${told}`);
    await tools.sleep(wait('machine').interval);
  }
}

/** A machine that has just come up may not let anybody in yet. */
async function looked({ call, tools, before }: Expected): Promise<{ boot: string } | { told: string }> {
  try {
    const boot = await bootId(call.on, tools);
    return boot === before ? { told: 'the old one answers: its boot id is the same' } : { boot };
  } catch (error) {
    if (error instanceof SessionError && error.kind !== 'aborted') return { told: error.message };
    throw error;
  }
}

function judged({ wanted }: Expected, print: string): string {
  if (wanted.length === 0 || wanted.includes(print)) return print;
  throw new TaskFailure(`the machine shows its old key ${print}, not ${wanted.join(' or ')}`);
}

async function shown({ target, tools }: Expected): Promise<ShownKey | undefined> {
  try {
    return await tools.keyShownBy(target, tools.signal);
  } catch (error) {
    if (error instanceof SessionError && error.kind !== 'aborted' && error.kind !== 'host-key') return undefined;
    throw error;
  }
}

/** A new key is written down in place of the old one, once, unless another one was to come. */
async function taken({ call, tools, wanted }: Expected, key: ShownKey, pinned: string[]): Promise<string> {
  const { fingerprint: print, known, file } = key;
  if (known) return print;
  const only = wanted.length > 0 ? wanted : pinned;
  if (only.length > 0 && !only.includes(print))
    throw new TaskFailure(`the machine shows the key ${print}, not ${only.join(' or ')}: it is not trusted`);
  pinned.push(print);
  say(call, tools, `a new key takes the place of the old one in ${file ?? 'no file'}: ${print}`);
  await key.trust();
  return print;
}
