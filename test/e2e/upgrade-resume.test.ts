import * as assert from 'uvu/assert';
import type { RunEvent } from '../../src/core/events.ts';
import { Lab } from '../lab-kit/index.ts';
import { suite } from '../support/harness.ts';
import { Cluster, materials } from './support/cluster.ts';
import {
  groups,
  journal,
  newLines,
  nodeStates,
  nodes,
  patchedVersion,
  untouched,
  upgrade,
  version,
} from './support/roll.ts';
import { deployWorkload, setBudget } from './support/workload.ts';

const resume = suite('upgrade: killed and resumed', { timeout: 3_000_000 });
const victim = 'h3';
let cluster: Cluster;
let boundaries: string[] = [];
let at = version;
const all = (kubelet: string) => Object.fromEntries(nodes.map((name) => [name, { kubelet, cordoned: false }]));

resume('an uninterrupted upgrade tells the step boundaries of a node', async () => {
  await materials();
  cluster = new Cluster(await Lab.up({ hosts: 4, base: 'kube' }), { groups });
  await cluster.apply();
  await deployWorkload(cluster, { endsAtOnce: true });
  // What a budget makes of a drain is shown elsewhere; here it would only take time, at each boundary.
  await setBudget(cluster, 3);
  // Between steps of a millisecond nobody could be killed on purpose.
  const slow = (tool: string) =>
    `printf '#!/bin/sh\\nsleep 0.5\\nexec /bin/${tool} "$@"\\n' >/usr/local/sbin/${tool} && chmod 755 /usr/local/sbin/${tool}`;
  await cluster.lab.sh(victim, `${slow('cp')}; ${slow('mkdir')}`);
  const run = await upgrade(cluster, other(), ['--yes']);
  assert.is(run.code, 0, run.output.slice(-4000));
  at = other();
  boundaries = ends(journal(cluster)).map(titleOf);
  assert.match(boundaries.join('\n'), /cordon h3[\s\S]*install kubelet[\s\S]*restart kubelet[\s\S]*uncordon h3/);
});

resume('killed at every one of them it converges, and the node before is not touched again', async () => {
  for (const [index, title] of boundaries.entries()) {
    // A kill takes its time, and the next step may end in it: such a run must converge as well, and is tried again.
    let reached = 0;
    for (let attempt = 1; attempt <= 4 && reached !== index + 1; attempt++) reached = await killedAfter(index, title);
    assert.is(reached, index + 1, `"${title}" was never the last step to end`);
    console.error(`resume: ${index + 1} of ${boundaries.length}, killed when this had ended: ${title}`);
  }
  await cluster.lab.down();
});

resume.run();

function other(): string {
  return at === version ? patchedVersion : version;
}

/** Kills an upgrade behind a boundary and resumes it; returns how many steps of the victim had ended by then. */
async function killedAfter(index: number, title: string): Promise<number> {
  const killed = await killAfter(index + 1);
  const seen = ends(killed).map(titleOf);
  assert.ok(seen.length > index, `"${title}" was not reached: ${seen.join(', ')}`);
  assert.is(killed.filter(({ type }) => type === 'run-end').length, 0, `the run had ended before "${title}"`);
  const before = await untouched(cluster, 'h2');
  const resumed = await cluster.plain(['resume', '--yes']);
  assert.is(resumed.code, 0, `after "${title}":\n${resumed.output.slice(-4000)}`);
  at = other();
  assert.equal(await nodeStates(cluster), all(at), `after "${title}"`);
  assert.is(await untouched(cluster, 'h2'), before, `after "${title}"`);
  return seen.length;
}

/**
 * An upgrade of the nodes (or the way back) that is killed as soon as its journal has the nth end of a step of the
 * victim's.
 */
async function killAfter(nth: number): Promise<RunEvent[]> {
  const controller = new AbortController();
  const lines = newLines(cluster);
  const events: RunEvent[] = [];
  const watch = setInterval(() => {
    const more = lines();
    events.push(...more);
    if (more.length > 0 && ends(events).length >= nth) controller.abort();
  }, 5);
  await upgrade(cluster, other(), ['-l', 'nodes', '--allow-downgrade', '--yes'], controller.signal);
  clearInterval(watch);
  return journal(cluster);
}

type StepEnd = { key: string; title: string };

/** Ends of steps of the victim in the play of the nodes, with what they were called as they began. */
function ends(events: RunEvent[]): StepEnd[] {
  const play = events.find((event) => event.type === 'play-start' && event.name === 'Nodes');
  const own = play ? events.slice(events.indexOf(play)) : [];
  const titles = new Map<string, string>();
  return own.flatMap((event) => {
    if (event.type === 'step-start' && event.host === victim) titles.set(event.key, event.title);
    return event.type === 'step-end' && event.host === victim
      ? [{ key: event.key, title: titles.get(event.key) ?? event.key }]
      : [];
  });
}

function titleOf({ title }: StepEnd): string {
  return title;
}
