import * as assert from 'uvu/assert';
import type { ActionCall } from '../../../src/core/needs.ts';
import type { Target } from '../../../src/core/session.ts';
import type { Value } from '../../../src/jinja/values.ts';
import { loadPlaybook } from '../../../src/load/playbook.ts';
import { createEvaluator } from '../../../src/resolve/evaluator.ts';
import { loadInventory } from '../../../src/resolve/inventory-load.ts';
import type { TargetDefaults } from '../../../src/resolve/target-defaults.ts';
import { playPoint } from '../../../src/resolve/waves.ts';
import { grow } from '../../../src/run/grow.ts';
import { suite } from '../../support/harness.ts';
import { caught } from '../load/support/caught.ts';
import { memorySources } from '../load/support/memory-files.ts';
import { modules } from '../load/support/modules.ts';

const test = suite('resolve/target');
const home: Partial<TargetDefaults> = { home: '/t/home', systemUser: 'me', agent: '/run/agent' };

interface Case {
  vars?: string;
  play?: string;
  task?: string;
  defaults?: Partial<TargetDefaults>;
  host?: string;
  delegate?: string;
}

function setUp({ vars = '', play = '', task = '', defaults = {}, host = 'h1', delegate }: Case) {
  const sources = memorySources({
    'h.yml': `all: {hosts: {h1: {${vars}}, h2: {ansible_host: 10.0.0.2, ansible_user: two, ansible_become_user: chief}}}\n`,
    'p.yml': `- hosts: all\n${play}  tasks:\n    - debug: {msg: x}\n${task}`,
    'home/.ssh/id_rsa': 'k',
    'home/.ssh/id_ed25519': 'k',
  });
  const inventory = loadInventory(['h.yml'], sources);
  const { playbook } = loadPlaybook('p.yml', { sources, modules });
  const evaluator = createEvaluator({ inventory, sources, target: { ...home, ...defaults } });
  const tasks = playbook.plays[0]!.tasks.flatMap((each) => (each.kind === 'task' && !each.implicit ? [each] : []));
  const point = { ...playPoint(playbook.plays[0]!), host, task: tasks[0]!, ...(delegate ? { delegate } : {}) };
  const keywords = { ...playbook.plays[0]!.keywords, ...tasks[0]!.keywords };
  return { evaluator, point, keywords, inventory };
}

function targetOf(given: Case): Target {
  const { evaluator, point } = setUp(given);
  const host = given.delegate ?? given.host ?? 'h1';
  const found = evaluator.target(host, point);
  assert.is(evaluator.user(host, point), found.user);
  return found;
}

test('without a word: the name, port 22, the user who runs kpush, keys that exist, asking for new host keys', () => {
  const { address, port, user, identityFiles, agent, strictHostKeyChecking, knownHostsFiles, transport } = targetOf({});
  assert.equal(
    [address, port, user, agent, strictHostKeyChecking, transport],
    ['h1', 22, 'me', '/run/agent', 'ask', 'ssh'],
  );
  assert.equal(identityFiles, ['/t/home/.ssh/id_ed25519', '/t/home/.ssh/id_rsa']);
  assert.equal(knownHostsFiles.slice(0, 2), ['/t/home/.ssh/known_hosts', '/t/home/.ssh/known_hosts2']);
});

test('where the play alone has a say it is worked out once, and anew when add_host says more', () => {
  const { evaluator, point, inventory } = setUp({
    vars: 'ansible_user: one',
    task: '      vars: {ansible_user: own}\n',
  });
  const bare = playPoint(point.play);
  const first = evaluator.target('h1', bare);
  assert.is(evaluator.target('h1', playPoint(point.play)), first);
  assert.is(evaluator.target('h1', point).user, 'own');
  assert.is(evaluator.target('h2', bare).user, 'two');
  const origin = { file: 'p.yml', line: 1, column: 1 };
  const params = { name: 'h1', groups: [], vars: new Map<string, Value>([['ansible_user', 'added']]) };
  const call = { action: 'add_host', params, origin, host: 'h1' } as unknown as ActionCall;
  grow(call, inventory);
  assert.is(evaluator.target('h1', playPoint(point.play)).user, 'added');
});

test('an empty user is none, a domain user is one', () => {
  assert.is(targetOf({ vars: "ansible_user: ''" }).user, 'me');
  assert.is(targetOf({ vars: "ansible_user: 'DOM\\me'" }).user, 'DOM\\me');
});

