import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { labInventory, scratch } from '../lab/support/inventory.ts';
import { type Bench, check, type Seen } from '../lab/support/property/check.ts';
import { HostDisk } from '../lab/support/property/disk.ts';
import { cases } from '../lab/support/property/generate.ts';
import { mutants } from '../lab/support/property/mutants.ts';
import { Lab } from '../lab-kit/index.ts';
import { suite } from '../support/harness.ts';

const test = suite('what is shown is what is run', { timeout: 400_000 });
const dir = scratch('plan');
/** Cases tried on each host; the same ones each time, unless KPUSH_CASES and KPUSH_SEED (a number, or `new`) say else. */
const runs = Number(process.env.KPUSH_CASES ?? 40);
const seed = process.env.KPUSH_SEED === 'new' ? Date.now() % 1_000_000 : Number(process.env.KPUSH_SEED ?? 2026);
/** A slow machine tries fewer, but never next to none. */
const limitMs = runs * 3000;
const least = 15;
let lab: Lab;
let benches: Bench[];

test('the lab is up', async () => {
  lab = await Lab.up({ hosts: 2 });
  const hosts = Object.fromEntries(lab.hosts.map(({ name, address }) => [name, { ansible_host: address }]));
  const inventory = labInventory(dir, lab, hosts);
  benches = lab.hosts.map(({ name }) => ({ disk: new HostDisk(lab, name), host: name, inventory, dir }));
  await Promise.all(benches.map(({ disk }) => disk.prepare()));
});

test('generated playbooks over generated hosts', async () => {
  console.log(`seed ${seed}`);
  const seen: Seen[] = [];
  const outcomes = await Promise.all(
    benches.map((bench, at) => tried(bench, seed + at, runs, (one) => seen.push(one))),
  );
  for (const outcome of outcomes) if (outcome.failed) throw new Error(outcome.message);
  judge(seen);
});

for (const mutant of mutants)
  test(`is found: ${mutant.name}`, async () => {
    const outcomes = await Promise.all(
      benches.map((bench, at) => tried({ ...bench, replace: mutant.replace }, seed + at, 30, () => {}, true)),
    );
    assert.ok(
      outcomes.some(({ failed }) => failed),
      `${mutant.name}: not found with seed ${seed}`,
    );
  });

test('everything is put away', () => lab.down());

test.run();

/** Tries cases on one host until one fails; what failed is made smaller, unless a failure is all that is wanted. */
async function tried(bench: Bench, start: number, numRuns: number, saw: (seen: Seen) => void, first = false) {
  const property = fc.asyncProperty(cases(), async (spec) => {
    saw(await check(spec, bench));
  });
  const settings = { seed: start, numRuns, interruptAfterTimeLimit: limitMs, endOnFailure: first };
  const details = await fc.check(property, settings);
  const error = details.errorInstance instanceof Error ? details.errorInstance.message : '';
  const again = `KPUSH_SEED=${seed}, host ${bench.host}, path ${details.counterexamplePath}, ${details.numShrinks} shrinks`;
  return { failed: details.failed && details.counterexample !== null, message: `${again}\n${error}` };
}

/** What the cases together must have been like for the property to say something. */
function judge(seen: Seen[]) {
  const sum = (field: 'tasks' | 'unknown' | 'compared' | 'changed' | 'pairs' | 'dependentPairs') =>
    seen.reduce((total, one) => total + one[field], 0);
  const share = (part: number, whole: number) => Math.round((100 * part) / whole);
  const kinds = new Set(seen.flatMap((one) => [...one.kinds]));
  console.log(
    `${seen.length} cases, ${sum('tasks')} tasks, ${sum('changed')} changed, ${share(sum('unknown'), sum('tasks'))} % unknown, ` +
      `${share(sum('compared'), sum('tasks'))} % compared, ${share(sum('dependentPairs'), sum('pairs'))} % of pairs dependent`,
  );
  assert.ok(seen.length >= least * benches.length, `only ${seen.length} cases in ${limitMs / 1000} s`);
  assert.ok(
    seen.every(({ size }) => size >= 5),
    'five tasks a playbook',
  );
  assert.ok(share(sum('dependentPairs'), sum('pairs')) >= 30, 'three in ten pairs depend on one another');
  assert.ok(share(sum('unknown'), sum('tasks')) <= 10, 'nine in ten tasks are not unknown');
  assert.ok(share(sum('compared'), sum('tasks')) >= 60, 'most tasks are compared word by word');
  assert.ok(sum('changed') > sum('tasks') / 4, 'there is something to do');
  assert.ok(seen.filter(({ settled }) => settled).length >= seen.length / 4, 'many playbooks end in rest');
  for (const kind of ['dir', 'copy', 'line', 'link', 'absent', 'attr']) assert.ok(kinds.has(`${kind} changed`), kind);
}
