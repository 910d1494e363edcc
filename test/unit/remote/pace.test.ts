import * as assert from 'uvu/assert';
import { furtherChannels, Pace } from '../../../src/remote/pace.ts';
import { suite } from '../../support/harness.ts';

const test = suite('the pace of an upload');
const mebi = 1024 * 1024;

function at(start = 0, roundTrip = 0) {
  let ms = 0;
  const pace = new Pace({ start, roundTrip, now: () => ms });
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

test('of several channels each takes its share of it', () => {
  const { pace, after } = at();
  pace.channels = 4;
  after(1);
  pace.arrived(16 * mebi);
  assert.equal(pace.next(100 * mebi), { blocks: 2, size: mebi / 2 });
});

test('further channels are for what is large, and a link with a delay', () => {
  assert.equal(
    [furtherChannels(100 * mebi, 0.5), furtherChannels(mebi, 50), furtherChannels(100 * mebi, 50)],
    [0, 0, 3],
  );
});

test('follows a link that becomes slower, or faster', () => {
  const { pace, after } = at();
  const blocks = (mebis: number) => {
    after(1.1);
    pace.arrived(mebis * mebi);
    return pace.next(1000 * mebi).blocks;
  };
  assert.equal([50, 100, 104, 105, 125].map(blocks), [16, 16, 1, 1, 9]);
});

test('a link is wide when a window is through it in little more than a round trip', async () => {
  const wide = async (roundTrip: number, seconds: number, mebis: number) => {
    const { pace, after } = at(0, roundTrip);
    after(seconds);
    pace.arrived(mebis * mebi);
    return Promise.race([pace.isWide.then(() => true), Promise.resolve(false).then((no) => no)]);
  };
  assert.equal(await Promise.all([wide(200, 0.3, 2), wide(200, 0.3, 1), wide(200, 5, 2), wide(1, 0.3, 2)]), [
    true,
    false,
    false,
    false,
  ]);
});

test('a host has time for other work but at a rate that no usual link has', () => {
  const { pace, after } = at();
  assert.is(pace.leavesTime, true);
  after(1);
  pace.arrived(118e6);
  assert.is(pace.leavesTime, true);
  pace.arrived(200e6);
  assert.is(pace.leavesTime, false);
  pace.channels = 2;
  assert.is(pace.leavesTime, true);
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
  assert.equal(new Pace({ start: 5, roundTrip: 0, whole: 95 }).next(95), { blocks: 1, size: 95 });
});

test.run();
