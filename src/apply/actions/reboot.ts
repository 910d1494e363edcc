import type { ActionCall } from '../../core/needs.ts';
import { result, TaskFailure } from '../../core/result.ts';
import { SessionError } from '../../core/session.ts';
import { wait } from '../../core/waits.ts';
import type { ActionRun, ActionTools } from '../actions.ts';
import { say } from './told.ts';
import { bootId, untilReached } from './wait-for-connection.ts';

export const reboot: ActionRun = async (call, tools) => {
  const { params, on } = call;
  const before = await bootId(on, tools);
  await tools.sleep(Number(params.pre_reboot_delay));
  const start = tools.now();
  say(call, tools, 'ordered to reboot');
  await order(call, tools);
  await tools.sessionOf(on).reset();
  say(call, tools, 'going down, waiting for it to come back');
  await tools.sleep(Number(params.post_reboot_delay));
  await untilBack(on, before, tools, start + Number(params.reboot_timeout) * 1000);
  say(call, tools, `it is back after ${Math.round((tools.now() - start) / 1000)} s, with another boot id`);
  await tested(call, tools, tools.now() + Number(params.reboot_timeout) * 1000);
  return { result: result(true, { rebooted: true, elapsed: Math.round((tools.now() - start) / 1000) }), forget: true };
};

/** Gives the order and expects to lose the connection over it. */
async function order(call: ActionCall, tools: ActionTools) {
  const command = String(call.params.reboot_command ?? 'systemctl reboot');
  try {
    await script(call, tools, command, wait('reboot').timeout);
  } catch (error) {
    if (!(error instanceof SessionError) || error.kind !== 'lost') throw error;
  }
}

async function untilBack(on: string, before: string, tools: ActionTools, deadline: number) {
  for (;;) {
    const now = await untilReached(on, tools, deadline, wait('reboot').interval);
    if (now !== before) return;
    if (tools.now() > deadline)
      throw new TaskFailure('the machine answers, but it was not restarted: its boot id is the same');
    await tools.sleep(wait('reboot').interval);
    await tools.sessionOf(on).reset();
  }
}

async function tested(call: ActionCall, tools: ActionTools, deadline: number) {
  const command = String(call.params.test_command);
  for (;;) {
    const outcome = await script(call, tools, command, wait('reboot').timeout).catch((error: unknown) => {
      if (error instanceof SessionError && error.transient) return undefined;
      throw error;
    });
    if (outcome === 0) return;
    if (tools.now() > deadline) throw new TaskFailure(`the machine is back, but \`${command}\` does not succeed`);
    await tools.sleep(wait('reboot').interval);
  }
}

async function script(
  call: ActionCall,
  tools: ActionTools,
  text: string,
  timeout: number,
): Promise<number | undefined> {
  const step = {
    key: `${call.seq}.act`,
    script: text,
    onFail: 'go-on' as const,
    onCut: 'end' as const,
    timeout,
    okCodes: [0],
    proof: [],
  };
  const trip = { ...tools.settings, identity: call.identity, steps: [step], next: [] };
  const reply = await tools.sessionOf(call.on).change(trip, {}, tools.signal);
  if (reply.status === 'locked') throw new TaskFailure(`locked by run ${reply.run} of ${reply.owner}`);
  return reply.status === 'ran' ? reply.steps[0]?.rc : undefined;
}