// Variables, keywords, defaults → a part of the target.
const parts: [string, Case, Partial<Target>][] = [
  [
    'variables',
    { vars: 'ansible_host: 1.2.3.4, ansible_port: 2222, ansible_user: u' },
    { address: '1.2.3.4', port: 2222, user: 'u' },
  ],
  [
    'old names',
    { vars: 'ansible_ssh_host: a, ansible_ssh_port: 23, ansible_ssh_user: u, ansible_ssh_pass: p' },
    { address: 'a', port: 23, user: 'u', password: 'p' },
  ],
  [
    'variables win over keywords',
    { vars: 'ansible_user: v', play: '  remote_user: k\n  port: 99\n' },
    { user: 'v', port: 99 },
  ],
  ['a task keyword wins over the play', { play: '  remote_user: k\n', task: '      remote_user: t\n' }, { user: 't' }],
  ['keywords win over flags', { play: '  remote_user: k\n', defaults: { user: 'f' } }, { user: 'k' }],
  [
    'flags',
    { defaults: { user: 'f', port: 24, timeout: 3, privateKeyFile: '/k' } },
    { user: 'f', port: 24, connectTimeout: 3, identityFiles: ['/k'] },
  ],
  ['a key', { vars: 'ansible_ssh_private_key_file: /id' }, { identityFiles: ['/id'] }],
  ['a template', { vars: 'n: 7, ansible_host: "10.0.0.{{ n }}"' }, { address: '10.0.0.7' }],
  ['local', { vars: 'ansible_connection: local' }, { transport: 'local' }],
  ['smart is ssh', { vars: 'ansible_connection: smart' }, { transport: 'ssh' }],
  ['localhost by itself is local', { host: 'localhost' }, { transport: 'local', host: 'localhost' }],
  ['host_key_checking off', { defaults: { hostKeyChecking: false } }, { strictHostKeyChecking: 'no' }],
  ['passwords', { vars: 'ansible_password: p, ansible_become_password: b' }, { password: 'p', becomePassword: 'b' }],
  ['the older become password', { vars: 'ansible_become_pass: b' }, { becomePassword: 'b' }],
  [
    '-o options',
    {
      vars: "ansible_ssh_common_args: '-o StrictHostKeyChecking=accept-new -o UserKnownHostsFile=/dev/null -oControlMaster=auto -o ServerAliveInterval=9'",
    },
    { strictHostKeyChecking: 'accept-new', knownHostsFiles: ['/dev/null'], keepaliveInterval: 9 },
  ],
  [
    'extra args win over common ones',
    { vars: "ansible_ssh_common_args: '-o Port=1 -l a', ansible_ssh_extra_args: '-p 2'" },
    { port: 2, user: 'a' },
  ],
  [
    'a proxy command',
    { vars: `ansible_ssh_common_args: '-o ProxyCommand="ssh -W %h:%p jump"'` },
    { proxyCommand: 'ssh -W h1:22 jump' },
  ],
  [
    'openssh finds its default keys itself, and takes arguments that ssh2 could not follow',
    { vars: `ansible_connection: openssh, ansible_ssh_common_args: '-o PKCS11Provider=/lib/p11.so -p 7'` },
    { transport: 'openssh', identityFiles: [], port: 7, sshArgs: ['-o', 'PKCS11Provider=/lib/p11.so', '-p', '7'] },
  ],
  [
    'ssh_config is weaker than variables',
    {
      vars: 'ansible_user: v',
      defaults: { sshConfig: () => ({ user: 'c', port: 77, address: '9.9.9.9', identityFiles: ['/c'] }) },
    },
    { user: 'v', port: 77, address: '9.9.9.9', identityFiles: ['/c'] },
  ],
  [
    'shell, temp folder, timeout',
    { vars: 'ansible_shell_executable: /bin/bash, ansible_remote_tmp: /x, ansible_timeout: 42' },
    { shell: '/bin/bash', remoteTmp: '/x', connectTimeout: 42 },
  ],
  [
    'a delegate is reached by its own variables',
    { vars: 'ansible_host: 1.1.1.1', delegate: 'h2' },
    { host: 'h2', address: '10.0.0.2', user: 'two' },
  ],
];
for (const [name, given, want] of parts)
  test(name, () => {
    const target = targetOf(given);
    assert.equal(Object.fromEntries(Object.keys(want).map((key) => [key, target[key as keyof Target]])), want);
  });

test('jump hosts are a chain, the nearest to the target last', () => {
  const { proxyJump } = targetOf({ vars: "ansible_ssh_common_args: '-J ann@a:2200,[::1]:2201'" });
  assert.equal([proxyJump?.address, proxyJump?.port, proxyJump?.user], ['::1', 2201, 'me']);
  assert.equal(
    [proxyJump?.proxyJump?.address, proxyJump?.proxyJump?.port, proxyJump?.proxyJump?.user],
    ['a', 2200, 'ann'],
  );
});

