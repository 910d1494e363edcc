import * as assert from 'uvu/assert';
import { configTarget, readAnsibleConfig } from '../../../src/resolve/ansible-cfg.ts';
import { suite } from '../../support/harness.ts';
import { caught } from '../load/support/caught.ts';
import { memorySources } from '../load/support/memory-files.ts';

const test = suite('resolve/ansible.cfg');
const read = (text: string, env: Record<string, string> = {}) =>
  readAnsibleConfig(memorySources({ 'ansible.cfg': text, 'other/a.cfg': '[defaults]\nforks=9\ninventory=h\n' }), env);

test('reads the keys that matter, paths relative to the file', () => {
  const config = read(`# comment
[defaults]
inventory = inv/hosts,more   ; comment
roles_path = roles:../common
forks=25
remote_user: deploy
timeout = 30
host_key_checking = False
private_key_file = keys/id
gathering = explicit
any_errors_fatal = yes
unknown = 1
[privilege_escalation]
become = True
become_user = root
[ssh_connection]
ssh_args = -o ControlMaster=auto
pipelining = True
`);
  assert.equal(config, {
    file: '/t/ansible.cfg',
    inventories: ['/t/inv/hosts', '/t/more'],
    rolesPath: ['/t/roles', '/common'],
    forks: 25,
    remoteUser: 'deploy',
    timeout: 30,
    hostKeyChecking: false,
    privateKeyFile: '/t/keys/id',
    gathering: 'explicit',
    anyErrorsFatal: true,
    become: true,
    becomeUser: 'root',
    sshArgs: '-o ControlMaster=auto',
  });
  assert.equal(configTarget(config).hostKeyChecking, false);
});
test('environment variables win, and ANSIBLE_CONFIG names the file', () => {
  assert.is(read('[defaults]\nforks=1\n', { ANSIBLE_FORKS: '7' }).forks, 7);
  const other = read('[defaults]\nforks=1\n', { ANSIBLE_CONFIG: 'other/a.cfg' });
  assert.equal([other.forks, other.inventories], [9, ['/t/other/h']]);
  assert.is(read('[defaults]\nforks=1\n', { ANSIBLE_CONFIG: 'other/none.cfg' }).forks, undefined);
});
test('a host list stays one', () => assert.equal(read('[defaults]\ninventory = a,b,\n').inventories, ['a,b,']));
test('a bad value is refused at its line', () => {
  const error = caught(() => read('[defaults]\n\nforks = many\n'));
  assert.equal(
    [error.message, error.facts.origin],
    ["'many' cannot be used here", { file: 'ansible.cfg', line: 3, column: 1 }],
  );
});
test.run();
