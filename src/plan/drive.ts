import type { Need, Reply } from '../core/needs.ts';
import { Breath } from './breath.ts';
import type { Driver, Emit } from './driver.ts';
import type { HostProgram } from './program.ts';
import type { Rendezvous } from './rendezvous.ts';
import type { HostState } from './state.ts';

/** Runs one host program to its end, each need served by the driver or at the meeting point of the batch. */
export async function drive(
  host: string,
  program: HostProgram,
  driver: Driver,
  meeting: Rendezvous,
  emit: Emit,
): Promise<HostState> {
  const place = breath.join();
  try {
    let step = program.next();
    while (!step.done) {
      await (step.value.kind === 'expect' ? breath.rest(place) : breath.pause(place));
      step = program.next(await serve(host, step.value, driver, meeting, emit));
    }
    return step.value;
  } finally {
    driver.left?.(host);
  }
}

/** One for all: hosts are planned in one thread. */
const breath = new Breath();

function serve(host: string, need: Need, driver: Driver, meeting: Rendezvous, emit: Emit): Promise<Reply> | Reply {
  const why = meeting.forbids(need);
  if (why !== undefined) return { kind: 'halt', why };
  switch (need.kind) {
    case 'inform':
      for (const event of need.events) emit(event);
      meeting.moved(host, need.position, need.vars);
      return { kind: 'go' };
    case 'breathe':
      return { kind: 'go' };
    case 'expect':
      return expected(need, driver, meeting);
    case 'ask':
      return driver.ask(host, need);
    case 'run':
      return driver.run(host, need);
    case 'act':
      return driver.act(host, need);
    case 'sleep':
      return driver.sleep(host, need);
    case 'barrier':
      return meeting.barrier(host, need.position);
    case 'once':
      return meeting.once(host, need.position);
    case 'wait':
      return meeting.waitFor(host, need.host, need.position);
    case 'share':
      meeting.share(need.position, need.shared);
      return { kind: 'go' };
  }
}

/** The run may have been stopped while the host was held. */
async function expected(need: Extract<Need, { kind: 'expect' }>, driver: Driver, meeting: Rendezvous): Promise<Reply> {
  await driver.expect?.(need.on);
  const why = meeting.forbids(need);
  return why === undefined ? { kind: 'go' } : { kind: 'halt', why };
}
