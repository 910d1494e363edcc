import { writeFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { type Cut, CutLab, cuts, deadline } from '../faults/support/cuts.ts';
import { steps } from '../faults/support/held.ts';
import { suite } from '../support/harness.ts';
import { hostRoot } from './support/host-root.ts';

/** A few fields of the table of test/faults/boundaries.test.ts, and that its checks catch what they are for. */
const test = suite('cut off in a step', { timeout: 120_000 });

const fields: [cut: string, steps: string[]][] = [
  ['kpush killed -9', ['write', 'package']],
  ['the channel closed', ['shell', 'handle']],
  ['the link down', ['unit', 'command']],
  ['silence', ['start', 'line']],
];
let lab: CutLab;
let boundaries: { key: string; name: string }[];
const at = (step: string) => boundaries.find(({ name }) => name === step)!;

test(
  'an uninterrupted run tells its steps, one of each kind',
  async () => {
    lab = await CutLab.up();
    boundaries = await lab.boundaries();
    assert.equal(
      boundaries.map(({ name }) => name),
      steps,
    );
  },
  { timeout: 400_000 },
);

for (const [n, [name, some]] of fields.entries())
  for (const step of some)
    test(`${name} in "${step}": nothing runs on, nothing is half-written, the next run ends it`, () =>
      lab.cutAt(cuts.find((cut) => cut.name === name)!, `h${n + 1}`, at(step)));

test('planted: a host that bears silence too long is caught', async () => {
  const silence = cuts.find(({ name }) => name === 'silence')!;
  await fails(
    () => lab.cutAt({ ...silence, deadline: 600, within: deadline + 2 }, 'h4', at('shell')),
    /still there: .*hold shell/,
  );
});

test('planted: a process that outlives a close is caught', async () => {
  const orphan: Cut = {
    ...cuts[0]!,
    inject: async (_lab, host, child) => {
      await lab.lab.sh(host, 'setsid sleep 300 >/dev/null 2>&1 &');
      child.kill('SIGKILL');
    },
    heal: async (_lab, host) => void (await lab.lab.exec(host, ['pkill', '-x', 'sleep'])),
  };
  await fails(() => lab.cutAt(orphan, 'h1', at('shell')), /still there: .*sleep 300/);
});

test('planted: half a file, and what is left behind, are caught', async () => {
  await lab.reset('h1', []);
  const root = hostRoot(lab.lab, 'h1');
  lab.whole('h1', 'as it was');
  writeFileSync(`${root}/srv/kb/a`, 'new con');
  await fails(async () => lab.whole('h1', 'planted'), /half-written/);
  writeFileSync(`${root}/srv/kb/.kpush-x.tmp`, '');
  assert.ok(lab.leftovers('h1').includes('.kpush-x.tmp'));
});

test('the lab is left', () => lab.lab.down());
test.run();

async function fails(body: () => Promise<unknown>, message: RegExp) {
  const error = await body().then(
    () => undefined,
    (caught: Error) => caught,
  );
  assert.match(error?.message ?? 'it passed', message);
}
