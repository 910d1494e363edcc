import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import type { Effect } from '../../../src/core/effects.ts';
import { loginIdentity } from '../../../src/core/identity.ts';
import { fullName, type UnitFact, unitFamily, unitKey } from '../../../src/world/unit.ts';
import { parseUnit } from '../../../src/world/unit-text.ts';
import { World } from '../../../src/world/world.ts';
import { suite } from '../../support/harness.ts';

const units = suite('unit family');
const recorded = JSON.parse(readFileSync(new URL('recorded/units.json', import.meta.url), 'utf8')) as Record<
  string,
  string
>;

function answer(name: string): UnitFact {
  const key = unitKey(name);
  const found = unitFamily.parse(recorded[key.id] ?? missing(key.id), key);
  assert.is(found.state, 'known');
  return (found as { value: UnitFact }).value;
}

function missing(name: string): string {
  return `sId=${name}\nNames=${name}\nLoadState=not-found\nActiveState=inactive\nUnitFileState=\nType=\nInvocationID=`;
}

/** A World that knows these units, after these effects. */
function after(names: string[], effects: Effect[]): (name: string) => UnitFact | string {
  const keys = names.map((name) => unitKey(name));
  const answers = keys.map((key, index) => ({
    identity: loginIdentity,
    key,
    answer: { state: 'known' as const, raw: '', value: answer(names[index]!) },
  }));
  const world = new World().withAnswers(answers).after(effects);
  return (name) => {
    const found = world.find(loginIdentity, unitKey(name))!;
    return found.state === 'known' ? (found.value as UnitFact) : found.state === 'unknown' ? found.why : found.state;
  };
}

function put(path: string, text?: string): Effect {
  return { type: 'file.put', path, kind: 'file', mode: 0o644, sha256: 'x', ...(text === undefined ? {} : { text }) };
}

const oneshot =
  '[Service]\nType=oneshot\nRemainAfterExit=yes\nExecStart=/bin/true\n[Install]\nWantedBy=multi-user.target\n';

units('a running service', () => {
  const ssh = answer('ssh');
  assert.is(ssh.load, 'loaded');
  assert.is(ssh.active, 'active');
  assert.is(ssh.fileState, 'enabled');
  assert.is(ssh.type, 'notify');
  assert.is(ssh.remainAfterExit, false);
  assert.is(ssh.needReload, false);
  assert.equal(ssh.names, ['ssh.service', 'sshd.service']);
  assert.equal(ssh.install, { wantedBy: ['multi-user.target'], requiredBy: [], alias: ['sshd.service'], also: [] });
  assert.equal(ssh.pulledBy, ['multi-user.target']);
  assert.match(ssh.invocation!, /^[0-9a-f]{32}$/);
});

units('an alias is answered by its unit', () => assert.is(answer('sshd').names[0], 'ssh.service'));
units('a unit that is not there', () => assert.is(answer('nope').load, 'not-found'));
units('a template has a unit file and no state', () => assert.is(answer('getty@').fileState, 'enabled'));
units('an instance of a template', () => assert.is(answer('getty@tty1').load, 'loaded'));
units('a masked unit', () => {
  assert.is(answer('kb-masked').load, 'masked');
  assert.is(answer('kb-masked').fileState, 'masked');
});
units('a unit that cannot be loaded says why', () => {
  assert.is(answer('kb-bad').load, 'bad-setting');
  assert.match(answer('kb-bad').loadError!, /bad unit file setting/);
});
units('an init script', () => assert.is(answer('kb-init').sysv, true));
units('a drop-in that is not loaded yet', () => {
  assert.is(answer('kb-dropin').needReload, true);
  assert.equal(answer('kb-dropin').dropIns, []);
});
units('an odd name is what systemd makes of it', () => assert.is(answer('x y').load, 'not-found'));
units('names get their type', () => {
  assert.is(fullName('kb'), 'kb.service');
  assert.is(fullName('kb.slice'), 'kb.slice');
  assert.is(fullName('kb.v1'), 'kb.v1.service');
});
units('no systemctl, no manager, no unit', () => {
  const load = (record: string) => (unitFamily.parse(record, unitKey('x')) as { value: UnitFact }).value.load;
  assert.equal(['n', 'o', 'e'].map(load), ['none', 'offline', 'not-found']);
});
units('an answer about another unit is refused', () =>
  assert.throws(() => unitFamily.parse(missing('other.service'), unitKey('kb')), /is about other.service/),
);
units('an unreadable answer is refused', () =>
  assert.throws(() => unitFamily.parse('zz', unitKey('kb')), /unreadable/),
);

