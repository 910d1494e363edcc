import * as assert from 'uvu/assert';
import type { Effect } from '../../../src/core/effects.ts';
import type { Answer } from '../../../src/core/facts.ts';
import { loginIdentity } from '../../../src/core/identity.ts';
import { families } from '../../../src/world/families.ts';
import { World } from '../../../src/world/world.ts';
import { suite } from '../../support/harness.ts';

const reducers = suite('reducers of system families');

/** What one fact becomes after effects: its value, or why it is unknown. */
function after(family: string, id: string, value: unknown, ...effects: Effect[]): unknown {
  const key = { family, id };
  const answer: Answer = { state: 'known', raw: '', value };
  const world = new World().withAnswers([{ identity: loginIdentity, key, answer }]).after(effects);
  const found = world.find(loginIdentity, key)!;
  return found.state === 'known' ? found.value : found.state === 'unknown' ? found.why : found.state;
}

function differs(family: string, predicted: unknown, actual: unknown): string[] {
  return families.get(family)!.differs!(predicted, actual);
}

const open: Effect = { type: 'world.open', why: 'install x' };
const put = (path: string): Effect => ({ type: 'file.put', path, kind: 'file' });
const none = { manager: 'dpkg', native: 'amd64', instances: [], providers: [] };
const curl = { name: 'curl', architecture: 'amd64', status: 'installed', version: '7' };
const here = { ...none, instances: [curl] };

reducers('a package that is installed, upgraded, removed', () => {
  const set = (status: 'installed' | 'removed', version?: string): Effect => ({
    type: 'package.set',
    name: 'curl',
    status,
    ...(version ? { version } : {}),
  });
  assert.equal(after('package', 'curl', none, set('installed')), {
    ...none,
    instances: [{ name: 'curl', architecture: 'amd64', status: 'installed' }],
  });
  assert.equal(after('package', 'curl', here, set('installed', '8')), {
    ...none,
    instances: [{ ...curl, version: '8' }],
  });
  assert.equal(after('package', 'curl:amd64', here, set('removed')), {
    ...none,
    instances: [{ name: 'curl', architecture: 'amd64', status: 'absent' }],
  });
  assert.equal(after('package', 'socat', none, set('installed')), none);
});

reducers('an installation leaves what was missing unknown, and what is there as it is', () => {
  assert.is(after('package', 'curl', none, open), 'install x');
  assert.equal(after('package', 'curl', here, open), here);
  assert.is(after('user', 'a', { exists: false }, open), 'install x');
  assert.is(after('group', 'a', { exists: false }, open), 'install x');
  assert.is(after('sysctl', 'a.b', {}, open), 'install x');
  assert.is(after('kmod', 'a', { state: 'missing' }, open), 'install x');
  assert.is(after('glob', '/x/*', [], open), 'install x');
  assert.is(after('package-list', 'all', { manager: 'apt', packages: [] }, open), 'install x');
  assert.equal(after('kmod', 'a', { state: 'available' }, open), { state: 'available' });
});

reducers('what an earlier task made is not doubted by an installation', () => {
  assert.equal(after('group', 'a', { exists: false }, { type: 'group.set', name: 'a', set: { gid: 5 } }, open), {
    exists: true,
    name: 'a',
    gid: 5,
  });
});

reducers('users and groups', () => {
  const user = { exists: true, name: 'a', uid: 5, groups: ['x'] };
  assert.equal(after('user', 'a', user, { type: 'user.set', name: 'a', set: { uid: 6 } }), { ...user, uid: 6 });
  assert.equal(after('user', 'a', user, { type: 'user.remove', name: 'a' }), { exists: false });
  const group = { exists: true, name: 'x', gid: 7, members: ['a', 'b'] };
  assert.equal(after('group', 'x', group, { type: 'user.set', name: 'a', set: { groups: [] } }), {
    ...group,
    members: ['b'],
  });
  assert.equal(
    after('group', 'x', { ...group, members: [] }, { type: 'user.set', name: 'a', set: { groups: ['x'] } }),
    { ...group, members: ['a'] },
  );
  assert.equal(after('group', 'x', group, { type: 'group.remove', name: 'x' }), { exists: false });
  const passwd = JSON.stringify({ database: 'passwd' });
  assert.is(after('getent', passwd, { rc: 0, lines: [] }, { type: 'user.set', name: 'a', set: {} }), 'a changed');
  const found = { rc: 0, lines: ['b:x'] };
  const asked = (database: string, key: string, answer: object) =>
    after('getent', JSON.stringify({ database, key }), answer, { type: 'user.set', name: 'a', set: {} });
  assert.equal(asked('passwd', 'b', found), found);
  assert.equal(asked('group', 'none', { rc: 2, lines: [] }), { rc: 2, lines: [] });
  for (const [database, key] of [
    ['passwd', 'a'],
    ['passwd', '5'],
    ['group', 'b'],
  ] as const)
    assert.is(asked(database, key, found), 'a changed');
  assert.equal(
    after(
      'getent',
      JSON.stringify({ database: 'hosts' }),
      { rc: 0, lines: [] },
      { type: 'user.set', name: 'a', set: {} },
    ),
    { rc: 0, lines: [] },
  );
});

