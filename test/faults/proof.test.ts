/** That the table of faults can fail: each of its main claims is broken once in kpush itself, and a row finds it. */
import * as assert from 'uvu/assert';
import { Lab } from '../lab-kit/index.ts';
import { suite } from '../support/harness.ts';
import { rows } from './rows/index.ts';
import { type Mutant, mutatedKpush } from './support/bundle.ts';
import { Scene } from './support/scene.ts';

const test = suite('faults in kpush itself', { timeout: 300_000 });
let lab: Lab;

interface Proof {
  mutant: Mutant;
  /** The row of the table, by its fault. */
  row: string;
  /** What is found. */
  finds: RegExp;
  /** Without what this row looks at. */
  blind?: boolean;
}

const proofs: Proof[] = [
  {
    mutant: {
      name: 'a write in place',
      file: 'remote/put.sh.ts',
      changes: [['  trap \'rm -f "$kp_t"\' EXIT\n  umask 077\n  set -C\n', '  kp_t=$1\n']],
    },
    row: 'disk full',
    blind: true,
    finds: /is half-written/,
  },
  {
    mutant: {
      name: 'a watcher that ends nothing',
      file: 'remote/base.sh.ts',
      changes: [['kp_kill() {\n', 'kp_kill() {\n  return\n']],
    },
    row: 'kpush killed -9',
    finds: /still runs: /,
  },
  {
    mutant: {
      name: 'a lock that is never judged stale',
      file: 'remote/lock.sh.ts',
      changes: [['[ "$kp_1" ] && [ "$kp_4" = "$kp_o" ] && kp_age "$kp_5" && [ "$kp_x" = "$kp_6" ]', '[ "$kp_1" ]']],
    },
    row: 'a lock whose owner is gone (another boot, a dead process)',
    finds: /exit code[\s\S]*locked by run/,
  },
  {
    mutant: {
      name: 'a temp that stays',
      file: 'remote/put.sh.ts',
      changes: [
        ['  trap \'rm -f "$kp_t"\' EXIT\n', ''],
        ['}.tmp\n', '}.left\n'],
      ],
    },
    row: 'a validation that fails',
    finds: /left behind: \.kpush-/,
  },
];

test('the lab is up', async () => {
  lab = await Lab.up({ hosts: proofs.length });
});

for (const [n, { mutant, row, finds, blind }] of proofs.entries())
  test(`${mutant.name} is found by "${row}"`, async () => {
    const { observe, ...others } = rows.find((one) => one.fault === row)!;
    // What every row is checked for must find it, where the row itself looks at the same.
    const fault = blind || !observe ? others : { ...others, observe };
    const scene = new Scene(lab, `h${n + 1}`, fault, mutatedKpush(mutant));
    const failure = await scene.play().then(
      () => undefined,
      (error: Error) => `${error.message}\n${(error as { details?: string }).details ?? ''}`,
    );
    assert.match(failure ?? 'nothing was found', finds);
  });

test('the lab is left', () => lab.down());
test.run();
