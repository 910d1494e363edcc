import { setTimeout as sleep } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { printLogs } from '../../../src/cli/logs.ts';
import type { Output } from '../../../src/cli/output.ts';
import type { EventBody } from '../../../src/core/events.ts';
import { openJournal } from '../../../src/report/journal.ts';
import { plainStyle as style } from '../../../src/report/style.ts';
import { suite } from '../../support/harness.ts';
import { tempFolder } from '../../support/temp.ts';

const test = suite('logs');

/** A run of this process, so one that runs, and a reader of its record. */
function begun(host?: string) {
  const journal = openJournal(tempFolder('logs'), '20261130-120000-abcdef', (error) => {
    throw error;
  });
  const add = async (body: EventBody) => {
    journal.add({ time: Date.now(), ...body });
    await journal.synced();
  };
  let text = '';
  const reader = { isThere: true };
  const output = {
    out: (more: string) => (text += more),
    err: () => {},
    isRead: () => reader.isThere,
  } as unknown as Output;
  const follow = () => printLogs(journal.dir, { ...(host ? { host } : {}), follow: true, output, style });
  return { add, follow, reader, text: () => text };
}

const warning = (host: string, message: string): EventBody => ({ type: 'warning', host, message });
const end: EventBody = { type: 'run-end', exit: 0, class: 'ok', seconds: 1 };

test('-f prints what comes while the run goes on, and ends with it', async () => {
  const { add, follow, text } = begun();
  await add(warning('h1', 'first'));
  let isOver = false;
  const done = follow().then(() => (isOver = true));
  await until(() => text().includes('first'));
  await add(warning('h2', 'second'));
  await until(() => text().includes('second'));
  assert.is(isOver, false);
  await add(end);
  await done;
  assert.is(text().match(/first/g)?.length, 1);
});

test('-f of one host leaves out the others', async () => {
  const { add, follow, text } = begun('h2');
  await add(warning('h1', 'first'));
  const done = follow();
  await add(warning('h2', 'second'));
  await add(end);
  await done;
  assert.match(text(), /second/);
  assert.not.match(text(), /first/);
});

test('-f ends when nobody reads any more', async () => {
  const { add, follow, reader } = begun();
  await add(warning('h1', 'first'));
  const done = follow();
  reader.isThere = false;
  await done;
});

test.run();

async function until(holds: () => boolean) {
  for (let tries = 0; tries < 100 && !holds(); tries++) await sleep(50);
  assert.ok(holds(), 'it did not come within 5 s');
}
