import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { Effect } from '../../../src/core/effects.ts';
import { loginIdentity } from '../../../src/core/identity.ts';
import type { AnsweredKey } from '../../../src/core/needs.ts';
import { contentKey } from '../../../src/world/content.ts';
import { type FileFact, fileFamily, fileKey } from '../../../src/world/file.ts';
import { treeKey } from '../../../src/world/tree.ts';
import { userKey } from '../../../src/world/user.ts';
import { World } from '../../../src/world/world.ts';
import { suite } from '../../support/harness.ts';
import { tempFolder } from '../../support/temp.ts';
import { answers, shells } from './shells.ts';

const test = suite('world/links');

const link = (path: string, target: string): Effect => ({ type: 'file.put', path, kind: 'link', target });
const put = (path: string, text: string): Effect => ({ type: 'file.put', path, kind: 'file', text, sha256: text });
const chown = (path: string, owner: string): Effect => ({ type: 'file.put', path, kind: 'file', owner });

function answered(path: string, value: FileFact): AnsweredKey {
  return { identity: loginIdentity, key: fileKey(path), answer: { state: 'known', raw: path, value } };
}

const absent = (canonical: string, missing = 1): FileFact => ({
  exists: false,
  canonical,
  parent: missing > 1 ? 'missing' : 'directory',
  missing,
});
const present = (canonical: string, more: Partial<Extract<FileFact, { exists: true }>> = {}): FileFact => ({
  exists: true,
  canonical,
  kind: 'file',
  owner: 'root',
  ...more,
});
const noContent: AnsweredKey = {
  identity: loginIdentity,
  key: contentKey('/d/l/f', {}),
  answer: { state: 'known', raw: 'a', value: { exists: false } },
};

function shown(world: World, path: string): unknown {
  const answer = world.find(loginIdentity, fileKey(path));
  if (answer?.state !== 'known') return answer && answer.state === 'unknown' ? answer.why : answer;
  const fact = answer.value as FileFact;
  return fact.exists ? `${fact.kind} of ${fact.owner}` : 'absent';
}

test('a path below a planned link is what the link leads to', () => {
  const world = new World()
    .withAnswers([answered('/d/l', absent('/d/l')), answered('/d/l/f', absent('/d/l/f', 2)), noContent])
    .after([link('/d/l', 'a')]);
  assert.is(shown(world, '/d/l/f'), undefined, 'not asked yet');
  assert.equal(world.where(loginIdentity, fileKey('/d/l/f')), fileKey('/d/a/f'));
  assert.equal(world.where(loginIdentity, contentKey('/d/l/f', {})).id, '/d/a/f');
  const asked = world.withAnswers([answered('/d/a/f', present('/d/a/f'))]);
  assert.is(shown(asked, '/d/l/f'), 'file of root');
  assert.is(shown(asked.after([chown('/d/l/f', 'nobody')]), '/d/a/f'), 'file of nobody');
  assert.is(shown(asked.after([chown('/d/a/f', 'nobody')]), '/d/l/f'), 'file of nobody');
});

test('what is asked after the link was planned is seen through it', () => {
  const world = new World().withAnswers([answered('/d/l', absent('/d/l'))]).after([link('/d/l', '/x')]);
  const asked = world.withAnswers([answered('/d/l/f', absent('/d/l/f', 2)), answered('/x/f', present('/x/f'))]);
  assert.is(shown(asked, '/d/l/f'), 'file of root');
});

test('content behind a planned link is not the old answer', () => {
  const world = new World()
    .withAnswers([answered('/d/l', absent('/d/l')), answered('/d/l/f', absent('/d/l/f', 2)), noContent])
    .after([link('/d/l', 'a')]);
  assert.is(world.find(loginIdentity, contentKey('/d/l/f', {})), undefined);
});

test('a link that leads elsewhere takes what was seen through it along, and so does its removal', () => {
  const world = new World().withAnswers([
    answered('/run/d/l', present('/run/d/l', { kind: 'link', target: 'b' })),
    answered('/var/run/d/l/f', present('/run/d/b/f')),
    answered('/run/d/b/f', present('/run/d/b/f')),
  ]);
  const moved = world.after([link('/run/d/l', 'a')]);
  assert.is(moved.where(loginIdentity, fileKey('/var/run/d/l/f')).id, '/run/d/a/f');
  assert.is(shown(moved, '/run/d/b/f'), 'file of root');
  const gone = world.after([{ type: 'file.remove', path: '/run/d/l' }]);
  assert.is(shown(gone, '/var/run/d/l/f'), 'absent');
  assert.is(shown(gone, '/run/d/b/f'), 'file of root');
});

test('a link that leads to itself ends', () => {
  const world = new World()
    .withAnswers([answered('/d/l', absent('/d/l')), answered('/d/l/f', absent('/d/l/f', 2))])
    .after([link('/d/l', 'l')]);
  assert.is(shown(world, '/d/l/f'), '/d/l changed');
});

test('an effect on a path that was never asked goes where the directory above it is', () => {
  const world = new World()
    .withAnswers([
      answered('/var/run/d', present('/run/d', { kind: 'directory' })),
      answered('/d/l', present('/d/l', { kind: 'link', target: '/run/d' })),
      answered('/run/d/f', present('/run/d/f')),
      answered('/run/d/g', present('/run/d/g')),
    ])
    .after([chown('/var/run/d/f', 'nobody'), chown('/d/l/g', 'nobody')]);
  assert.is(shown(world, '/run/d/f'), 'file of nobody');
  assert.is(shown(world, '/run/d/g'), 'file of nobody');
});

