import * as assert from 'uvu/assert';
import type { Effect } from '../../../src/core/effects.ts';
import type { Answer, FactKey } from '../../../src/core/facts.ts';
import { type Identity, loginIdentity } from '../../../src/core/identity.ts';
import { WorldDraft } from '../../../src/world/draft.ts';
import { families } from '../../../src/world/families.ts';
import type { Entry } from '../../../src/world/marks.ts';
import { FactStore } from '../../../src/world/store.ts';
import { World } from '../../../src/world/world.ts';
import { suite } from '../../support/harness.ts';
import { PlainDraft } from './support/plain-draft.ts';
import { SmallDisk } from './support/small-disk.ts';

const test = suite('world/store');
const identities: Identity[] = [loginIdentity, { become: { method: 'sudo', user: 'root' } }];

test('effects found by index come to what looking at every answer comes to', () => {
  let [folds, changes] = [0, 0];
  for (let seed = 1; seed <= 120; seed++) {
    const pick = picker(seed);
    const entries = answersOf(pick);
    const store = storeOf(entries);
    const plain = new PlainDraft(2, entries);
    const draft = new WorldDraft(store);
    for (let n = 0; n < 6; n++) {
      const effect = effectOf(pick, entries);
      const before = shown([...plain.entries.values()]);
      draft.fold(effect);
      plain.fold(effect);
      const [found, wanted] = [shown(allOf(store)), shown([...plain.entries.values()])];
      assert.equal(found, wanted, `seed ${seed}, effect ${n}: ${JSON.stringify(effect)}`);
      folds++;
      if (JSON.stringify(before) !== JSON.stringify(wanted)) changes++;
    }
  }
  assert.ok(changes > folds / 2, `only ${changes} of ${folds} effects changed anything`);
});

test('an effect costs what it touches, not what is known', () => {
  const visits = (files: number) => {
    const facts = new FactStore();
    const view = facts.viewOf(loginIdentity);
    for (let n = 0; n < files; n++)
      for (const family of ['file', 'content', 'stat'])
        facts.put({
          key: { family, id: `/d/f${n}` },
          answer: answerOf(family, absent(`/d/f${n}`)),
          asserted: false,
          view,
        });
    const draft = new WorldDraft(facts);
    for (const n of [0, 5, 9])
      draft.fold({ type: 'file.put', path: `/d/f${n}`, kind: 'file', sha256: 'x', mode: 0o644 });
    draft.fold({ type: 'file.put', path: '/d/f7', kind: 'link', target: 'f8' });
    draft.fold({ type: 'file.remove', path: '/d/f5' });
    draft.fold({ type: 'package.set', name: 'curl', status: 'installed' });
    return draft.visited;
  };
  assert.is(visits(2000), visits(20));
  assert.ok(visits(20) <= 5 * 6, `${visits(20)} visits for six effects`);
});

test('copies of a world are apart', () => {
  const key: FactKey = { family: 'file', id: '/a' };
  const one = new World().withAnswers([{ identity: loginIdentity, key, answer: answerOf('file', absent('/a')) }]);
  const two = one.after([{ type: 'file.put', path: '/a', kind: 'directory' }]);
  const exists = (world: World) => (world.find(loginIdentity, key) as { value: { exists: boolean } }).value.exists;
  assert.equal([exists(one), exists(two), exists(one.after([]))], [false, true, false]);
  assert.is(two.untouched().find(loginIdentity, key), undefined, 'what a step touched is asked again');
  assert.is(exists(one.untouched()), false, 'what none touched still holds');
});

test('what is of other machines is asked again after steps that ran: no effect names what they moved there', () => {
  const key: FactKey = { family: 'tcp', id: '{"host":"h2","port":6443}' };
  const answer: Answer = { state: 'known', raw: 'n', value: { state: 'closed' } };
  const world = new World().withAnswers([{ identity: loginIdentity, key, answer }]);
  assert.equal(world.find(loginIdentity, key), answer);
  assert.is(world.untouched().find(loginIdentity, key), undefined);
});

test.run();

const absent = (canonical: string) => ({ exists: false, canonical, parent: 'directory', missing: 1 });

