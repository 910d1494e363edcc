import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename } from 'node:path';
import fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { RemoteStep } from '../../../src/core/session.ts';
import type { PutRun } from '../../../src/core/steps.ts';
import { compileRun } from '../../../src/remote/compile.ts';
import { stageLibrary } from '../../../src/remote/stage.sh.ts';
import { suite } from '../../support/harness.ts';
import { local, ran, rejects, shells, step, temp, trip, withSession } from './support.ts';

const test = suite('atomic writes', { timeout: 20_000 });
/** Of "big". */
const sha256 = '2a21fe6d592a19b7de898b50eb53c429608de1a66f3e9f62da19714a770553d1';
const isRoot = process.getuid?.() === 0;

function put(path: string, more: Partial<PutRun> = {}, options: Partial<RemoteStep> = {}): RemoteStep {
  const run: PutRun = { kind: 'put', path, content: { kind: 'text', text: 'new\n' }, mode: 0o644, ...more };
  return step(path, '', { ...compileRun(run), ...options });
}

for (const shell of shells()) {
  const name = basename(shell);
  const run = (steps: RemoteStep[]) =>
    withSession(local(shell), async (session) =>
      ran(await session.change(trip(steps), {})).map((s) => [s.status, s.stderr.toString()] as const),
    );

  test(`${name}: any text and any bytes arrive exactly, with the mode asked for`, async () => {
    const dir = temp();
    const texts = [
      '',
      '\n',
      'no newline',
      'it\'s \\n %s $(x) `y` "z"\n',
      '\u00e4\u20ac\u{1f600}\r\n\t',
      '-n',
      'x'.repeat(250_000),
      ...fc.sample(fc.string({ unit: 'binary' }), 30),
    ].map((text) => text.replaceAll('\0', ''));
    const bytes = Buffer.from(Array.from({ length: 1000 }, (_, i) => i % 256));
    const steps = texts.map((text, n) =>
      put(`${dir}/text ${n}`, { content: { kind: 'text', text }, mode: 0o600 + (n % 8) }),
    );
    steps.push(put(`${dir}/bytes`, { content: { kind: 'base64', data: bytes.toString('base64') }, mode: 0o4755 }));
    assert.equal(
      (await run(steps)).filter(([status]) => status !== 'ok'),
      [],
    );
    for (const [n, text] of texts.entries()) {
      assert.is(readFileSync(`${dir}/text ${n}`, 'utf8'), Buffer.from(text).toString('utf8'));
      assert.is(statSync(`${dir}/text ${n}`).mode & 0o7777, 0o600 + (n % 8));
    }
    assert.ok(readFileSync(`${dir}/bytes`).equals(bytes));
    assert.is(statSync(`${dir}/bytes`).mode & 0o7777, 0o4755);
    assert.is(readdirSync(dir).length, texts.length + 1);
  });

  test(`${name}: the old file is replaced, not written through: links and open readers keep the old content`, async () => {
    const dir = temp();
    writeFileSync(`${dir}/target`, 'kept');
    symlinkSync('target', `${dir}/link`);
    writeFileSync(`${dir}/plain`, 'old');
    const before = lstatSync(`${dir}/plain`).ino;
    await run([put(`${dir}/link`), put(`${dir}/plain`)]);
    assert.is(readFileSync(`${dir}/target`, 'utf8'), 'kept');
    assert.ok(lstatSync(`${dir}/link`).isFile());
    assert.is.not(lstatSync(`${dir}/plain`).ino, before);
  });

  test(`${name}: a directory and a missing parent are refused with names`, async () => {
    const dir = temp();
    mkdirSync(`${dir}/d`);
    const go = { onFail: 'go-on' } as const;
    const got = await run([
      put(`${dir}/d`, {}, go),
      put(`${dir}/no/file`, {}, go),
      put(`${dir}/d/${'x'.repeat(300)}`, {}, go),
    ]);
    assert.equal(got[0], ['failed', `${dir}/d is a directory\n`]);
    assert.equal(got[1], ['failed', `${dir}/no: no such directory\n`]);
    assert.match(got[2]?.[1] ?? '', /too long/);
    assert.equal(readdirSync(`${dir}/d`), []);
  });

  test(`${name}: validate sees the new content under another name, and its refusal keeps the old file`, async () => {
    const dir = temp();
    writeFileSync(`${dir}/f`, 'old');
    const go = { onFail: 'go-on' } as const;
    const got = await run([
      put(`${dir}/f`, { validate: `sh -c 'cat "$1" >"$0/seen"; echo "$1" >"$0/path"; exit 1' ${dir} %s` }, go),
      put(`${dir}/g`, { validate: 'grep -q new %s' }, go),
    ]);
    assert.match(got[0]?.[1] ?? '', /validate failed: sh -c/);
    assert.is(got[1]?.[0], 'ok');
    assert.is(readFileSync(`${dir}/f`, 'utf8'), 'old');
    assert.is(readFileSync(`${dir}/seen`, 'utf8'), 'new\n');
    assert.is(readFileSync(`${dir}/g`, 'utf8'), 'new\n');
    const path = readFileSync(`${dir}/path`, 'utf8').trim();
    assert.match(path, /\/\.kpush-run-1-[^/]+\.tmp$/);
    assert.not.ok(existsSync(path));
  });

  test(`${name}: a link put where the temp was, or where the backup goes, gets nothing of what is for the file`, async () => {
    const dir = temp();
    writeFileSync(`${dir}/victim`, 'kept', { mode: 0o600 });
    writeFileSync(`${dir}/file`, 'old');
    // What another user of the directory does in the same moment.
    const swap = `sh -c 'rm -f "$1"; ln -s ${dir}/victim "$1"' - %s`;
    symlinkSync(`${dir}/victim`, `${dir}/backup`);
    const owner = { owner: `${process.getuid?.()}` };
    const outcomes = await run([put(`${dir}/swapped`, { validate: swap, mode: 0o666, ...owner })]);
    const backed = await run([put(`${dir}/file`, { backup: `${dir}/backup` })]);
    for (const [status] of [...outcomes, ...backed]) assert.is(status, 'failed');
    assert.match(outcomes[0]![1], /something else took the place/);
    assert.match(backed[0]![1], /backup is there already/);
    assert.is(readFileSync(`${dir}/victim`, 'utf8'), 'kept');
    assert.is(statSync(`${dir}/victim`).mode & 0o7777, 0o600);
    assert.is(readFileSync(`${dir}/file`, 'utf8'), 'old');
    assert.equal(readdirSync(dir).sort(), ['backup', 'file', 'victim']);
  });

  test(`${name}: a backup keeps content and mode; without an old file there is none`, async () => {
    const dir = temp();
    writeFileSync(`${dir}/f`, 'old', { mode: 0o640 });
    await run([put(`${dir}/f`, { backup: `${dir}/f.bak` }), put(`${dir}/g`, { backup: `${dir}/g.bak` })]);
    assert.equal([readFileSync(`${dir}/f.bak`, 'utf8'), statSync(`${dir}/f.bak`).mode & 0o777], ['old', 0o640]);
    assert.not.ok(existsSync(`${dir}/g.bak`));
  });

  test(`${name}: temps of dead runs are swept, other files are not`, async () => {
    const dir = temp();
    for (const file of ['.kpush-old-1234.tmp', '.kpush-blob', 'x.tmp', '.kpush-run-1-other.tmp'])
      writeFileSync(`${dir}/${file}`, '');
    await run([put(`${dir}/f`)]);
    assert.equal(readdirSync(dir).sort(), ['.kpush-blob', '.kpush-run-1-other.tmp', 'f', 'x.tmp']);
  });

  test(`${name}: a file sent ahead takes its place, from beside its target or from a store, and does not stay there`, async () => {
    const dir = temp();
    await withSession(local(shell), async (session) => {
      writeFileSync(`${dir}/source`, 'big');
      const wrong = { source: `${dir}/source`, sha256: '0'.repeat(64), size: 3, path: `${dir}/beside` };
      await rejects(
        session.stage({}, wrong, () => {}),
        /beside: sha256 is wrong/,
      );
      assert.equal(readdirSync(dir), ['source']);
      for (const path of [`${dir}/beside`, `${dir}/kpush/blobs/one`]) {
        const content = { kind: 'blob' as const, path, sha256, size: 3 };
        await session.stage({}, { source: `${dir}/source`, sha256, size: 3, path }, () => {});
        const [reply] = ran(await session.change(trip([put(`${dir}/${basename(path)}.final`, { content })]), {}));
        assert.is(reply?.status, 'ok', reply?.stderr.toString());
      }
      assert.equal(
        [readFileSync(`${dir}/beside.final`, 'utf8'), readFileSync(`${dir}/one.final`, 'utf8')],
        ['big', 'big'],
      );
      assert.not.ok(existsSync(`${dir}/beside`));
    });
    assert.equal(readdirSync(`${dir}/kpush/blobs`), []);
  });

  test(`${name}: of files that no step took, the newest stay, up to a size`, () => {
    const dir = temp();
    for (const [at, file] of ['old', 'middle', 'new'].entries()) {
      writeFileSync(`${dir}/${file}`, Buffer.alloc(1_500_000));
      utimesSync(`${dir}/${file}`, 1000 + at, 1000 + at);
    }
    const { status, stderr } = spawnSync(shell, ['-c', `${stageLibrary}kp_bound ${dir} 5`], { encoding: 'utf8' });
    assert.equal([status, stderr], [0, '']);
    assert.equal(readdirSync(dir).sort(), ['middle', 'new']);
  });

  if (isRoot)
    test(`${name}: owner and group are set before the mode, so that set-id bits stay; a set-gid parent gives its group`, async () => {
      const dir = temp();
      await run([
        put(`${dir}/f`, { owner: 'daemon', group: 'adm', mode: 0o6750 }),
        put(`${dir}/g`, { group: '4242', mode: 0o600 }),
      ]);
      const { uid, gid, mode } = statSync(`${dir}/f`);
      assert.equal([uid, gid, mode & 0o7777], [1, 4, 0o6750]);
      assert.is(statSync(`${dir}/g`).gid, 4242);
      mkdirSync(`${dir}/shared`);
      chownSync(`${dir}/shared`, 0, 4);
      chmodSync(`${dir}/shared`, 0o2755);
      await run([put(`${dir}/shared/f`)]);
      assert.is(statSync(`${dir}/shared/f`).gid, 4);
      for (const [n, group] of ['0', 'root'].entries()) {
        await run([put(`${dir}/shared/root${n}`, { owner: 'root', group })]);
        assert.is(statSync(`${dir}/shared/root${n}`).gid, 0);
      }
    });
}

test.run();