reducers('kernel settings and modules', () => {
  assert.equal(after('sysctl', 'a.b', { value: '0' }, { type: 'sysctl.set', name: 'a/b', value: '1' }), { value: '1' });
  assert.is(
    after('sysctl', 'net.bridge.x', {}, { type: 'kmod.set', name: 'br_netfilter', loaded: true }),
    'module br_netfilter',
  );
  assert.equal(
    after('kmod', 'br_netfilter', { state: 'available' }, { type: 'kmod.set', name: 'br-netfilter', loaded: true }),
    { state: 'loaded' },
  );
});

reducers('patterns of paths', () => {
  assert.equal(after('glob', '/x/*.o', ['/x/a.o'], put('/x/b.o')), ['/x/a.o', '/x/b.o']);
  assert.equal(after('glob', '/x/[!a].o', [], put('/x/a.o')), []);
  assert.equal(after('glob', '/x/*', ['/x/a', '/x/b'], { type: 'file.remove', path: '/x/a' }), ['/x/b']);
  assert.equal(after('glob', '/x/*', ['/x/a'], { type: 'file.remove', path: '/x' }), []);
  assert.is(after('glob', '/x/*', [], { type: 'file.unknown', path: '/x/c', why: 'w' }), '/x/c changed');
});

reducers('what the managers have loaded', () => {
  assert.equal(after('manager', 'system', { stale: false }, put('/etc/systemd/system/a.service')), { stale: true });
  assert.equal(after('manager', 'system', { stale: false }, put('/etc/fstab')), { stale: true });
  assert.equal(after('manager', 'system', { stale: false }, put('/etc/systemd/system/b.wants/a.service')), {
    stale: false,
  });
  assert.equal(after('manager', 'system', { stale: true }, { type: 'systemd.reload' }), { stale: false });
  assert.is(after('service-list', 'all', { services: [] }, put('/etc/systemd/system/a.service')), 'units changed');
});

reducers('simulations and facts of users do not outlive what they rest on', () => {
  assert.match(String(after('apt-sim', '["upgrade"]', { install: [], remove: [], errors: [] }, open)), /installed/);
  assert.is(
    after('custom-facts', '/etc/ansible/facts.d', new Map(), put('/etc/ansible/facts.d/a.fact')),
    '/etc/ansible/facts.d/a.fact changed',
  );
});

reducers('proofs', () => {
  assert.equal(differs('package', here, here), []);
  assert.equal(differs('package', here, none), ['curl is not installed']);
  assert.equal(differs('package', here, { ...none, providers: [{ name: 'other' }] }), []);
  assert.equal(differs('package', here, { ...none, instances: [{ ...curl, version: '6' }] }), [
    'curl: expected version 7, is 6',
  ]);
  assert.equal(differs('package', { ...none, instances: [{ ...curl, status: 'absent' }] }, here), [
    'curl is still installed',
  ]);
  assert.equal(
    differs(
      'user',
      { exists: true, name: 'a', uid: 5, groups: ['y', 'x'] },
      { exists: true, name: 'a', uid: 5, groups: ['x', 'y'] },
    ),
    [],
  );
  assert.equal(differs('user', { exists: true, name: 'a', uid: 5 }, { exists: true, name: 'a', uid: 6 }), [
    'uid: expected 5, is 6',
  ]);
  assert.equal(differs('user', { exists: true, name: 'a', groups: ['x'] }, { exists: true, name: 'a', groups: [] }), [
    'groups: expected x, are ',
  ]);
  assert.equal(differs('user', { exists: false }, { exists: true, name: 'a' }), ['still there']);
  assert.equal(differs('group', { exists: true, name: 'a', gid: 5 }, { exists: false }), ['not there']);
  assert.equal(differs('sysctl', { value: '1 2' }, { value: '1\t2' }), []);
  assert.equal(differs('sysctl', { value: '1' }, {}), ['expected 1, is not there']);
  assert.equal(differs('kmod', { state: 'loaded' }, { state: 'builtin' }), []);
  assert.equal(differs('kmod', { state: 'loaded' }, { state: 'available' }), ['expected loaded, is available']);
  assert.equal(differs('hostname', { current: 'a', permanent: 'a' }, { current: 'a', permanent: '' }), [
    'permanent name: expected a, is ',
  ]);
  assert.equal(differs('manager', { stale: false }, { stale: true }), ['units on disk are newer than those loaded']);
});

reducers.run();
