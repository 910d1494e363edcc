import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { labInventory, scratch } from '../lab/support/inventory.ts';
import { type Bench, check, type Seen } from '../lab/support/property/check.ts';
import { HostDisk } from '../lab/support/property/disk.ts';
import { cases } from '../lab/support/property/generate.ts';
import { mutants } from '../lab/support/property/mutants.ts';
import { Lab } from '../lab-kit/index.ts';
import { note, suite } from '../support/harness.ts';

/** Cases tried, half on each host; the same ones each time, unless KPUSH_CASES and KPUSH_SEED say else. */
const runs = Number(process.env.KPUSH_CASES ?? 80) / 2;
const seed = Number(process.env.KPUSH_SEED ?? 2026);
/** A slow machine tries fewer, but never next to none. */
const limitMs = runs * 4000;
const least = 15;
const test = suite('what is shown is what is run', { timeout: limitMs + 300_000 });
const dir = scratch('plan');
/** What must have changed something in some case; the rarer ones when all cases were tried. */
const common = changed('dir', 'copy', 'line', 'link', 'absent', 'attr', 'touch');
const rarer = [
  ...changed('template', 'tree', 'insert', 'replace', 'ini', 'sysctl', 'cron', 'unpack', 'fetch', 'create', 'run'),
  ...changed('unit', 'keep', 'service', 'user', 'group', 'package'),
];
let lab: Lab;
let benches: Bench[];
const seen: Seen[] = [];

test('the lab is up', async () => {
  lab = await Lab.up({ hosts: 2 });
  const hosts = Object.fromEntries(lab.hosts.map(({ name, address }) => [name, { ansible_host: address }]));
  const inventory = labInventory(dir, lab, hosts);
  benches = lab.hosts.map(({ name }) => ({ disk: new HostDisk(lab, name), host: name, inventory, dir }));
  await Promise.all(benches.map(({ disk }) => disk.prepare()));
});

test('generated playbooks over generated hosts: apply does what the plan showed, and leaves nothing to do', async () => {
  const outcomes = await Promise.all(
    benches.map((bench, at) => tried(bench, seed + at, runs, (one) => seen.push(one))),
  );
  note(`seed ${seed}: ${summary(seen)}`);
  for (const outcome of outcomes) if (outcome.failed) throw new Error(outcome.message);
  assert.ok(seen.length >= least * benches.length, `only ${seen.length} cases in ${limitMs / 1000} s`);
});

test('they have five tasks and more, and three in ten pairs depend on one another', () => {
  assert.ok(seen.every(({ size }) => size >= 5));
  assert.ok(share(sum(seen, 'dependentPairs'), sum(seen, 'pairs')) >= 30, summary(seen));
});

test('nine in ten tasks are not unknown, and most are compared word by word', () => {
  assert.ok(share(sum(seen, 'unknown'), sum(seen, 'tasks')) <= 10, summary(seen));
  assert.ok(share(sum(seen, 'compared'), sum(seen, 'tasks')) >= 60, summary(seen));
});

test('there is something to do in every module, and many playbooks end in rest', () => {
  assert.ok(sum(seen, 'changed') > sum(seen, 'tasks') / 4, summary(seen));
  assert.ok(seen.filter(({ settled }) => settled).length >= seen.length / 4, summary(seen));
  const kinds = new Set(seen.flatMap((one) => [...one.kinds]));
  const rare = seen.length < 2 * Math.floor(runs) ? [] : rarer;
  for (const kind of [...common, ...rare]) assert.ok(kinds.has(kind), kind);
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

function changed(...kinds: string[]): string[] {
  return kinds.map((kind) => `${kind} changed`);
}

function sum(seen: Seen[], field: 'tasks' | 'unknown' | 'compared' | 'changed' | 'pairs' | 'dependentPairs'): number {
  return seen.reduce((total, one) => total + one[field], 0);
}

function share(part: number, whole: number): number {
  return Math.round((100 * part) / whole);
}

function summary(seen: Seen[]): string {
  const of = (field: 'unknown' | 'compared') => share(sum(seen, field), sum(seen, 'tasks'));
  return (
    `${seen.length} cases, ${sum(seen, 'tasks')} tasks, ${sum(seen, 'changed')} changed, ${of('unknown')} % unknown, ` +
    `${of('compared')} % compared, ${share(sum(seen, 'dependentPairs'), sum(seen, 'pairs'))} % of pairs dependent`
  );
}
