import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { Answer, FactKey } from '../../../src/core/facts.ts';
import { type ContentFact, contentFamily, contentKey } from '../../../src/world/content.ts';
import {
  type DeviationsFact,
  deviates,
  deviationsFamily,
  deviationsKey,
  type Uniform,
} from '../../../src/world/deviations.ts';
import { digestFamily, digestKey } from '../../../src/world/digest.ts';
import { expandFamily, expandKey } from '../../../src/world/expand.ts';
import { type FileFact, fileFamily, fileKey } from '../../../src/world/file.ts';
import { type ListingFact, listingFamily, listingKey } from '../../../src/world/listing.ts';
import { rawBytesFamily, rawBytesKey } from '../../../src/world/raw-bytes.ts';
import { selfFamily, selfKey } from '../../../src/world/self.ts';
import { statFamily, statKey } from '../../../src/world/stat.ts';
import { type TreeFact, treeFamily, treeKey } from '../../../src/world/tree.ts';
import { type UnarchiveQuery, unarchivedFamily, unarchivedKey } from '../../../src/world/unarchived.ts';
import { whichFamily, whichKey } from '../../../src/world/which.ts';
import { suite } from '../../support/harness.ts';
import { temp } from '../../unit/remote/support.ts';
import { answers, shells } from '../../unit/world/shells.ts';

/** The questions about files, asked of real shells. */
const t = suite('questions about files', { timeout: 60_000 });
const isRoot = process.getuid?.() === 0;
const odd = `o'd" $x \\ \u00e9`;

