import { createHash } from 'node:crypto';
import * as assert from 'uvu/assert';
import type { Effect } from '../../../src/core/effects.ts';
import type { Answer, FactKey } from '../../../src/core/facts.ts';
import { loginIdentity } from '../../../src/core/identity.ts';
import { contentFamily, contentKey } from '../../../src/world/content.ts';
import { deviationsKey } from '../../../src/world/deviations.ts';
import { digestKey } from '../../../src/world/digest.ts';
import { type FileFact, fileFamily, fileKey, normal } from '../../../src/world/file.ts';
import { listingKey } from '../../../src/world/listing.ts';
import { rawBytesKey } from '../../../src/world/raw-bytes.ts';
import { treeKey } from '../../../src/world/tree.ts';
import { World } from '../../../src/world/world.ts';
import { suite } from '../../support/harness.ts';
import { factOf } from '../modules/world-words.ts';

const t = suite('the file tree of a World');
const put = (path: string, more: object = {}): Effect => ({ type: 'file.put', path, kind: 'file', ...more });
const directory = (path: string, more: object = {}): Effect => ({ type: 'file.put', path, kind: 'directory', ...more });
const remove = (path: string): Effect => ({ type: 'file.remove', path });

/** A World of facts in the short forms of case files. */
function world(facts: Record<string, unknown>): World {
  const answers = Object.entries(facts).map(([key, value]) => {
    const at = key.indexOf(':');
    const [family, id] = [key.slice(0, at), key.slice(at + 1)];
    const answer: Answer = { state: 'known', value: factOf(family, id, value), raw: 'as asked' };
    return { identity: loginIdentity, key: { family, id }, answer };
  });
  return new World().withAnswers(answers);
}

function value<T>(of: World, key: FactKey): T | string {
  const answer = of.find(loginIdentity, key);
  if (!answer) return 'never asked';
  return answer.state === 'known'
    ? (answer.value as T)
    : answer.state === 'unknown'
      ? `unknown: ${answer.why}`
      : 'denied';
}

const fact = (of: World, path: string) =>
  value<FileFact & Record<string, unknown>>(of, fileKey(path)) as Record<string, unknown>;

t('paths lose double slashes, dots and a slash at the end', () => {
  assert.is(normal('//etc/./x//'), '/etc/x');
  assert.is(normal('/'), '/');
  assert.is(normal('/a/../b/.'), '/a/../b');
});

t('whose a file is, is compared by number where both are known, else by name', () => {
  const differs = (predicted: object, actual: object) => {
    const [was, is] = [predicted, actual].map((more) => ({ exists: true, canonical: '/x', kind: 'file', ...more }));
    return fileFamily.differs!(was as FileFact, is as FileFact);
  };
  const nameless = { uid: 1001, owner: 'UNKNOWN', gid: 1002, group: 'UNKNOWN' };
  assert.equal(differs({ uid: 1001, owner: '1001', gid: 1002, group: '1002' }, nameless), []);
  assert.equal(differs({ uid: 0, owner: 'toor' }, { uid: 0, owner: 'root' }), []);
  assert.equal(differs({ uid: 7, owner: '7' }, nameless), [
    'uid: expected 7, is 1001',
    'owner: expected 7, is UNKNOWN',
  ]);
  assert.equal(differs({ owner: 'web', group: 'web' }, nameless), [
    'owner: expected web, is UNKNOWN',
    'group: expected web, is UNKNOWN',
  ]);
});

t('records of paths that are there', () => {
  const stat =
    '81a4|0|0|6|1|65024|7|root|root|2026-11-30 12:17:58.155707000 +0000|2026-11-30 12:17:58.500000000 +0000|4';
  const answer = fileFamily.parse(`p${stat}\n/etc`, fileKey('/etc/x'));
  assert.equal(answer.state === 'known' && answer.value, {
    exists: true,
    canonical: '/etc/x',
    kind: 'file',
    mode: 0o644,
    uid: 0,
    gid: 0,
    owner: 'root',
    group: 'root',
    size: 6,
    nlink: 1,
    dev: 65024,
    inode: 7,
    mtime: '1796041078.155707000',
    ctime: '1796041078.500000000',
  });
});

