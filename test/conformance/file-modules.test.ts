import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import type { Module } from '../../src/core/module.ts';
import { findModule } from '../../src/modules/registry.ts';
import { Host } from '../shells/modules/host.ts';
import { planOf, realParams } from '../shells/modules/plan.ts';
import { scenarios } from '../shells/modules/scenarios.ts';
import { suite } from '../support/harness.ts';
import { plain } from '../unit/modules/run-case.ts';
import { local, temp } from '../unit/remote/support.ts';

/**
 * Each scenario of the file modules, by kpush in one folder and by `ansible` in another: what stands in them afterwards
 * must be the same, and so must the fields of the result that Ansible gives.
 */
const t = suite('file modules against ansible', { timeout: 60_000 });
const session = local('/bin/dash');
const execute = promisify(execFile);

for (const scenario of scenarios.filter(({ differs }) => !differs))
  t(scenario.name, async () => {
    const [ours, theirs] = [prepared(scenario.before), prepared(scenario.before)];
    const mine = await kpush(scenario.module, scenario.params, ours);
    const oracle = await ansible(scenario.module, scenario.params, theirs);
    assert.equal(snapshot(ours), snapshot(theirs));
    assert.equal(comparable(mine, oracle, ours), comparable(oracle, oracle, theirs));
  });
t('the session ends', () => session.close());
t.run();

function prepared(before: string | undefined): string {
  const folder = temp();
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, 'site'));
  const done = spawnSync('sh', ['-e'], {
    input: `umask 022; cd ${folder} || exit 1\n${before ?? ''}`,
    encoding: 'utf8',
  });
  assert.is(done.status, 0, done.stderr);
  return folder;
}

async function kpush(name: string, params: Record<string, unknown>, folder: string): Promise<Record<string, unknown>> {
  const host = new Host(session);
  const plan = await host.plan((view) => planOf(name, params, folder, view));
  const replies = await host.run(plan.steps);
  for (const reply of replies) assert.is(reply.status, 'ok', reply.stderr.toString());
  const outcomes = replies.map((reply) => ({
    ...reply,
    stdout: reply.stdout.toString(),
    stderr: reply.stderr.toString(),
  }));
  const module = findModule(name) as unknown as Module<never>;
  const given = realParams(name, params, folder) as never;
  const result = module.complete?.(given, plan.result, outcomes, {} as never) ?? plan.result;
  return { ...(plain(result.values) as Record<string, unknown>), changed: result.changed };
}

async function ansible(
  name: string,
  params: Record<string, unknown>,
  folder: string,
): Promise<Record<string, unknown>> {
  const args = JSON.stringify(params).replaceAll('DIR', folder);
  const full = name === 'ini_file' ? 'community.general.ini_file' : name;
  const env = {
    ...process.env,
    ANSIBLE_STDOUT_CALLBACK: 'oneline',
    ANSIBLE_LOCALHOST_WARNING: '0',
    ANSIBLE_NOCOLOR: '1',
  };
  const argv = ['localhost', '-c', 'local', '-m', full, '-a', args];
  const run = await execute('ansible', argv, { cwd: join(folder, 'site'), env });
  const text = run.stdout.slice(run.stdout.indexOf('{'), run.stdout.lastIndexOf('}') + 1);
  assert.ok(text, `${run.stdout}${run.stderr}`);
  return JSON.parse(text);
}

/** Every path below a folder with all that a user can see of it, but names with random parts and times in them. */
function snapshot(folder: string): string[] {
  return (readdirSync(folder, { recursive: true, encoding: 'utf8' }) as string[])
    .map((path) => {
      const stat = lstatSync(join(folder, path));
      const text = stat.isFile()
        ? createHash('sha256')
            .update(readFileSync(join(folder, path)))
            .digest('hex')
        : '';
      const target = stat.isSymbolicLink() ? readlinkSync(join(folder, path)).replace(folder, 'DIR') : '';
      const mode = stat.isSymbolicLink() ? '' : (stat.mode & 0o7777).toString(8);
      return [unrandom(path), stat.mode >> 12, mode, stat.uid, stat.gid, text, target].join(' ');
    })
    .sort();
}

function unrandom(path: string): string {
  return path
    .replace(/\.\d+\.\d{4}-\d\d-\d\d@\d\d:\d\d:\d\d~$/, '.BACKUP')
    .replace(/^((?:.*\/)?ansible\.)[^./]+/, '$1RANDOM');
}

/** Fields that name places of the controller, random names, or what only Ansible has. */
const ignored = new Set([
  'src',
  'extract_results',
  'invocation',
  'diff',
  'ansible_facts',
  'backup_file',
  'backup',
  'size',
  'handler',
  'checksum',
  'md5sum',
  'files',
]);

function comparable(
  result: Record<string, unknown>,
  fields: Record<string, unknown>,
  folder: string,
): Record<string, unknown> {
  const names = Object.keys(fields)
    .filter((name) => !ignored.has(name))
    .sort();
  return Object.fromEntries(
    names.map((name) => {
      const value = result[name];
      return [name, typeof value === 'string' ? unrandom(value.replace(folder, 'DIR')) : value];
    }),
  );
}
