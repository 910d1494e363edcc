import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { FactFamily, FactKey } from '../../../src/core/facts.ts';
import { type BaseFacts, baseFamily, baseKey } from '../../../src/world/base.ts';
import { families } from '../../../src/world/families.ts';
import { getentKey } from '../../../src/world/getent.ts';
import { globKey } from '../../../src/world/glob.ts';
import { groupKey } from '../../../src/world/group.ts';
import { kmodKey } from '../../../src/world/kmod.ts';
import { managerKey } from '../../../src/world/manager.ts';
import { type PackageFact, packageKey } from '../../../src/world/package.ts';
import { probeKey } from '../../../src/world/probe.ts';
import { sysctlKey } from '../../../src/world/sysctl.ts';
import { unitKey } from '../../../src/world/unit.ts';
import { type UserFact, userKey } from '../../../src/world/user.ts';
import { suite } from '../../support/harness.ts';
import { tempFolder } from '../../support/temp.ts';
import { answers, shells } from './shells.ts';

const real = suite('families in real shells', { timeout: 30_000 });
const folder = tempFolder('families');
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const busyboxPath = tools();

/** A PATH where every tool that a family of mine calls is busybox's, and dpkg, curl and systemctl are not there. */
function tools(): string {
  const path = join(folder, 'bin');
  mkdirSync(path);
  const names =
    'cat head tail tr awk sed grep stat id uname date hostname nproc ip cut sha256sum timeout sh find wc sort modprobe';
  for (const name of names.split(' ')) symlinkSync('/usr/bin/busybox', join(path, name));
  return path;
}

function values(shell: string[], name: string, keys: FactKey[], env = {}): unknown[] {
  const family = families.get(name) as FactFamily;
  return answers(shell, family, keys, env).map((answer) => (answer.state === 'known' ? answer.value : answer.state));
}

