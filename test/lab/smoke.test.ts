import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as assert from 'uvu/assert';
import type { RunEvent } from '../../src/core/events.ts';
import type { Session } from '../../src/core/session.ts';
import { Lab } from '../lab-kit/index.ts';
import { suite } from '../support/harness.ts';
import { hostSession } from './remote-support.ts';
import { kpush, runOptions } from './support/run.ts';

/**
 * What a host pays for site.yml, in numbers that do not depend on the machine. bench/baseline.json only goes down, but
 * for a decision note: a run that costs more fails; one that costs less says by how much the baseline can be lowered.
 */
type Costs = Record<'connections' | 'sessions' | 'trips' | 'sent' | 'received' | 'processes', number>;

const smoke = suite('bench:smoke', { timeout: 120_000 });
const baseline = JSON.parse(readFileSync('bench/baseline.json', 'utf8')) as Record<'first' | 'unchanged', Costs> & {
  /** Bytes of a session that was asked, and waits. */
  connected: { kept: number };
};
const site = 'bench/site.yml';

smoke('site.yml costs a host no more than the baseline, first and unchanged', async () => {
  const lab = await Lab.up({ hosts: 1 });
  try {
    within('first', await costs(lab));
    const runs = [await costs(lab), await costs(lab), await costs(lab)];
    within('unchanged', runs.reduce(least));
  } finally {
    await lab.down();
  }
});

smoke('a run that costs more is caught', () => {
  const { trips } = baseline.unchanged;
  assert.equal(over('unchanged', { ...baseline.unchanged, trips: trips + 1 }), [
    `trips: ${trips + 1}, at most ${trips}`,
  ]);
});

smoke('a connected host keeps no more bytes than the baseline', async () => {
  const lab = await Lab.up({ hosts: 1 });
  const sessions: Session[] = [];
  try {
    for (let n = 0; n < 5; n++) sessions.push(await asked(lab));
    const before = await heldBytes();
    for (let n = 0; n < 20; n++) sessions.push(await asked(lab));
    const kept = Math.round(((await heldBytes()) - before) / 20);
    assert.ok(kept <= baseline.connected.kept, `${kept} bytes, at most ${baseline.connected.kept}`);
  } finally {
    await Promise.all(sessions.map((session) => session.close()));
    await lab.down();
  }
});

smoke.run();

/** A session that has answered with 200 KB. */
async function asked(lab: Lab): Promise<Session> {
  const session = hostSession(lab);
  await session.ask({}, [{ script: 'printf %0200000d 7; kp_sep', records: 1 }]);
  return session;
}

/** What lives, in buffers as well. */
async function heldBytes(): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 200));
  setFlagsFromString('--expose-gc');
  for (let i = 0; i < 3; i++) runInNewContext('gc')();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function within(kind: 'first' | 'unchanged', found: Costs) {
  assert.equal(over(kind, found), [], `${kind}: ${JSON.stringify(found)}`);
}

function over(kind: 'first' | 'unchanged', found: Costs): string[] {
  const names = Object.keys(baseline[kind]) as (keyof Costs)[];
  const worse = names.filter((name) => found[name] > baseline[kind][name]);
  return worse.map((name) => `${name}: ${found[name]}, at most ${baseline[kind][name]}`);
}

function least(a: Costs, b: Costs): Costs {
  return Object.fromEntries(Object.entries(a).map(([name, n]) => [name, Math.min(n, b[name as keyof Costs])])) as Costs;
}

/** Connections and sessions by sshd's log, processes by the last pid of the host's own pid namespace. */
async function costs(lab: Lab): Promise<Costs> {
  const since = Number((await lab.sh('h1', 'date +%s%6N')).trim());
  const before = await lastPid(lab);
  const ran = await kpush(runOptions('apply', site, lab.inventoryPath));
  const after = await lastPid(lab);
  assert.is(ran.exit, 0);
  const log = await lab.sshdLog('h1', since);
  const trips = ran.events.filter((e): e is RunEvent & { type: 'trip' } => e.type === 'trip');
  const sum = (of: (trip: (typeof trips)[number]) => number) => trips.reduce((total, trip) => total + of(trip), 0);
  return {
    connections: log.connections,
    sessions: log.sessions.length,
    trips: trips.length,
    sent: sum((trip) => trip.sent),
    received: sum((trip) => trip.received),
    processes: after - before - 1,
  };
}

async function lastPid(lab: Lab): Promise<number> {
  return Number((await lab.sh('h1', 'cat /proc/sys/kernel/ns_last_pid')).trim());
}