t('records of paths that are not', () => {
  const read = (record: string, path: string) => {
    const answer = fileFamily.parse(record, fileKey(path));
    return answer.state === 'known' ? answer.value : answer.state === 'denied' ? `denied: ${answer.path}` : answer;
  };
  const absent = { exists: false, parent: 'directory', missing: 1, setgid: false };
  assert.equal(read('a1\n/run', '/var/run/x'), { ...absent, canonical: '/run/x' });
  assert.equal(read('a1g\n/srv', '/srv/x'), { ...absent, canonical: '/srv/x', setgid: true });
  assert.equal(read('m3\n/', '/a/b/c'), { ...absent, canonical: '/a/b/c', parent: 'missing', missing: 3 });
  assert.equal(read('n1\n/etc/passwd', '/etc/passwd/x'), {
    ...absent,
    canonical: '/etc/passwd/x',
    parent: 'not-directory',
  });
  assert.is(read('d\n/root', '/root/x'), 'denied: /root');
  assert.throws(() => read('', '/x'), /unreadable answer for \/x/);
});

t('a written file is seen under every name of its directory', () => {
  const before = world({
    'file:/var/run/x': { absent: { canonical: '/run/x' } },
    'file:/run/x': 'absent',
    'content:/run/x': null,
    'file:/run/y': 'absent',
  });
  const after = before.after([put('/var/run/x', { mode: 0o600, sha256: 'ab', text: 'b', size: 1 })]);
  assert.equal([fact(after, '/run/x').mode, fact(after, '/var/run/x').size], [0o600, 1]);
  assert.equal(value(after, contentKey('/run/x', { text: true })), { exists: true, sha256: 'ab', text: 'b' });
  assert.is(fact(after, '/run/y').exists, false);
  assert.is(fact(before, '/run/x').exists, false, 'the World before is as it was');
});

t('attributes leave the content, a new content leaves no old number of bytes', () => {
  const before = world({ 'file:/x': { size: 5, inode: 7, dev: 1 }, 'content:/x': 'hello' });
  const chmod = before.after([put('/x', { mode: 0o600 })]);
  assert.equal([fact(chmod, '/x').mode, fact(chmod, '/x').size, fact(chmod, '/x').inode], [0o600, 5, 7]);
  assert.is((value(chmod, contentKey('/x', {})) as { text: string }).text, 'hello');
  const written = before.after([put('/x', { sha256: 'ab', mode: 0o644 })]);
  assert.equal([fact(written, '/x').size, fact(written, '/x').inode], [undefined, undefined]);
});

t('an owner by name makes the old number unknown', () => {
  const after = world({ 'file:/x': {} }).after([put('/x', { owner: 'etcd' })]);
  assert.equal([fact(after, '/x').owner, fact(after, '/x').uid, fact(after, '/x').gid], ['etcd', undefined, 0]);
});

t('attributes of one name of a file are those of all its names', () => {
  const before = world({ 'file:/a': { inode: 7, dev: 1, nlink: 2 }, 'file:/b': { inode: 7, dev: 1, nlink: 2 } });
  assert.is(fact(before.after([put('/a', { mode: 0o600 })]), '/b').mode, 0o600);
  assert.is(fact(before.after([put('/a', { sha256: 'ab', mode: 0o600 })]), '/b').mode, 0o644);
});

t('a directory made brings what is below it nearer', () => {
  const before = world({ 'file:/a/b/c/x': { absent: { parent: 'missing', missing: 3 } } });
  const absent = { exists: false, canonical: '/a/b/c/x' };
  const one = before.after([directory('/a/b', { mode: 0o2775 })]);
  assert.equal(fact(one, '/a/b/c/x'), { ...absent, parent: 'missing', missing: 2, setgid: true });
  const two = one.after([directory('/a/b/c', { mode: 0o755 })]);
  assert.equal(fact(two, '/a/b/c/x'), { ...absent, parent: 'directory', missing: 1, setgid: false });
  const file = before.after([put('/a/b', { mode: 0o644 })]);
  assert.is(fact(file, '/a/b/c/x').parent, 'not-directory');
  const other = before.after([directory('/', { mode: 0o755 })]);
  assert.is(fact(other, '/a/b/c/x').missing, 3, 'what was there already brings nothing');
});