const refused: [string, Case, string][] = [
  [
    'an unknown ssh option',
    { vars: "ansible_ssh_common_args: '-o ProxyJmp=x'" },
    "the ssh option 'ProxyJmp' is not supported",
  ],
  [
    'an ssh flag that would run something',
    { vars: "ansible_ssh_common_args: '-F /x'" },
    "the ssh argument '-F' is not supported",
  ],
  [
    'shell text as an address',
    { vars: 'ansible_host: "$(x)1.2.3.4"' },
    '"$(x)1.2.3.4" cannot be the address of a host',
  ],
  ['no address at all', { vars: "ansible_host: ''" }, '"" cannot be the address of a host'],
  ['an option as an address', { vars: 'ansible_host: -oX=y' }, '"-oX=y" cannot be the address of a host'],
  ['shell text as a user', { vars: 'ansible_user: "a;x"' }, '"a;x" cannot be a user to log in as'],
  [
    'a line end in a user',
    { vars: 'ansible_user: "a\\nProxyCommand x"' },
    '"a\\nProxyCommand x" cannot be a user to log in as',
  ],
  ['a port that is none', { vars: 'ansible_port: 70000' }, '70000 cannot be a port'],
  ['port 0, which is not the standard port', { vars: 'ansible_port: 0' }, '0 cannot be a port'],
  ['a port that is no number', { vars: 'ansible_port: ssh' }, "ansible_port is 'ssh'"],
  ['an unknown connection', { vars: 'ansible_connection: winrm' }, "the connection 'winrm' is not supported"],
];
for (const [name, given, message] of refused)
  test(`refuses ${name}`, () => {
    const error = caught(() => targetOf(given));
    assert.is(error.message, message);
    assert.is(error.facts.origin?.file, 'h.yml');
  });

test('refuses shell text as a jump host or as its user', () => {
  const message = (hop: string) => caught(() => targetOf({ vars: `ansible_ssh_common_args: '-J ${hop}'` })).message;
  assert.is(message('a;x@j'), '"a;x" cannot be a user to log in as');
  assert.is(message('u@j:70000'), '70000 cannot be a port');
  assert.is(message('u@$(x)'), '"$(x)" cannot be the address of a host');
});

// become: variables, keywords, flags → who acts.
const identities: [string, Case, unknown][] = [
  ['no become', {}, {}],
  ['become_user alone does nothing', { play: '  become_user: x\n' }, {}],
  ['keywords', { play: '  become: yes\n' }, { become: { method: 'sudo', user: 'root' } }],
  ['a task says no', { play: '  become: yes\n', task: '      become: no\n' }, {}],
  [
    'variables win over keywords',
    {
      vars: 'ansible_become: yes, ansible_become_user: v, ansible_become_method: su',
      play: '  become: no\n  become_user: k\n',
    },
    { become: { method: 'su', user: 'v' } },
  ],
  [
    'flags and program',
    { vars: 'ansible_become_flags: -n, ansible_become_exe: /opt/sudo', play: '  become: yes\n' },
    { become: { method: 'sudo', user: 'root', flags: '-n', exe: '/opt/sudo' } },
  ],
  [
    'the command line is weakest',
    { defaults: { become: true, becomeUser: 'f' }, play: '  become_user: k\n' },
    { become: { method: 'sudo', user: 'k' } },
  ],
  ['becoming the login user is no become', { vars: 'ansible_user: root', play: '  become: yes\n' }, {}],
  [
    'templates',
    { vars: 'who: eve', play: '  become: "{{ true }}"\n  become_user: "{{ who }}"\n' },
    { become: { method: 'sudo', user: 'eve' } },
  ],
  [
    'omit',
    { play: '  become: yes\n  become_user: "{{ nope | default(omit) }}"\n' },
    { become: { method: 'sudo', user: 'root' } },
  ],
  [
    "a delegate's variables",
    { play: '  become: yes\n', delegate: 'h2' },
    { become: { method: 'sudo', user: 'chief' } },
  ],
];
for (const [name, given, want] of identities)
  test(`become: ${name}`, () => {
    const { evaluator, point, keywords } = setUp(given);
    assert.equal(evaluator.identity(keywords, point), want);
  });

test('become: no option of su is a user', () => {
  const { evaluator, point, keywords } = setUp({ play: '  become: yes\n  become_user: --preserve-environment\n' });
  assert.throws(() => evaluator.identity(keywords, point), /"--preserve-environment" cannot be a user to become/);
});

test('a task may go by another connection than its host', () => {
  const { evaluator, point, keywords } = setUp({ task: '      connection: local\n' });
  assert.is(evaluator.connection(keywords, point), 'local');
  const play = setUp({ play: '  connection: local\n' });
  assert.is(play.evaluator.connection(play.keywords, play.point), undefined);
  const host = setUp({ vars: 'ansible_connection: ssh', task: '      connection: local\n' });
  assert.is(host.evaluator.connection(host.keywords, host.point), undefined);
});
test.run();
