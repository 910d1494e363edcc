import { result, TaskFailure } from '../../core/result.ts';
import { SessionError } from '../../core/session.ts';
import type { ActionRun, ActionTools } from '../actions.ts';

export const waitForConnection: ActionRun = async ({ params, on }, tools) => {
  const start = tools.now();
  await tools.sleep(Number(params.delay));
  await untilReached(on, tools, start + Number(params.timeout) * 1000, Number(params.sleep));
  return { result: result(false, { elapsed: Math.round((tools.now() - start) / 1000) }), forget: true };
};

/** Connects anew until a question is answered; authentication and host key errors are final. */
export async function untilReached(host: string, tools: ActionTools, deadline: number, pause: number): Promise<string> {
  for (;;) {
    try {
      return await bootId(host, tools);
    } catch (error) {
      if (!(error instanceof SessionError) || isFinal(error)) throw error;
      if (tools.now() > deadline) throw new TaskFailure(`timed out waiting for the host: ${error.message}`);
      if (tools.stopped()) throw new SessionError('aborted', 'wait', 'interrupted');
      await tools.sessionOf(host).reset();
      await tools.sleep(pause);
    }
  }
}

function isFinal(error: SessionError): boolean {
  return error.kind === 'auth' || error.kind === 'host-key' || error.kind === 'become' || error.kind === 'aborted';
}

/** The kernel's id of this boot: the proof that a machine was restarted. A host that answers anything else is not up yet. */
export async function bootId(host: string, { sessionOf, signal }: ActionTools): Promise<string> {
  const block = { script: 'cat /proc/sys/kernel/random/boot_id; kp_sep', records: 1 };
  const records = await sessionOf(host).ask({}, [block], signal);
  const answer = records[0]?.[0]?.trim() ?? '';
  if (uuid.test(answer)) return answer;
  throw new SessionError('lost', 'ask', `no boot id, but: ${answer || 'nothing'}`, { transient: true });
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