t('what is removed takes along all that is below it', () => {
  const before = world({
    'file:/a': { kind: 'directory' },
    'file:/a/b/x': {},
    'content:/a/b/x': 'x',
    'file:/ab': {},
    'digest:sha1 /a/b/x': 'ff',
    'bytes:/a/b/x': { state: 'bytes', base64: '' },
  });
  const after = before.after([remove('/a')]);
  assert.equal(fact(after, '/a'), {
    exists: false,
    canonical: '/a',
    parent: 'directory',
    missing: 1,
    setgid: undefined,
  });
  assert.equal([fact(after, '/a/b/x').parent, fact(after, '/a/b/x').missing], ['missing', 3]);
  assert.equal(value(after, contentKey('/a/b/x', {})), { exists: false });
  assert.equal(value(after, digestKey('/a/b/x', 'sha1')), {});
  assert.equal(value(after, rawBytesKey('/a/b/x')), { state: 'absent' });
  assert.is(fact(after, '/ab').exists, true);
});

t('a link put in the place of a directory makes what was below it unknown', () => {
  const before = world({ 'file:/a': { kind: 'directory' }, 'file:/a/x': {} });
  const after = before.after([{ type: 'file.put', path: '/a', kind: 'link', target: '/b' }]);
  assert.is(typeof value(after, fileKey('/a/x')), 'string', 'it is not known');
  assert.is(fact(after, '/a').target, '/b');
});

t('an unknown path is known again when it is written', () => {
  const before = world({ 'file:/x': {}, 'content:/x': 'a' }).after([
    { type: 'file.unknown', path: '/x', why: 'a download' },
  ]);
  assert.is(String(value(before, fileKey('/x'))), 'unknown: a download');
  const after = before.after([put('/x', { mode: 0o644, owner: 'root', uid: 0 })]);
  assert.equal([fact(after, '/x').exists, fact(after, '/x').mode, fact(after, '/x').size], [true, 0o644, undefined]);
  assert.is(String(value(after, contentKey('/x', {}))), 'unknown: a download');
});

t('hashes and bytes follow a text, and are unknown of what has none', () => {
  const before = world({
    'file:/x': 'absent',
    'digest:sha1 /x': null,
    'digest:sha256 /x': null,
    'bytes:/x': { state: 'absent' },
  });
  const text = before.after([put('/x', { sha256: 'ab', text: 'b\n' })]);
  assert.equal(value(text, digestKey('/x', 'sha1')), { hex: '89e6c98d92887913cadf06b2adb97f26cde4849b' });
  assert.equal(value(text, rawBytesKey('/x')), { state: 'bytes', base64: 'Ygo=' });
  const blob = before.after([put('/x', { sha256: 'ab' })]);
  assert.equal(value(blob, digestKey('/x', 'sha256')), { hex: 'ab' });
  assert.match(String(value(blob, digestKey('/x', 'sha1'))), /^unknown/);
  assert.match(String(value(blob, rawBytesKey('/x'))), /^unknown/);
});

t('a listing of a tree follows what is put and removed in it', () => {
  const entry = (path: string, kind = 'file') => ({ path, kind, mode: 0o644, size: 1 });
  const before = world({
    'file:/d': { kind: 'directory' },
    'tree:/d': { exists: true, more: false, entries: [entry('a'), entry('s', 'directory'), entry('s/x')] },
    'tree:/e': { exists: false, more: false, entries: [] },
  });
  const names = (of: World, path: string) =>
    (value(of, treeKey(path)) as { entries: { path: string }[] }).entries.map((e) => e.path);
  assert.equal(names(before.after([put('/d/n', { sha256: 'ab', size: 2, mode: 0o600 })]), '/d'), [
    'a',
    's',
    's/x',
    'n',
  ]);
  assert.equal(names(before.after([remove('/d/s')]), '/d'), ['a']);
  assert.equal(names(before.after([directory('/e'), put('/e/x', { mode: 0o600 })]), '/e'), ['x']);
  assert.equal(value(before.after([remove('/d')]), treeKey('/d')), { exists: false, more: false, entries: [] });
});

