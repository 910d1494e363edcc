import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import * as assert from 'uvu/assert';
import type { Plan } from '../../../src/core/module.ts';
import type { Session, StepReply } from '../../../src/core/session.ts';
import { getUrlModule } from '../../../src/modules/get_url.ts';
import { suite } from '../../support/harness.ts';
import { local, temp, withSession } from '../../unit/remote/support.ts';
import { Host } from './host.ts';
import { planOf } from './plan.ts';

/** Downloads by each tool a host may have, from a server of our own. */
const t = suite('downloads', { timeout: 30_000 });
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const body = 'payload\n';

for (const [tool, program] of tools()) {
  t(`${tool}: a new file, judged by its checksum`, () =>
    withServer(async (url, folder, session) => {
      const { plan, replies } = await run(session, folder, program, {
        url,
        dest: 'DIR/x',
        checksum: `sha256:${sha256(body)}`,
        mode: '0751',
      });
      assert.is(replies[0]!.status, 'ok', replies[0]!.stderr.toString());
      assert.is(readFileSync(join(folder, 'x'), 'utf8'), body);
      assert.is(statSync(join(folder, 'x')).mode & 0o7777, 0o751);
      assert.match(replies[0]!.stdout.toString(), /^kpush: changed 8 [0-9a-f]{40} [0-9a-f]{32} \n$/);
      const host = new Host(session);
      const again = await host.plan((view) =>
        planOf('get_url', { url, dest: 'DIR/x', checksum: `sha256:${sha256(body)}` }, folder, view),
      );
      assert.equal(again.steps, []);
      assert.is(plan.steps.length, 1);
    }),
  );

  t(`${tool}: a wrong checksum leaves what was there, and nothing besides`, () =>
    withServer(async (url, folder, session) => {
      writeFileSync(join(folder, 'x'), 'old');
      const { replies } = await run(session, folder, program, {
        url,
        dest: 'DIR/x',
        checksum: `sha256:${sha256('other')}`,
      });
      assert.is(replies[0]!.status, 'failed');
      assert.match(replies[0]!.stderr.toString(), /The checksum for .* did not match .*; it was /);
      assert.is(readFileSync(join(folder, 'x'), 'utf8'), 'old');
      assert.equal(readdirSync(folder).sort(), ['site', 'tools', 'x']);
    }),
  );

  t(`${tool}: with force, the same content leaves the file as it is`, () =>
    withServer(async (url, folder, session) => {
      writeFileSync(join(folder, 'x'), body);
      const { inode, plan, replies } = await run(session, folder, program, {
        url,
        dest: 'DIR/x',
        force: true,
        mode: '0600',
      });
      assert.is(statSync(join(folder, 'x')).ino, inode);
      assert.is(statSync(join(folder, 'x')).mode & 0o7777, 0o600);
      assert.match(replies[0]!.stdout.toString(), /^kpush: same 8 /);
      assert.is(completed(plan, replies).changed, true, 'the mode changed');
    }),
  );

  t(`${tool}: a failing server is a failure that says so`, () =>
    withServer(async (url, folder, session) => {
      const { replies } = await run(session, folder, program, { url: `${url}/none`, dest: 'DIR/x' });
      assert.is(replies[0]!.status, 'failed');
      assert.match(replies[0]!.stderr.toString(), /404/);
      assert.equal(readdirSync(folder).sort(), ['site', 'tools']);
    }),
  );

  if (tool !== 'busybox wget')
    t(`${tool}: headers and passwords arrive, quotes and all`, () =>
      withServer(async (url, folder, session, seen) => {
        const params = {
          url,
          dest: 'DIR/x',
          headers: { 'X-Odd': 'a "b" \\c $(d)' },
          url_username: 'u"x',
          url_password: 'p\\q w',
        };
        const { replies } = await run(session, folder, program, params);
        assert.is(replies[0]!.status, 'ok', replies[0]!.stderr.toString());
        assert.is(seen.at(-1)!.headers['x-odd'], 'a "b" \\c $(d)');
        assert.is(seen.at(-1)!.headers.authorization, `Basic ${Buffer.from('u"x:p\\q w').toString('base64')}`);
        assert.is(seen.at(-1)!.headers['user-agent'], 'ansible-httpget');
      }),
    );
}

t('busybox wget cannot be told a secret: an error says what can', () =>
  withServer(async (url, folder, session) => {
    const program = tools().get('busybox wget');
    if (!program) throw new Error('no busybox on this machine');
    const { replies } = await run(session, folder, program, { url, dest: 'DIR/x', headers: { a: 'b' } });
    assert.match(replies[0]!.stderr.toString(), /headers and passwords need curl or GNU wget/);
  }),
);
t.run();

function completed(plan: Plan, replies: StepReply[]) {
  const outcomes = replies.map((reply) => ({
    ...reply,
    stdout: reply.stdout.toString(),
    stderr: reply.stderr.toString(),
  }));
  const params = { url: 'http://x' } as never;
  return getUrlModule.complete!(params, plan.result, outcomes as never, {} as never);
}

/** What this machine has to download with: a name, and the program and the name it is called by. */
function tools(): Map<string, [string, string]> {
  const find = (name: string) =>
    (process.env.PATH ?? '')
      .split(delimiter)
      .map((dir) => join(dir, name))
      .find(existsSync);
  const found = new Map<string, [string, string]>();
  const [curl, wget, busybox] = [find('curl'), find('wget'), find('busybox')];
  if (curl) found.set('curl', [curl, 'curl']);
  if (wget) found.set('GNU wget', [wget, 'wget']);
  if (busybox) found.set('busybox wget', [busybox, 'wget']);
  return found;
}

/** Plans and runs with a PATH on which only this tool can download. */
async function run(
  session: Session,
  folder: string,
  [program, name]: [string, string],
  params: Record<string, unknown>,
) {
  const path = join(folder, 'tools');
  mkdirSync(path);
  symlinkSync(program, join(path, name));
  for (const tool of [
    'cat',
    'chgrp',
    'chmod',
    'chown',
    'cp',
    'grep',
    'md5sum',
    'mv',
    'rm',
    'sha1sum',
    'sha256sum',
    'sync',
    'wc',
  ])
    symlinkSync(`/usr/bin/${tool}`, join(path, tool));
  const target = join(folder, 'x');
  const inode = existsSync(target) ? statSync(target).ino : 0;
  const host = new Host(session);
  const plan = await host.plan((view) => planOf('get_url', params, folder, view));
  const replies = await host.run(plan.steps.map((step) => ({ ...step, env: { PATH: path } })));
  return { plan, replies, inode };
}

async function withServer(
  test: (url: string, folder: string, session: Session, seen: IncomingMessage[]) => Promise<void>,
) {
  const seen: IncomingMessage[] = [];
  const server: Server = createServer((request, response) => {
    seen.push(request);
    response.statusCode = request.url?.endsWith('/none') ? 404 : 200;
    response.end(response.statusCode === 200 ? body : 'no');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const folder = temp();
  mkdirSync(join(folder, 'site'));
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await withSession(local('/bin/dash'), (session) => test(url, folder, session, seen));
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