for (const [name, shell] of Object.entries(shells)) {
  real(`${name}: users and groups`, () => {
    const [root, daemon, nobody] = values(shell, 'user', [
      userKey('root', { shadow: true }),
      userKey('daemon'),
      userKey('no-such-user', { shadow: true }),
    ]) as UserFact[];
    assert.ok(root?.exists && root.uid === 0 && root.group === 'root' && root.home === '/root');
    assert.ok(daemon?.exists && daemon.uid === 1);
    assert.equal(nobody, { exists: false });
    const groups = values(shell, 'group', [groupKey('root'), groupKey('0'), groupKey('no-such-group')]);
    assert.equal(
      groups.map((group) => (group as { exists: boolean }).exists),
      [true, false, false],
    );
  });

  real(`${name}: packages`, () => {
    const names = ['dpkg', 'no-such-package', 'awk', 'dpk[g]', 'libc6:no-such-arch'];
    const found = values(shell, 'package', names.map(packageKey)) as PackageFact[];
    assert.equal(
      found.map((fact) => fact.instances.filter((one) => one.status === 'installed').length > 0),
      [true, false, false, true, true],
    );
    assert.ok(found[2]!.providers.length > 0);
    assert.match(found[0]!.instances[0]!.version!, /^\d/);
  });

  real(`${name}: units where systemd does not run`, () => {
    const found = values(shell, 'unit', [unitKey('ssh'), unitKey('x', 'user'), unitKey('y')], {
      XDG_RUNTIME_DIR: '/nope',
    });
    assert.ok(found.every((fact) => ['offline', 'loaded', 'not-found'].includes((fact as { load: string }).load)));
    assert.equal(values(shell, 'manager', [managerKey('system', 'all'), managerKey('system', 'written')]).length, 2);
  });

  real(`${name}: kernel settings and modules`, () => {
    const [there, missing] = values(shell, 'sysctl', [sysctlKey('kernel.ostype'), sysctlKey('no.such.setting')]);
    assert.equal([there, missing], [{ value: 'Linux' }, {}]);
    assert.equal(values(shell, 'kmod', [kmodKey('no-such-module')]), [{ state: 'missing' }]);
  });

  real(`${name}: probes`, () => {
    const probes = [
      { command: 'exit 3' },
      { command: 'printf "%s" "$X"; pwd', cwd: '/usr', env: { X: "a'b\n" } },
      { command: 'true', cwd: '/no/such/folder' },
      { command: 'no-such-command' },
      { command: 'cat; head -c 100000 /dev/zero | tr "\\000" x' },
      { command: 'sleep 20', timeout: 1 },
    ];
    const found = values(shell, 'probe', probes.map(probeKey)) as { rc: number; stdout: string }[];
    assert.equal(
      found.map(({ rc }) => rc),
      [3, 0, 127, 127, 0, 124],
    );
    assert.is(found[1]!.stdout, "a'b\n/usr\n");
    assert.is(found[4]!.stdout.length, 65536);
  });

  real(`${name}: patterns of paths`, () => {
    const place = join(folder, `glob ${name}`);
    mkdirSync(place);
    for (const file of ['a1', 'a2', "b'1", 'c$x', 'd\nd']) writeFileSync(join(place, file), '');
    symlinkSync('/nowhere', join(place, 'dangling'));
    const patterns = ['a?', 'a[!2]', "*'*", '*$*', 'd*', 'zz*', 'dang*', 'd[\n]d'];
    const found = values(
      shell,
      'glob',
      patterns.map((pattern) => globKey(join(place, pattern))),
    ) as string[][];
    const names = found.map((paths) => paths.map((path) => path.slice(place.length + 1)));
    assert.equal(names, [['a1', 'a2'], ['a1'], ["b'1"], ['c$x'], ['d\nd', 'dangling'], [], ['dangling'], ['d\nd']]);
  });

  real(`${name}: facts of users' own`, () => {
    const place = join(folder, `facts-${name}`);
    mkdirSync(place);
    writeFileSync(join(place, 'a.fact'), '{"b": [1, "c"]}');
    writeFileSync(join(place, 'i.fact'), '[s]\nKey = v: w\n');
    writeFileSync(join(place, 'x.fact'), '#!/bin/sh\ntouch /tmp/never\n');
    chmodSync(join(place, 'x.fact'), 0o755);
    const [found] = values(shell, 'custom-facts', [{ family: 'custom-facts', id: place }]) as Map<string, unknown>[];
    assert.equal(found!.get('a'), new Map([['b', [1, 'c']]]));
    assert.equal(found!.get('i'), new Map([['s', new Map([['key', 'v: w']])]]));
    assert.match(String(found!.get('x')), /not run by kpush/);
  });

  real(`${name}: name services, host name, lists`, () => {
    const [root, missing] = values(shell, 'getent', [
      getentKey({ database: 'group', key: 'root' }),
      getentKey({ database: 'group', key: 'nope' }),
    ]);
    assert.equal(root, { rc: 0, lines: ['root:x:0:'] });
    assert.equal(missing, { rc: 2, lines: [] });
    const [name_] = values(shell, 'hostname', [{ family: 'hostname', id: 'name' }]) as { current: string }[];
    assert.ok(name_!.current.length > 0);
    const [list] = values(shell, 'package-list', [{ family: 'package-list', id: 'all' }]) as {
      packages: { name: string }[];
    }[];
    assert.ok(list!.packages.some((one) => one.name === 'dpkg'));
    assert.equal(values(shell, 'apt-lists', [{ family: 'apt-lists', id: 'mtime' }]).length, 1);
  });

  real(`${name}: base facts`, () => {
    const [answer] = answers(shell, baseFamily, [baseKey]);
    const facts = (answer as { value: BaseFacts }).value;
    assert.is(facts.get('system'), 'Linux');
    assert.is(facts.get('user_uid'), process.getuid!());
    assert.ok((facts.get('interfaces') as string[]).includes('lo'));
    assert.ok((facts.get('memtotal_mb') as number) > 100);
  });
}

real('busybox alone: nothing but its tools, no getent, dpkg, curl or systemctl', () => {
  const shell = ['/usr/bin/busybox', 'sh'];
  const env = { PATH: busyboxPath };
  const [root] = values(shell, 'user', [userKey('root', { shadow: true })], env) as UserFact[];
  assert.ok(root?.exists && root.uid === 0);
  assert.equal(values(shell, 'group', [groupKey('root')], env), [{ exists: true, name: 'root', gid: 0, members: [] }]);
  assert.equal(values(shell, 'package', [packageKey('curl')], env), [
    { manager: 'none', instances: [], providers: [] },
  ]);
  assert.is((values(shell, 'unit', [unitKey('ssh')], env)[0] as { load: string }).load, 'none');
  assert.equal(values(shell, 'probe', [probeKey({ command: 'exit 4' })], env), [{ rc: 4, stdout: '' }]);
  assert.equal(values(shell, 'sysctl', [sysctlKey('kernel.ostype')], env), [{ value: 'Linux' }]);
  const facts = values(shell, 'base', [baseKey], env)[0] as BaseFacts;
  assert.is(facts.get('system'), 'Linux');
  assert.is(facts.get('pkg_mgr'), 'unknown');
});

real.run();