for (const [name, shell] of Object.entries(shells)) {
  const ask = <T>(family: { name: string }, keys: FactKey[]) =>
    answers<T>(shell, family as never, keys).map(told) as T[];

  t(`${name}: what paths are, in the order asked, whatever their names`, () => {
    const dir = temp();
    writeFileSync(join(dir, odd), 'text');
    chmodSync(join(dir, odd), 0o4751);
    linkSync(join(dir, odd), join(dir, 'second'));
    symlinkSync(odd, join(dir, 'link'));
    symlinkSync('nowhere', join(dir, 'dangling'));
    symlinkSync('.', join(dir, 'self'));
    const paths = [odd, 'none', 'link', 'dangling', 'self/link', 'a/b/c', `${odd}/x`, '.', 'line\nbreak'].map((path) =>
      join(dir, path),
    );
    const facts = ask<FileFact>(fileFamily, [...paths, '/', '/none'].map(fileKey)) as unknown as Record<
      string,
      unknown
    >[];
    const real = statSync(join(dir, odd));
    assert.equal(
      [facts[0]!.kind, facts[0]!.mode, facts[0]!.size, facts[0]!.nlink, facts[0]!.inode],
      ['file', 0o4751, 4, 2, real.ino],
    );
    assert.ok(Math.abs(Number(facts[0]!.mtime) * 1000 - real.mtimeMs) < 1);
    assert.equal(facts[1], {
      exists: false,
      canonical: join(dir, 'none'),
      parent: 'directory',
      missing: 1,
      setgid: false,
    });
    assert.equal([facts[2]!.kind, facts[2]!.target], ['link', odd]);
    assert.equal([facts[3]!.kind, facts[3]!.target], ['link', 'nowhere']);
    assert.equal([facts[4]!.kind, facts[4]!.canonical], ['link', join(dir, 'link')]);
    assert.equal([facts[5]!.parent, facts[5]!.missing], ['missing', 3]);
    assert.equal([facts[6]!.parent, facts[6]!.missing], ['not-directory', 1]);
    assert.is(facts[7]!.kind, 'directory');
    assert.is(facts[8]!.exists, false);
    assert.equal([facts[9]!.kind, facts[9]!.canonical], ['directory', '/']);
    assert.is(facts[10]!.exists, false);
  });

  t(`${name}: more paths than one stat takes`, () => {
    const dir = temp();
    const paths = Array.from({ length: 250 }, (_, i) => join(dir, `f${i}`));
    for (const [i, path] of paths.entries()) if (i % 3) writeFileSync(path, 'x'.repeat(i));
    const facts = ask<FileFact & { size: number }>(fileFamily, paths.map(fileKey));
    assert.equal(
      facts.map((fact) => (fact.exists ? fact.size : -1)),
      paths.map((_, i) => (i % 3 ? i : -1)),
    );
  });

  if (isRoot)
    t(`${name}: what may not be looked at is denied, not absent`, () => {
      const dir = temp();
      chmodSync(dir, 0o755);
      mkdirSync(join(dir, 'closed'), { mode: 0o700 });
      writeFileSync(join(dir, 'closed/x'), 'x');
      writeFileSync(join(dir, 'secret'), 'x', { mode: 0o600 });
      const nobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', ...shell];
      const state = (family: { name: string }, key: FactKey) => answers(nobody, family as never, [key])[0] as Answer;
      assert.equal(state(fileFamily, fileKey(join(dir, 'closed/x'))), {
        state: 'denied',
        raw: `d\n${dir}/closed`,
        path: `${dir}/closed`,
      });
      assert.is(state(fileFamily, fileKey(join(dir, 'closed/a/b'))).state, 'denied');
      assert.is(state(contentFamily, contentKey(join(dir, 'closed/x'), {})).state, 'denied');
      assert.is(state(contentFamily, contentKey(join(dir, 'secret'), { text: true })).state, 'denied');
      assert.is(state(digestFamily, digestKey(join(dir, 'secret'), 'sha1')).state, 'denied');
      assert.is(state(rawBytesFamily, rawBytesKey(join(dir, 'secret'))).state, 'denied');
      assert.is(state(treeFamily, treeKey(join(dir, 'closed'))).state, 'denied');
      assert.is(state(listingFamily, listingKey(join(dir, 'closed'), {})).state, 'denied');
      const me = state(selfFamily, selfKey);
      assert.equal(me.state === 'known' && (me.value as { uid: number }).uid, 65534);
    });

  t(`${name}: contents: hash, text when it differs, and what is none`, () => {
    const dir = temp();
    writeFileSync(join(dir, odd), 'h\u00e9\n');
    writeFileSync(join(dir, 'bin'), Buffer.from([254, 255]));
    writeFileSync(join(dir, 'empty'), '');
    const sum = sha256(join(dir, odd));
    const keys = [
      contentKey(join(dir, odd), { sha256: sum, text: true }),
      contentKey(join(dir, 'bin'), { text: true }),
      contentKey(join(dir, 'none'), { text: true }),
      contentKey(dir, {}),
      contentKey(join(dir, 'empty'), { text: true }),
      contentKey(join(dir, 'empty'), {}),
    ];
    const [same, bin, none, directory, empty, bare] = ask<ContentFact>(contentFamily, keys);
    assert.equal(same, { exists: true, sha256: sum });
    assert.equal([bin!.exists, bin!.notText], [true, 'binary']);
    assert.equal(none, { exists: false });
    assert.equal(directory, { exists: true, notRegular: true });
    assert.equal([empty!.text, bare!.text, bare!.sha256], ['', undefined, sha256(join(dir, 'empty'))]);
    const [text] = ask<ContentFact>(contentFamily, [
      contentKey(join(dir, odd), { sha256: 'a'.repeat(64), text: true }),
    ]);
    assert.equal(text, { exists: true, sha256: sum, text: 'h\u00e9\n' });
  });

  t(`${name}: large ones among small ones, with openssl and without`, () => {
    const dir = temp();
    for (const file of ['a', odd, 'c', 'd']) writeFileSync(join(dir, file), `of ${file}`);
    const sum = (file: string) => sha256(join(dir, file));
    const keys = [
      contentKey(join(dir, 'a'), {}),
      contentKey(join(dir, odd), { sha256: sum(odd), large: true }),
      contentKey(join(dir, 'none'), { large: true }),
      contentKey(join(dir, 'c'), { sha256: sum('a'), large: true }),
      contentKey(join(dir, 'd'), { sha256: sum('d') }),
    ];
    const broken = join(dir, 'bin');
    mkdirSync(broken);
    writeFileSync(join(broken, 'openssl'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    for (const PATH of [process.env.PATH, `${broken}:${process.env.PATH}`])
      assert.equal(
        answers(shell, contentFamily, keys, { PATH }).map((answer) =>
          answer.state === 'known' ? answer.value.sha256 : answer.state,
        ),
        [sum('a'), sum(odd), undefined, sum('c'), sum('d')],
      );
  });

  t(`${name}: hashes and bytes`, () => {
    const dir = temp();
    const bytes = Buffer.from(Array.from({ length: 3000 }, (_, i) => i % 256));
    writeFileSync(join(dir, odd), bytes);
    writeFileSync(join(dir, 'big'), Buffer.alloc(800_000));
    const sums = ask<{ hex?: string }>(digestFamily, [
      digestKey(join(dir, odd), 'md5'),
      digestKey(join(dir, odd), 'sha512'),
      digestKey(join(dir, 'none'), 'sha1'),
    ]);
    assert.equal([sums[0]!.hex?.length, sums[1]!.hex?.length, sums[2]!.hex], [32, 128, undefined]);
    const found = ask<{ state: string; base64?: string }>(
      rawBytesFamily,
      [odd, 'big', 'none', '.'].map((path) => rawBytesKey(join(dir, path))),
    );
    assert.equal(
      found.map(({ state }) => state),
      ['bytes', 'long', 'absent', 'not-regular'],
    );
    assert.ok(Buffer.from(found[0]!.base64!, 'base64').equals(bytes));
  });

  t(`${name}: trees and listings`, () => {
    const dir = temp();
    mkdirSync(join(dir, odd));
    writeFileSync(join(dir, odd, 'a.conf'), 'a', { mode: 0o640 });
    writeFileSync(join(dir, '.h.conf'), '');
    symlinkSync('a.conf', join(dir, odd, 'l'));
    symlinkSync(dir, `${dir}.link`);
    const [tree, linked] = ask<TreeFact>(treeFamily, [treeKey(dir, { hashes: true }), treeKey(`${dir}.link`)]);
    const brief = (entries: TreeFact['entries']) =>
      entries.map(({ path, kind, mode, size }) => [path, kind, mode, size]).sort();
    assert.equal(
      brief(tree!.entries).filter(([, kind]) => kind !== 'directory'),
      [
        ['.h.conf', 'file', 0o644, 0],
        [`${odd}/a.conf`, 'file', 0o640, 1],
        [`${odd}/l`, 'link', 0o777, 6],
      ],
    );
    assert.equal(brief(linked!.entries), brief(tree!.entries));
    assert.is(tree!.entries.find(({ path }) => path.endsWith('a.conf'))!.sha256, sha256(join(dir, odd, 'a.conf')));
    const queries = [
      { depth: 1 },
      { names: ['*.conf', 'x y'] },
      { kind: 'link' as const },
      { kind: 'link' as const, follow: true },
      { depth: 1, kind: 'directory' as const },
    ];
    const lists = ask<ListingFact>(listingFamily, [
      ...queries.map((query) => listingKey(dir, query)),
      listingKey(join(dir, 'none'), {}),
    ]);
    assert.equal(
      lists.map(({ entries }) => entries.map(({ path }) => path).sort()),
      [['.h.conf', odd], ['.h.conf', `${odd}/a.conf`], [`${odd}/l`], [], [odd], []],
    );
    assert.equal(
      lists.map(({ examined }) => examined),
      [2, 4, 4, 4, 2, 0],
    );
    assert.is(lists[5]!.directory, false);
  });

  t(`${name}: deviations are those that the rules name, for any mode`, () => {
    const dir = temp();
    const modes = fc.sample(fc.integer({ min: 0, max: 0o7777 }), { numRuns: 60, seed: 3 });
    for (const [i, mode] of modes.entries()) {
      const path = join(dir, `n${i}`);
      if (i % 2) mkdirSync(path);
      else writeFileSync(path, '');
      if (isRoot) chownSync(path, i % 3, i % 5);
      chmodSync(path, mode);
    }
    symlinkSync('n0', join(dir, 'link'));
    const wanted: Uniform[] = [
      '0644',
      '2755',
      'u=rwX,g=rX,o=',
      'a+X',
      'u+x,g-w',
      'g=u',
      'go-rwx',
      'u+s',
      'o=g,u-s',
      '+t',
      'a=rX',
      'u=rwx,a+X',
    ].map((mode) => ({ mode }));
    wanted.push({ owner: 'root' }, { group: '0', mode: 0o600 }, { owner: 'nobody-of-that-name' }, {});
    const found = ask<DeviationsFact>(
      deviationsFamily,
      wanted.map((one) => deviationsKey(dir, one)),
    );
    const entries = ask<FileFact>(
      fileFamily,
      readdirSync(dir).map((path) => fileKey(join(dir, path))),
    ) as never as { canonical: string }[];
    for (const [i, one] of wanted.entries()) {
      const expected = entries.filter((entry) => deviates(entry as never, one)).map(({ canonical }) => canonical);
      assert.equal(found[i]!.entries.map(({ path }) => path).sort(), expected.sort(), JSON.stringify(one));
    }
  });

  t(`${name}: home directories and variables, and what is neither`, () => {
    const paths = ['~/x y', '~', '$HOME/x', '${HOME}/$NONE_SUCH', '~nobody-of-that-name/x', "/a'b/$HOME;id", '~root/x'];
    const found = answers<string>(shell, expandFamily, paths.map(expandKey), { HOME: '/home/a b' }).map(told);
    assert.equal(found, [
      '/home/a b/x y',
      '/home/a b',
      '/home/a b/x',
      '/home/a b/$NONE_SUCH',
      '~nobody-of-that-name/x',
      "/a'b//home/a b;id",
      '/root/x',
    ]);
  });

  t(`${name}: more about a file, and commands`, () => {
    const dir = temp();
    writeFileSync(join(dir, odd), 'text', { mode: 0o500 });
    const [fact, none] = ask<Record<string, unknown>>(statFamily, [
      statKey(join(dir, odd), { attributes: true }),
      statKey(join(dir, 'none'), {}),
    ]);
    assert.equal([fact!.readable, fact!.executable, fact!.rdev, none], [true, true, 0, {}]);
    assert.match(String(fact!.atime), /^\d+\.\d{9}$/);
    const [sh, nothing] = ask<string>(whichFamily, [whichKey('sh'), whichKey('no-such-command')]);
    assert.equal([sh!.endsWith('sh'), nothing], [true, '']);
  });

  t(`${name}: archives against what stands in a directory`, () => {
    const dir = temp();
    const made = spawnSync(
      'sh',
      [
        '-ec',
        'umask 022; mkdir -p a/s to; echo 1 >a/x; echo 2 >"a/s/y z"; tar czf a.tgz -C a .; cd a; zip -qr ../a.zip .',
      ],
      { cwd: dir },
    );
    assert.is(made.status, 0, String(made.stderr));
    const query = (src: string, more: Partial<UnarchiveQuery> = {}): UnarchiveQuery => ({
      src: join(dir, src),
      dest: join(dir, 'to'),
      options: [],
      exclude: [],
      include: [],
      wanted: {},
      ...more,
    });
    const state = (one: UnarchiveQuery) =>
      (ask<{ state: string }>(unarchivedFamily, [unarchivedKey(one)])[0] as { state: string }).state;
    assert.equal(
      ['a.tgz', 'a.zip', 'none'].map((src) => state(query(src))),
      ['differs', 'differs', 'no-archive'],
    );
    spawnSync('tar', ['xzf', 'a.tgz', '-C', 'to'], { cwd: dir });
    assert.equal(
      ['a.tgz', 'a.zip'].map((src) => state(query(src))),
      ['same', 'same'],
    );
    assert.is(state(query('a.tgz', { wanted: { mode: '0600' } })), 'attributes');
    chmodSync(join(dir, 'to/x'), 0o600);
    assert.equal(
      [state(query('a.tgz')), state(query('a.tgz', { exclude: ['./x'] })), state(query('a.tgz', { include: ['./s'] }))],
      ['differs', 'same', 'same'],
    );
    assert.is(state(query('a.tgz', { wanted: { mode: 'u=rwX,go=' } })), 'attributes');
    const whole = readFileSync(join(dir, 'a.tgz'));
    writeFileSync(join(dir, 'half.tgz'), whole.subarray(0, whole.length - 40));
    assert.is(state(query('half.tgz')), 'damaged');
    writeFileSync(join(dir, 'to/s/y z'), 'other');
    assert.equal([state(query('a.zip')), state(query('a.zip', { exclude: ['s/*'] }))], ['differs', 'same']);
  });
}
t.run();

function told(answer: Answer): unknown {
  if (answer.state !== 'known') throw new Error(`not known: ${JSON.stringify(answer)}`);
  return answer.value;
}

function sha256(path: string): string {
  return spawnSync('sha256sum', [], { input: readFileSync(path) })
    .stdout.toString()
    .slice(0, 64);
}