function answerOf(family: string, file: { exists: boolean }): Answer {
  const value: Record<string, unknown> = {
    file,
    content: file.exists ? { exists: true, sha256: 'old', text: 'old' } : { exists: false },
    digest: file.exists ? { hex: 'old' } : {},
    bytes: file.exists ? { state: 'not-regular' } : { state: 'absent' },
    stat: { old: true },
    tree: { exists: file.exists, entries: [], more: false },
    listing: { directory: file.exists, examined: 0, entries: [], more: false },
    deviations: { entries: [], more: false },
  };
  return { state: 'known', raw: 'r', value: value[family] };
}

/** The id of a family's question about a path. */
const ids: Record<string, (path: string) => string> = {
  digest: (path) => `md5 ${path}`,
  deviations: (path) => `owner=root ${path}`,
};

type Pick = <T>(from: readonly T[]) => T;

/** The same choices for the same seed. */
function picker(seed: number): Pick {
  let state = seed;
  return (from) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return from[((mixed ^ (mixed >>> 14)) >>> 0) % from.length]!;
  };
}

const names = ['a', 'b', 'l'];
const paths = names.flatMap((one) => [
  `/${one}`,
  ...names.flatMap((two) => [`/${one}/${two}`, `/${one}/${two}/${one}`]),
]);

/** A disk of a few files and links, and what it says of some paths to one or both identities. */
function answersOf(pick: Pick): Entry[] {
  const disk = new SmallDisk();
  for (const path of paths) {
    const parent = path.slice(0, path.lastIndexOf('/')) || '/';
    if (!disk.has(parent) || pick([true, false, false])) continue;
    const kind = pick(['file', 'file', 'directory', 'directory', 'link'] as const);
    const shared = kind === 'file' && pick([true, true, false]) ? { inode: 99 } : {};
    disk.put(
      path,
      kind === 'link' ? { kind, target: pick(['/a', '/b', 'a', 'b', '../a', '/gone']) } : { kind, ...shared },
    );
  }
  const chosen = Array.from({ length: 12 }, () => pick(paths));
  return chosen.flatMap((path) =>
    ['file', pick(['content', 'stat', 'tree']), pick(['digest', 'bytes', 'listing', 'deviations'])]
      .filter(() => pick([true, true, true, false]))
      .map((family) => ({
        key: { family, id: ids[family]?.(path) ?? path },
        answer: answerOf(family, disk.fact(path) as never),
        asserted: false,
        view: pick([0, 0, 1]),
      })),
  );
}

/** Mostly at a path that was asked. */
function effectOf(pick: Pick, entries: readonly Entry[]): Effect {
  const asked = entries.flatMap(({ key }) => (key.family === 'file' ? [key.id] : []));
  const path = pick(pick([paths, ['/gone'], asked.length > 0 ? asked : paths, asked.length > 0 ? asked : paths]));
  return pick<() => Effect>([
    () => ({ type: 'file.put', path, kind: 'file', sha256: 'new', text: 'new', mode: 0o600, size: 3 }),
    () => ({ type: 'file.put', path, kind: 'file', mode: 0o640, owner: 'kube' }),
    () => ({ type: 'file.put', path, kind: 'directory', mode: 0o755 }),
    () => ({ type: 'file.put', path, kind: 'link', target: pick(['/a', '/b', 'b', '/gone']) }),
    () => ({ type: 'file.remove', path }),
    () => ({ type: 'file.unknown', path, why: 'w' }),
    () => ({ type: 'world.open', why: 'install' }),
    () => ({ type: 'user.remove', name: 'kube' }),
    () => ({ type: 'fact.unknown', family: 'file', id: path, why: 'told so' }),
  ])();
}

function storeOf(entries: readonly Entry[]): FactStore {
  const store = new FactStore();
  for (const identity of identities) store.viewOf(identity);
  for (const entry of entries) store.put(entry);
  return store;
}

function allOf(store: FactStore): Entry[] {
  return [...families.keys()].flatMap((family) => store.ofFamily(family));
}

function shown(entries: readonly Entry[]): string[] {
  return entries
    .map(({ key, view, asserted, answer }) => `${view} ${key.family} ${key.id} ${asserted} ${JSON.stringify(answer)}`)
    .sort();
}
