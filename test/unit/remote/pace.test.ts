import * as assert from 'uvu/assert';
import { Pace } from '../../../src/remote/pace.ts';
import { suite } from '../../support/harness.ts';

const test = suite('the pace of an upload');
const mebi = 1024 * 1024;

function at(start = 0) {
  let ms = 0;
  const pace = new Pace(start, undefined, () => ms);
  const after = (seconds: number) => {
    ms += seconds * 1000;
  };
  return { pace, after };
}

test('begins with one block, and stays there on a slow link', () => {
  const { pace, after } = at();
  assert.equal(pace.next(100 * mebi), { blocks: 1, size: mebi / 2 });
  after(10);
  pace.arrived(mebi / 2);
  assert.equal(pace.next(100 * mebi), { blocks: 1, size: mebi / 2 });
});

test('takes a quarter of a second at the rate so far, and at most 8 MiB', () => {
  const { pace, after } = at(50 * mebi);
  after(1);
  pace.arrived(62 * mebi);
  assert.equal(pace.next(100 * mebi), { blocks: 6, size: mebi / 2 });
  pace.arrived(1050 * mebi);
  assert.equal(pace.next(100 * mebi), { blocks: 16, size: mebi / 2 });
});

test('chunks add up to all that is left', () => {
  const { pace, after } = at();
  after(0.1);
  pace.arrived(8 * mebi);
  let rest = 9 * mebi + 7;
  for (let n = 0; rest > 0 && n < 10; n++) {
    const { blocks, size } = pace.next(rest);
    rest -= blocks * size;
  }
  assert.is(rest, 0);
});

test('all goes at once where the host cannot cut it into chunks', () => {
  assert.equal(new Pace(5, 95).next(95), { blocks: 1, size: 95 });
});

test.run();
