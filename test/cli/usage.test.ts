import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { version } from '../../src/cli/version.ts';
import { suite } from '../support/harness.ts';
import { kpush } from './support/program.ts';

const usage = suite('command line', { timeout: 30_000 });

usage('help fits a screen, on stdout', async () => {
  const { out, err, exit } = await kpush('', ['--help']);
  assert.ok(out.split('\n').length <= 24, `${out.split('\n').length} lines`);
  for (const line of out.split('\n')) assert.ok(line.length <= 100, line);
  assert.equal([err, exit], ['', 0]);
});

for (const command of [
  'apply',
  'plan',
  'exec',
  'ping',
  'facts',
  'status',
  'kubeconfig',
  'runs',
  'logs',
  'report',
  'completion',
])
  usage(`help of ${command} has examples`, async () => {
    const { out, exit } = await kpush('', [command, '--help']);
    assert.match(out, new RegExp(`Usage: kpush ${command} [\\s\\S]*Examples:\n  kpush ${command}`));
    assert.is(exit, 0);
  });

usage('a KPUSH_WAITS that no wait has is refused, with what there is', async () => {
  const { err, exit } = await kpush('', ['runs'], { env: { KPUSH_WAITS: 'lock.deadlne=1' } });
  assert.match(err, /KPUSH_WAITS has "lock.deadlne=1"[\s\S]*lock.interval=SECONDS or lock.deadline=SECONDS/);
  assert.is(exit, 1);
});

usage('the version is that of the package', async () => {
  assert.is(version, JSON.parse(readFileSync('package.json', 'utf8')).version);
  assert.is((await kpush('', ['--version'])).out, `${version}\n`);
});

const wrong: [string, string[], RegExp][] = [
  ['a command that is nearly right', ['aply'], /unknown command 'aply'\n\(Did you mean apply\?\)/],
  ['an option that is nearly right', ['plan', '--limt', 'x'], /unknown option '--limt'\n\(Did you mean --limit\?\)/],
  ['a number that is none', ['apply', '--forks', '0'], /argument '0' is invalid. It must be a whole number above 0/],
  ['a format there is not', ['plan', '--output', 'xml'], /Allowed choices are pretty, plain, json/],
  ['a connection there is not', ['plan', '-c', 'winrm'], /It must be ssh, openssh or local/],
  ['options of a command that belong to exec', ['exec', 'all', 'ls', '-p'], /put -- before the command's own options/],
  ['a missing argument', ['exec', 'all'], /missing required argument 'command'/],
  ['a run there is not', ['logs', '2026'], /no runs are recorded in/],
];
for (const [name, args, message] of wrong)
  usage(`${name}: exit 1, a message on stderr, nothing on stdout`, async () => {
    const { out, err, exit } = await kpush('', args);
    assert.match(err, message);
    assert.equal([out, exit], ['', 1]);
  });

usage('options reach the run', async () => {
  const given = [
    'apply',
    '-i',
    'a',
    '-i',
    'b,',
    '-l',
    'x',
    '--tags',
    't',
    '--skip-tags',
    's',
    '-e',
    'k=v',
    '-e',
    '@f',
    '-f',
    '7',
  ];
  const more = [
    '-vvvv',
    '-C',
    '-D',
    '-b',
    '--become-user',
    'u',
    '-u',
    'me',
    '-T',
    '9',
    '-c',
    'smart',
    '--key-file=k',
    '--yes',
  ];
  const { out } = await kpush('options', [...given, ...more, 'one.yml', 'two.yml']);
  const { runId, ...options } = JSON.parse(out);
  assert.match(runId, /^\d{8}-\d{6}-[0-9a-f]{6}$/);
  const nothing = {
    forceHandlers: false,
    forceUnlock: false,
    noProbes: false,
    detailedExitcode: false,
    syntaxCheck: false,
  };
  const asks = { askPass: false, askBecomePass: false, askVaultPass: false, vaultPasswordFiles: [], vaultIds: [] };
  assert.equal(options, {
    ...{ verb: 'apply', inventories: ['a', 'b,'], playbooks: ['one.yml', 'two.yml'], limit: ['x'], tags: ['t'] },
    ...{ skipTags: ['s'], extraVars: ['k=v', '@f'], check: true, diff: true, yes: true, forks: 7, user: 'me' },
    ...{ privateKey: 'k', connection: 'ssh', timeout: 9, become: true, becomeUser: 'u', verbosity: 4 },
    ...{ output: 'plain', strict: false, ...nothing, ...asks },
  });
});

usage('apply --dry-run is plan, a plan shows differences unless told not to', async () => {
  const read = async (args: string[]) => JSON.parse((await kpush('options', args)).out);
  const [dry, quiet, apply, out] = [
    await read(['apply', '--dry-run']),
    await read(['plan', '--no-diff', '--no-probes', '--detailed-exitcode']),
    await read(['apply']),
    await read(['plan', '--list-tags']),
  ];
  assert.equal(
    [dry.verb, dry.diff, quiet.diff, quiet.noProbes, quiet.detailedExitcode],
    ['plan', true, false, true, true],
  );
  assert.equal([apply.verb, apply.diff, out.list], ['apply', false, 'tags']);
});

usage('exec takes its command after --, other commands a pattern', async () => {
  const { out } = await kpush('options', ['exec', 'web', '-b', '--', 'ls', '-la', '--key-file=x']);
  const { verb, pattern, command, become } = JSON.parse(out);
  assert.equal(
    { verb, pattern, command, become },
    { verb: 'exec', pattern: 'web', command: ['ls', '-la', '--key-file=x'], become: true },
  );
  assert.is(JSON.parse((await kpush('options', ['ping'])).out).pattern, 'all');
});

usage('kpush-playbook takes an ansible-playbook command line and does not ask', async () => {
  const args = [
    '-i',
    'h,',
    '--become-method=sudo',
    '-K',
    '--ask-vault-password',
    '--check',
    '--diff',
    '--list-hosts',
    'site.yml',
  ];
  const { out } = await kpush('options', args, { env: { KPUSH_ENTRY: 'kpush-playbook' } });
  const { verb, yes, playbooks, check, diff, list, askBecomePass, askVaultPass } = JSON.parse(out);
  assert.equal([verb, yes, playbooks, check, diff, list], ['apply', true, ['site.yml'], true, true, 'hosts']);
  assert.equal([askBecomePass, askVaultPass], [true, true]);
});

usage('kpush-playbook takes abbreviations and options that mean nothing here', async () => {
  const args = [
    '-i',
    'h,',
    '--extra',
    'a=1',
    '--vault-password=f',
    '--flush-cache',
    '--sftp-extra-args',
    '-x',
    '-M',
    'm',
    'site.yml',
  ];
  const ran = await kpush('options', args, { env: { KPUSH_ENTRY: 'kpush-playbook' } });
  const { extraVars, vaultPasswordFiles } = JSON.parse(ran.out);
  assert.equal([extraVars, vaultPasswordFiles], [['a=1'], ['f']]);
  const open = await kpush('options', ['--ask', 'site.yml'], { env: { KPUSH_ENTRY: 'kpush-playbook' } });
  assert.match(open.err, /unknown option '--ask'/);
});

usage.run();