units('a unit file written makes the unit', () => {
  const kb = after(['kb'], [put('/etc/systemd/system/kb.service', oneshot)])('kb') as UnitFact;
  const { load, active, fileState, type, remainAfterExit, needReload } = kb;
  assert.equal(
    { load, active, fileState, type, remainAfterExit, needReload },
    {
      load: 'loaded',
      active: 'inactive',
      fileState: 'disabled',
      type: 'oneshot',
      remainAfterExit: true,
      needReload: false,
    },
  );
});
units('without [Install] it is static, without Type simple', () => {
  const kb = after(['kb'], [put('/run/systemd/system/kb.service', '[Service]\nExecStart=/x\n')])('kb') as UnitFact;
  assert.is(kb.fileState, 'static');
  assert.is(kb.type, 'simple');
});
units('a text that is not known leaves the unit unknown', () =>
  assert.is(after(['kb'], [put('/etc/systemd/system/kb.service')])('kb'), '/etc/systemd/system/kb.service was written'),
);
units('a template written makes its instances', () => {
  const kb = after(['kb@a'], [put('/etc/systemd/system/kb@.service', oneshot)])('kb@a') as UnitFact;
  assert.is(kb.load, 'loaded');
});
units('writing the file of a loaded unit, or one that shadows it, needs a reload', () => {
  const ssh = after(['ssh'], [put('/etc/systemd/system/ssh.service', oneshot)])('ssh') as UnitFact;
  assert.is(ssh.needReload, true);
  assert.is(ssh.active, 'active');
  assert.is(ssh.fileState, 'enabled');
  assert.is(ssh.fragment, '/etc/systemd/system/ssh.service');
});
units('a file of lower rank changes nothing', () => {
  const over = put('/etc/systemd/system/ssh.service', oneshot);
  const reload: Effect = { type: 'systemd.reload' };
  const ssh = after(
    ['ssh'],
    [over, reload, put('/usr/lib/systemd/system/ssh.service', '[Service]\n')],
  )('ssh') as UnitFact;
  assert.is(ssh.needReload, false);
  assert.is(ssh.type, 'oneshot');
});
units('drop-ins need a reload, also those of a type or a prefix', () => {
  for (const folder of ['ssh.service.d', 'service.d']) {
    const ssh = after(
      ['ssh'],
      [put(`/etc/systemd/system/${folder}/x.conf`, '[Service]\nType=exec\n')],
    )('ssh') as UnitFact;
    assert.is(ssh.needReload, true, folder);
    assert.is(ssh.type, 'exec');
  }
  const other = after(['ssh'], [put('/etc/systemd/system/sshd2.service.d/x.conf', '')])('ssh') as UnitFact;
  assert.is(other.needReload, false);
  const prefix = after(
    ['kb-a'],
    [put('/etc/systemd/system/kb-a.service', oneshot), put('/etc/systemd/system/kb-.service.d/x.conf', '')],
  );
  assert.is((prefix('kb-a') as UnitFact).needReload, true);
});
units('a drop-in removed with its folder needs a reload', () => {
  const ssh = after(['ssh'], [{ type: 'file.remove', path: '/etc/systemd/system/ssh.service.d' }])('ssh') as UnitFact;
  assert.is(ssh.needReload, true);
});
units('a reload ends the need of one', () => {
  const effects: Effect[] = [put('/etc/systemd/system/ssh.service', oneshot), { type: 'systemd.reload' }];
  assert.is((after(['ssh'], effects)('ssh') as UnitFact).needReload, false);
});
units('its own file removed leaves the unit unknown, another one does not', () => {
  assert.is(
    after(
      ['ssh'],
      [
        put('/etc/systemd/system/ssh.service', oneshot),
        { type: 'file.remove', path: '/etc/systemd/system/ssh.service' },
      ],
    )('ssh'),
    '/etc/systemd/system/ssh.service was removed',
  );
  const other = after(['ssh'], [{ type: 'file.remove', path: '/etc/systemd/system/ssh.service' }])('ssh') as UnitFact;
  assert.is(other.load, 'loaded');
});
units('a link to /dev/null masks', () => {
  const link: Effect = { type: 'file.put', path: '/etc/systemd/system/ssh.service', kind: 'link', target: '/dev/null' };
  assert.is((after(['ssh'], [link])('ssh') as UnitFact).load, 'masked');
});
units('starting, enabling, masking by any of its names', () => {
  const set = { active: 'active', enabled: 'enabled', invoked: true } as const;
  const ssh = after(['ssh'], [{ type: 'unit.set', unit: 'sshd.service', set }])('ssh') as UnitFact;
  assert.is(ssh.invocation, undefined);
  assert.is(ssh.replaces, answer('ssh').invocation);
  const masked = after(['ssh'], [{ type: 'unit.set', unit: 'ssh.service', set: { masked: true } }])('ssh') as UnitFact;
  assert.is(masked.load, 'masked');
});
units('an installation leaves what was not there unknown, and what was there alone', () => {
  const seen = after(['ssh', 'kb'], [{ type: 'world.open', why: 'install kb' }]);
  assert.is(seen('kb'), 'install kb');
  assert.is((seen('ssh') as UnitFact).load, 'loaded');
});
units('user units are another world', () => {
  const key = unitKey('kb', 'user');
  assert.is(key.id, 'user/kb.service');
  const answers = [{ identity: loginIdentity, key, answer: unitFamily.parse(missing('kb.service'), key) }];
  const world = new World().withAnswers(answers).after([put('/etc/systemd/user/kb.service', oneshot)]);
  assert.is((world.find(loginIdentity, key) as { value: UnitFact }).value.load, 'loaded');
});

