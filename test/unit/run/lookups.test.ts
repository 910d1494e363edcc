import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { EventBody } from '../../../src/core/events.ts';
import { TemplateError, Unknown } from '../../../src/jinja/index.ts';
import { type ControllerLookupOptions, ControllerLookups } from '../../../src/run/lookups.ts';
import { suite } from '../../support/harness.ts';
import { tempFolder } from '../../support/temp.ts';

const test = suite('run/lookups');
const origin = { file: 'site.yml', line: 3, column: 7 };
const asker = { host: 'h1', task: 't1', origin };

function setUp(options: Partial<ControllerLookupOptions> = {}) {
  const folder = tempFolder('lookups');
  const events: EventBody[] = [];
  const concealed: string[] = [];
  const lookups = new ControllerLookups({
    noProbes: false,
    writes: () => true,
    emit: (event) => events.push(event),
    conceal: (secret) => concealed.push(secret),
    ...options,
  });
  return { lookups, events, concealed, folder, done: () => rmSync(folder, { recursive: true }) };
}

test('a command is told with its place, runs in the folder, and once for a task and host', () => {
  const { lookups, events, folder, done } = setUp();
  const command = 'echo x >> ran; pwd; exit 3';
  const first = lookups.run(command, folder, asker);
  assert.equal(first, { rc: 3, stdout: `${folder}\n` });
  assert.is(lookups.run(command, folder, asker), first);
  assert.equal(events, [{ type: 'probe', host: 'h1', task: 't1', origin, command }]);
  lookups.run(command, folder, { ...asker, task: 't2' });
  lookups.renew();
  lookups.run(command, folder, asker);
  assert.is(readFileSync(join(folder, 'ran'), 'utf8'), 'x\nx\nx\n');
  assert.is(events.length, 3);
  done();
});

test('--no-probes runs nothing', () => {
  const { lookups, events, folder, done } = setUp({ noProbes: true });
  assert.instance(lookups.run('touch ran', folder, asker), Unknown);
  assert.throws(() => statSync(join(folder, 'ran')), /ENOENT/);
  assert.equal(events, []);
  done();
});

test('a command that takes too long is ended and says so', () => {
  const { lookups, folder, done } = setUp({ timeout: 100 });
  const answer = lookups.run('sleep 20', folder, asker) as { problem?: string };
  assert.is(answer.problem, 'it took longer than 0.1 s');
  done();
});

test('a plan writes no password', () => {
  const { lookups, folder, done } = setUp({ writes: () => false });
  const kept = lookups.savePassword(join(folder, 'pw'), 'secret-1', asker) as Unknown;
  assert.is(kept.why, `the password that is written to ${folder}/pw`);
  assert.throws(() => statSync(join(folder, 'pw')), /ENOENT/);
  done();
});

test('an apply writes it for the owner only, veils it and says so; the first to write wins', () => {
  const { lookups, events, concealed, folder, done } = setUp();
  const path = join(folder, 'new', 'pw');
  assert.is(lookups.savePassword(path, 'secret-1', asker), 'secret-1');
  assert.is(lookups.savePassword(path, 'secret-2', { ...asker, host: 'h2' }), 'secret-1');
  assert.is(readFileSync(path, 'utf8'), 'secret-1\n');
  assert.is(statSync(path).mode & 0o777, 0o600);
  assert.equal(concealed, ['secret-1', 'secret-1']);
  assert.equal(events, [{ type: 'warning', host: 'h1', origin, message: `a new password was written to ${path}` }]);
  done();
});

test('a password that cannot be written fails the template', () => {
  const { lookups, folder, done } = setUp();
  writeFileSync(join(folder, 'file'), '');
  assert.throws(
    () => lookups.savePassword(join(folder, 'file', 'pw'), 'secret-1', asker),
    (error: unknown) => error instanceof TemplateError && /could not be written/.test(error.message),
  );
  done();
});
test.run();