test('an answer that planned effects left too poor is unknown, and what was asked for stays asked for', () => {
  const tree = { identity: loginIdentity, key: treeKey('/t', { hashes: true }) };
  const known = { state: 'known' as const, raw: 'd', value: { exists: true, entries: [], more: false } };
  const world = new World()
    .withAnswers([answered('/t/f', absent('/t/f'))])
    .after([{ type: 'file.put', path: '/t/f', kind: 'file' }])
    .withAnswers([{ ...tree, answer: known }]);
  assert.equal(world.find(loginIdentity, tree.key), { state: 'unknown', why: '/t changed' });
  const shadow = userKey('me', { shadow: true });
  const user = { state: 'known' as const, raw: 'x', value: { exists: true, uid: 1, groups: [] } };
  const asked = new World()
    .after([{ type: 'user.set', name: 'me', set: { shell: '/bin/sh' } }])
    .withAnswers([{ identity: loginIdentity, key: shadow, answer: user }]);
  assert.is(asked.find(loginIdentity, shadow)?.state, 'known');
});

test('what lies behind a link that led nowhere is looked up there once that is made', () => {
  const world = new World().withAnswers([
    { identity: loginIdentity, key: fileKey('/d/l/f'), answer: fileFamily.parse('l1|4\n/d/la', fileKey('/d/l/f')) },
    answered('/d/a', absent('/d/a')),
  ]);
  assert.is(shown(world, '/d/l/f'), 'absent');
  const made = world.after([{ type: 'file.put', path: '/d/a', kind: 'directory' }]);
  assert.is(made.where(loginIdentity, fileKey('/d/l/f')).id, '/d/a/f');
  const other = world.after([{ type: 'file.put', path: '/d/b', kind: 'directory' }]);
  assert.is(shown(other, '/d/l/f'), 'absent');
});

test('a directory made above a path that was asked is known by its real path too', () => {
  const world = new World()
    .withAnswers([
      answered('/lib/x/a/s', absent('/usr/lib/x/a/s', 2)),
      answered('/usr/lib/x/a', absent('/usr/lib/x/a')),
      answered('/usr/lib/x', present('/usr/lib/x', { kind: 'directory' })),
    ])
    .after([{ type: 'file.put', path: '/lib/x/a', kind: 'directory', owner: 'root' }]);
  assert.is(shown(world, '/usr/lib/x/a'), 'directory of root');
});

for (const [name, shell] of Object.entries(shells))
  test(`${name}: a link that leads nowhere is told with where it would lead`, () => {
    const place = tempFolder('links');
    try {
      mkdirSync(join(place, 'd'));
      symlinkSync('d', join(place, 'alias'));
      symlinkSync('gone/away', join(place, 'd/l'));
      symlinkSync('loop', join(place, 'd/loop'));
      const keys = [fileKey(join(place, 'alias/l/x/y')), fileKey(join(place, 'd/loop/x'))];
      const [far, loop] = answers(shell, fileFamily, keys).map((answer) => answer.state === 'known' && answer.value);
      assert.equal(far, {
        exists: false,
        canonical: join(place, 'd/l/x/y'),
        parent: 'not-directory',
        missing: 2,
        behind: { target: join(place, 'd/gone/away'), path: join(place, 'd/gone/away/x/y') },
      });
      assert.is(loop && !loop.exists && loop.behind?.path, join(place, 'd/loop/x'));
    } finally {
      rmSync(place, { recursive: true });
    }
  });

test('names of owners follow the accounts, numbers stay', () => {
  const world = new World().withAnswers([
    answered('/f', present('/f', { owner: 'me', group: 'me', uid: 7 })),
    answered('/g', present('/g', { owner: 'UNKNOWN', uid: 8 })),
  ]);
  const gone = world.after([{ type: 'user.remove', name: 'me' }]).find(loginIdentity, fileKey('/f'));
  assert.equal(gone?.state === 'known' && gone.value, present('/f', { owner: undefined, group: undefined, uid: 7 }));
  assert.is(shown(world.after([{ type: 'user.set', name: 'new', set: {} }]), '/g'), 'file of undefined');
  assert.is(shown(world.after([{ type: 'user.remove', name: 'other' }]), '/f'), 'file of me');
});

test('after steps ran, what they touched is asked again and the rest is not', () => {
  const world = new World()
    .withAnswers([answered('/f', present('/f')), answered('/g', present('/g')), answered('/d/l', absent('/d/l'))])
    .after([put('/f', 'new'), { type: 'file.unknown', path: '/d/l', why: 'x' }, { type: 'systemd.reload' }])
    .untouched();
  assert.is(shown(world, '/f'), undefined);
  assert.is(shown(world, '/d/l'), undefined);
  assert.is(shown(world, '/g'), 'file of root');
});

test('that this run wrote units is still known when it has', () => {
  const key = { family: 'manager', id: 'system' };
  const world = new World()
    .withAnswers([
      { identity: loginIdentity, key, answer: { state: 'known', raw: '0', value: { stale: false } } },
      answered('/etc/systemd/system/x.service', absent('/etc/systemd/system/x.service')),
    ])
    .after([put('/etc/systemd/system/x.service', '[Service]')])
    .untouched();
  assert.equal(world.find(loginIdentity, key), { state: 'known', raw: '1', value: { stale: true } });
});

test.run();