units('proof: what differs is said', () => {
  const ssh = answer('ssh');
  const { differs } = unitFamily;
  assert.equal(differs!(ssh, ssh), []);
  assert.equal(differs!({ ...ssh, active: undefined, fileState: undefined }, { ...ssh, active: 'failed' }), []);
  const failed = {
    ...ssh,
    active: 'failed',
    properties: { SubState: 'failed', Result: 'exit-code', ExecMainStatus: '203' },
  };
  assert.equal(differs!(ssh, failed), ['expected active, is failed (failed), result exit-code, exit status 203']);
  const skipped = { ...ssh, active: 'inactive', properties: { ConditionResult: 'no' } };
  assert.match(differs!(ssh, skipped)[0]!, /a condition of the unit was not met/);
  assert.match(differs!({ ...ssh, replaces: ssh.invocation! }, ssh)[0]!, /was not started anew/);
  assert.match(differs!(ssh, { ...ssh, needReload: true })[0]!, /daemon-reload/);
  assert.equal(differs!(ssh, { ...ssh, fileState: 'disabled' }), ['expected enabled, is disabled']);
});

units('unit text: continued lines, comments, empty assignments', () => {
  const text = parseUnit(
    '[Service]\nType=simple\nType=notify \\\n# c\n\n[Install]\nWantedBy=a.target\nWantedBy=\nWantedBy=b.target \\\n  c.target\n;x\n',
  );
  assert.is(text.type, 'notify');
  assert.equal(text.install.wantedBy, ['b.target', 'c.target']);
  assert.is(parseUnit('[Service]\nRemainAfterExit=on').remainAfterExit, true);
});

units.run();
