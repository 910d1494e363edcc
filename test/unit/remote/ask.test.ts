import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { quote } from '../../../src/core/quote.ts';
import { openSession } from '../../../src/remote/session.ts';
import { localTransport } from '../../../src/transports/local.ts';
import { suite } from '../../support/harness.ts';
import { local, processesWith, rejects, shells, target, temp, waitFor, withSession } from './support.ts';

const test = suite('asking a shell', { timeout: 20_000 });
const record = (script: string) => ({ script, records: 1 });

for (const shell of shells()) {
  const name = basename(shell);

  test(`${name}: the first and later asks answer alike, block by block`, () =>
    withSession(local(shell), async (session) => {
      const blocks = [
        { script: "printf 'a\\nb'; kp_sep; printf %s \"it's \\\\ 100%!\"; kp_sep", records: 2 },
        record('kp_sep'),
        record('echo x; kp_sep'),
      ];
      const expected = [['a\nb', "it's \\ 100%!"], [''], ['x\n']];
      assert.equal(await session.ask({}, blocks), expected);
      assert.equal(await session.ask({}, blocks), expected);
      assert.is(session.stats.trips, 2);
    }));

  test(`${name}: bytes come back as they are, on the first ask all but NUL`, () =>
    withSession(local(shell), async (session) => {
      const all = Array.from({ length: 255 }, (_, i) => i + 1).filter((byte) => byte !== 0x1e);
      const octal = (bytes: number[]) => bytes.map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
      const text = Buffer.from(all).toString('latin1');
      assert.equal(await session.ask({}, [record(`printf '${octal(all)}'; kp_sep`)]), [[text]]);
      assert.equal(await session.ask({}, [record(`printf '${octal([0, ...all])}'; kp_sep`)]), [[`\0${text}`]]);
    }));

  test(`${name}: quoting is exact for any text`, () =>
    withSession(local(shell), async (session) => {
      const texts = fc
        .sample(fc.string({ unit: 'grapheme', maxLength: 40 }), 150)
        .concat(
          fc.sample(
            fc.string({ unit: fc.constantFrom(...'\'"\\$`!\n\t ~*?[]{}()<>|&;#=-%\x01\x7f'), maxLength: 30 }),
            150,
          ),
        );
      const wanted = texts.map((text) => text.replaceAll('\0', '').replaceAll('\x1e', ''));
      const script = wanted.map((text) => `printf %s ${quote(text)};kp_sep`).join('\n');
      const asUtf8 = (answers: string[][]) =>
        answers[0]?.map((answer) => Buffer.from(answer, 'latin1').toString('utf8'));
      // Once through the exec command and its encoding, once by stdin.
      for (let n = 0; n < 2; n++)
        assert.equal(asUtf8(await session.ask({}, [{ script, records: wanted.length }])), wanted);
    }));

  test(`${name}: a secret ask and a long one go by stdin, never in argv`, () =>
    withSession(local(shell), async (session) => {
      const word = `hush-${process.pid}-${name}`;
      const seen = async (secret: boolean) => {
        // The question waits until it was looked for, however slow the machine is.
        const [begun, go] = [join(temp(), 'begun'), join(temp(), 'go')];
        const script = `: ${word}; : >${begun}; until [ -f ${go} ]; do sleep .1; done; kp_sep`;
        const asked = session.ask({}, [{ script, records: 1, secret }]);
        await waitFor('the question', () => existsSync(begun));
        const found = processesWith(word).length > 0;
        writeFileSync(go, '');
        await asked;
        return found;
      };
      assert.is(await seen(true), false);
      await session.reset();
      assert.is(await seen(false), true, 'the first open ask rides in argv');
      await session.reset();
      const long = `: ${'x'.repeat(120_000)}\n`;
      assert.equal(await session.ask({}, [record(`${long}echo ok; kp_sep`)]), [['ok\n']]);
    }));

  test(`${name}: too few answers and a too large one are errors with names; a shell that died is replaced`, () =>
    withSession(local(shell), async (session) => {
      const names = ['file:/a', 'file:/b'];
      const ask = (script: string) => session.ask({}, [{ script, records: 2, names }]);
      for (let n = 0; n < 2; n++) {
        await rejects(ask('echo; kp_sep'), /1 answers came to 2 questions \(near file:\/b\)/);
        await rejects(
          ask('echo; kp_sep; head -c 1200000 /dev/zero | tr "\\0" a; kp_sep'),
          /file:\/b is larger than 1048576/,
        );
      }
      await rejects(ask('kill -9 $$'), /the shell on here ended/);
      assert.equal(await session.ask({}, [record('echo on; kp_sep')]), [['on\n']], 'goes on with a new shell');
    }));

  test(`${name}: noise of rc files and late writers is kept out of the answers`, () =>
    withSession(local(shell), async (session) => {
      await session.ask({}, [record('echo one; kp_sep; (sleep .2; echo late) & ')]);
      await new Promise((resolve) => setTimeout(resolve, 300));
      assert.equal(await session.ask({}, [record('echo two; kp_sep')]), [['two\n']]);
    }));

  test(`${name}: an abort ends the shell and what it runs`, () =>
    withSession(local(shell), async (session) => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 200);
      const started = Date.now();
      await rejects(session.ask({}, [record('sleep 30; kp_sep')], controller.signal), /interrupted/);
      assert.ok(Date.now() - started < 2000);
      assert.equal(await session.ask({}, [record('echo again; kp_sep')]), [['again\n']]);
    }));

  test(`${name}: fetch gives any bytes, never a cut copy`, () =>
    withSession(local(shell), async (session) => {
      assert.ok((await session.fetch({}, process.execPath, 300_000_000)).length > 1_000_000);
      await rejects(session.fetch({}, process.execPath, 1000), /is larger than 1000 bytes/);
      await rejects(session.fetch({}, '/no/such', 1000), /cannot read \/no\/such: .*No such file/);
    }));
}

test('a script that lacks its end is given up, and said so', () =>
  withSession(local('/bin/sh', { openTimeout: 1500 }), (session) =>
    rejects(session.ask({}, [record('echo "unclosed')]), /has not (taken the script|started a shell) in 1\.5 s/),
  ));

test('a trace holds what is sent and received, for nobody else to read', async () => {
  const trace = `${temp()}/trace`;
  await withSession(local('/bin/sh', { trace }), (session) =>
    session.ask({}, [record('echo sent-and-$((40+2)); kp_sep')]),
  );
  const text = readFileSync(trace, 'utf8');
  assert.match(text, /here exec \d+\n[\s\S]*sent-and-\$[\s\S]*here stdout \d+\n[\s\S]*sent-and-42/);
  assert.is(statSync(trace).mode & 0o777, 0o600);
});

test('a shell that is not there is named', () =>
  withSession(
    openSession(target({ shell: '/bin/no-shell' }), { transport: localTransport, openTimeout: 2000 }),
    (session) => rejects(session.ask({}, [record('kp_sep')]), /no-shell/),
  ));

test('a shell that never speaks is given up', () =>
  withSession(openSession(target({ shell: '/bin/sh' }), { transport: silent(), openTimeout: 300 }), (session) =>
    rejects(session.ask({}, [record('kp_sep')]), /has not started a shell in 0.3 s/),
  ));

test.run();

function silent() {
  return {
    connect: async () => {
      const connection = await localTransport.connect(target());
      return Object.assign(Object.create(connection) as typeof connection, {
        exec: (_command: string, handlers: Parameters<typeof connection.exec>[1]) =>
          connection.exec('exec sleep 20', handlers),
      });
    },
  };
}