t('deviations are judged anew when one of the files changes', () => {
  const key = deviationsKey('/d', { mode: '0600', owner: 'root' });
  const facts = {
    'file:/d': { kind: 'directory' },
    'file:/d/x': {},
    [`deviations:${key.id}`]: { more: false, entries: [] },
  };
  const paths = (of: World) => (value(of, key) as { entries: { path: string }[] }).entries.map((e) => e.path);
  const bad = world(facts).after([put('/d/x', { mode: 0o644 })]);
  assert.equal(paths(bad), ['/d/x']);
  assert.equal(paths(bad.after([put('/d/x', { mode: 0o600 })])), []);
  assert.equal(paths(bad.after([remove('/d/x')])), []);
  assert.match(
    String(value(world(facts).after([put('/d/x', { owner: 'etcd', group: 'etcd' }), put('/d/new', {})]), key)),
    /^unknown/,
  );
});

t('a listing forgets what is removed, and is unknown after a write', () => {
  const key = listingKey('/d', { depth: 1, names: ['*.y ml'] });
  const entry = { path: 'a', kind: 'file' };
  const before = world({
    'file:/d': { kind: 'directory' },
    [`listing:${key.id}`]: { directory: true, examined: 1, more: false, entries: [entry] },
  });
  assert.equal((value(before.after([remove('/d/a')]), key) as { entries: unknown[] }).entries, []);
  assert.is(String(value(before.after([put('/d/b', {})]), key)), 'unknown: /d/b changed');
  assert.not.match(String(value(before.after([put('/other', {})]), key)), /^unknown/);
});

t('a file of which only the attributes change is asked for what it holds afterwards too', () => {
  const touched = world({ 'file:/x': {}, 'file:/new': 'absent' }).after([put('/x', { mode: 0o600 }), put('/new', {})]);
  const [x, fresh] = [contentKey('/x', {}), contentKey('/new', {})];
  assert.is(value(touched, x), 'never asked');
  const answers = [
    { identity: loginIdentity, key: x, answer: { state: 'known', raw: 'r', value: factOf('content', '/x', 'a') } },
    {
      identity: loginIdentity,
      key: fresh,
      answer: { state: 'known', raw: 'r', value: factOf('content', '/new', null) },
    },
  ] satisfies Parameters<World['withAnswers']>[0];
  const asked = touched.withAnswers(answers);
  assert.is((value(asked, x) as { text: string }).text, 'a');
  assert.is(value(asked, fresh), 'unknown: /new changed', 'nobody told what comes to be in it');
});

t('a content known by its hash alone is no text, and not known not to be one', () => {
  const before = world({ 'file:/x': {}, 'content:/x': 'a' });
  const text = contentKey('/x', { text: true });
  const fetched = before.after([put('/x', { sha256: 'ab' })]);
  assert.is(value(fetched, text), 'unknown: /x changed', 'the host still shows the old');
  assert.is((value(fetched, contentKey('/x', { sha256: 'ab', text: true })) as { sha256: string }).sha256, 'ab');
  const packed = before.after([put('/x', { sha256: 'ab', notText: 'binary' })]);
  assert.equal(value(packed, text), { exists: true, sha256: 'ab', notText: 'binary' });
});

t('contents: equal, other, absent, no file, denied, binary and long', () => {
  const key = contentKey('/x', { sha256: 'a'.repeat(64), text: true });
  const read = (record: string) => {
    const answer = contentFamily.parse(record, key);
    return answer.state === 'known' ? answer.value : answer.state;
  };
  const other = 'b'.repeat(64);
  assert.equal(read('='), { exists: true, sha256: 'a'.repeat(64) });
  const sum = createHash('sha256').update('hé\n').digest('hex');
  assert.equal(read(`t${sum}\nh\u00c3\u00a9\n`), { exists: true, sha256: sum, text: 'hé\n' });
  assert.equal(read(`t${other}\n\u00ff`), { exists: true, sha256: other, notText: 'binary' });
  // What was read is not what was hashed: a shell lost NUL bytes, or somebody wrote in between.
  assert.equal(read(`t${other}\nhalf of it`), { exists: true, sha256: other, notText: 'torn' });
  assert.equal(read(`t${other}\n${'x'.repeat(262_145)}`), { exists: true, sha256: other, notText: 'long' });
  assert.equal(read(`s${other}`), { exists: true, sha256: other });
  assert.equal(read('a'), { exists: false });
  assert.equal(read('x'), { exists: true, notRegular: true });
  assert.is(read('d'), 'denied');
});
t.run();
