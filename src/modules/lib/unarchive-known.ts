import type { Effect, FilePut } from '../../core/effects.ts';
import type { FactKey } from '../../core/facts.ts';
import type { ModuleContext, Plan, WorldView } from '../../core/module.ts';
import { result } from '../../core/result.ts';
import type { Step } from '../../core/steps.ts';
import type { Value } from '../../jinja/values.ts';
import { content, contentKey, textLimit } from '../../world/content.ts';
import { type FileFact, file, fileKey } from '../../world/file.ts';
import { fileFields } from '../../world/file-fields.ts';
import { unarchivedLibrary } from '../../world/unarchived-test.ts';
import { account } from './account.ts';
import type { ArchiveEntry } from './archive/entry.ts';
import type { Archive } from './archive/read.ts';
import { attributeChange } from './attributes.ts';
import type { Located } from './links.ts';
import { join } from './paths.ts';
import { filePayload, payloadFields } from './payload.ts';
import { umask } from './place.ts';
import { afterAttributes } from './results.ts';
import { unpackedDiff } from './unarchive-diff.ts';
import { ownersAfter, storedOwnerKeys } from './unarchive-owners.ts';
import type { UnarchiveParams } from './unarchive-params.ts';
import { modeOf, type Place, placeOf } from './unarchive-place.ts';
import { extractScript, handlerName, removal } from './unarchive-script.ts';
import { selected } from './unarchive-select.ts';

export function knownKeys(entries: readonly ArchiveEntry[], given: UnarchiveParams, dest: string): FactKey[] {
  const below = entries.flatMap((entry) => {
    const path = join(dest, entry.path);
    return entry.sha256 === undefined ? [fileKey(path)] : [fileKey(path), contentKey(path, { sha256: entry.sha256 })];
  });
  return [...below, ...storedOwnerKeys(entries, given)];
}

/** Compares what is there entry by entry; unpacks all when one differs, then gives the wanted attributes. */
export function planKnown(
  archive: Archive,
  given: UnarchiveParams,
  dest: Located,
  world: WorldView,
  ctx: ModuleContext,
): Plan {
  const entries = selected(archive, given);
  const root = account(world, ctx).uid === 0;
  const places = entries.map((entry) => placeOf(entry, dest, given, root, world));
  const stale = places.filter((place) => differs(place, given, root, world));
  const adjust = places.filter((place) => !stale.length && needsAttributes(place, given, world));
  const values: Record<string, Value> = {
    dest: dest.path,
    src: given.src,
    handler: handlerName(given.src, archive.kind),
    ...fileFields(dest.path, destAfter(entries, dest, given, root, world)),
    ...(given.list_files ? { files: entries.map(({ name }) => name) } : {}),
  };
  if (stale.length === 0 && adjust.length === 0) return { steps: [], result: result(false, values) };
  const steps = stale.length ? unpack(places, given, dest, root, world, ctx) : [attributes(adjust, given, dest, world)];
  return { steps, result: result(true, values) };
}

/** The destination itself may be an entry (`./`). */
function destAfter(
  entries: ArchiveEntry[],
  dest: Located,
  given: UnarchiveParams,
  root: boolean,
  world: WorldView,
): FileFact {
  const entry = entries.find(({ path }) => path === '');
  if (!entry || !dest.fact.exists) return dest.fact;
  const { uid, owner = uid?.toString(), gid, group = gid?.toString() } = ownersAfter(entry, given, root, world);
  const wanted = { owner, group, mode: modeOf(entry, given, root).mode };
  return afterAttributes(dest.path, dest.fact, wanted, world);
}

/** As tar would leave it. Without root it takes the modes from the umask, so they are not judged; nor are owners. */
function differs(place: Place, given: UnarchiveParams, root: boolean, world: WorldView): boolean {
  const { entry, path, fact } = place;
  if (!fact.exists) return true;
  if (entry.kind === 'hard') return fact.kind !== 'file';
  if (entry.kind === 'other') return false;
  if (fact.kind !== entry.kind) return true;
  if (root && isGivenAway(place, given)) return true;
  if (entry.kind === 'link') return fact.target !== entry.target;
  if (root && given.mode === undefined && fact.mode !== entry.mode) return true;
  return entry.sha256 !== undefined && content(world, path, { sha256: entry.sha256 }).sha256 !== entry.sha256;
}

/** It belongs to another than the archive says. Who was asked for is seen to without unpacking. */
function isGivenAway({ entry, fact, owners }: Place, given: UnarchiveParams): boolean {
  if (!fact.exists) return false;
  const other = (is: number | undefined, wanted: number | undefined) => wanted !== undefined && is !== wanted;
  return (
    (!!entry.owner && given.owner === undefined && other(fact.uid, owners.uid)) ||
    (!!entry.group && given.group === undefined && other(fact.gid, owners.gid))
  );
}

function needsAttributes({ path, fact }: Place, given: UnarchiveParams, world: WorldView): boolean {
  return fact.exists && attributeChange(path, fact, given, world).commands.length > 0;
}

function unpack(
  places: Place[],
  given: UnarchiveParams,
  dest: Located,
  root: boolean,
  world: WorldView,
  ctx: ModuleContext,
): Step[] {
  const payload = filePayload(ctx.files.find('files', given.src));
  const temp = join(dest.path, `.kpush-${ctx.random(8)}.tmp`);
  const put: FilePut = { type: 'file.put', path: temp, kind: 'file', mode: 0o600, ...payloadFields(payload), nlink: 1 };
  return [
    {
      title: `send ${given.src}`,
      run: { kind: 'put', path: temp, content: payload.content, mode: 0o600 },
      effects: [put],
    },
    {
      title: `unpack ${given.src} into ${dest.path}`,
      run: {
        kind: 'sh',
        script:
          `${removal(temp)}${unarchivedLibrary}\n` +
          extractScript(
            given,
            temp,
            dest.path,
            places.map(({ entry }) => entry),
          ),
      },
      umask,
      effects: [
        { type: 'file.remove', path: temp },
        ...parents(places, dest, world),
        ...places.flatMap((place) => effectOf(place, given, root)),
      ],
      diff: unpackedDiff(places, given, root, world),
    },
  ];
}

/** Directories that the archive does not name but its entries stand in. */
function parents(places: Place[], dest: Located, world: WorldView): Effect[] {
  const named = new Set(places.map(({ entry }) => entry.path));
  const missing = new Set<string>();
  for (const { entry } of places) {
    const names = entry.path.split('/');
    for (let i = 1; i < names.length; i++) missing.add(names.slice(0, i).join('/'));
  }
  const paths = [...missing].filter((path) => !named.has(path)).map((path) => join(dest.path, path));
  return paths
    .filter((path) => !file(world, path).exists)
    .map((path) => ({ type: 'file.put', path, kind: 'directory', mode: 0o777 & ~umask }));
}

function effectOf({ entry, path, fact, owners }: Place, given: UnarchiveParams, root: boolean): Effect[] {
  if (entry.kind === 'other') return [];
  const kind = entry.kind === 'hard' ? 'file' : entry.kind;
  const unknown: Effect[] = fact.exists ? [{ type: 'file.remove', path }] : [];
  const put: FilePut = {
    type: 'file.put',
    path,
    kind,
    ...modeOf(entry, given, root),
    ...owners,
    ...contentFields(entry),
  };
  return [...(kind === 'directory' ? [] : unknown), put];
}

function contentFields(entry: ArchiveEntry): Partial<FilePut> {
  if (entry.kind === 'link') return { target: entry.target, size: entry.size };
  if (entry.kind !== 'file') return {};
  return { sha256: entry.sha256, size: entry.size, ...textOf(entry) };
}

function textOf({ text, size }: ArchiveEntry): Partial<FilePut> {
  return text === undefined ? { notText: size > textLimit ? 'long' : 'binary' } : { text };
}

function attributes(places: Place[], given: UnarchiveParams, dest: Located, world: WorldView): Step {
  const changes = places.map(({ path, fact }) => ({
    path,
    fact,
    change: attributeChange(path, fact as never, given, world),
  }));
  return {
    title: `set the attributes of ${places.length} entries of ${given.src} in ${dest.path}`,
    run: {
      kind: 'sh',
      script: changes
        .flatMap(({ change }) => change.commands)
        .map((command) => `${command} || exit 1\n`)
        .join(''),
    },
    effects: changes.map(({ path, fact, change }) => ({ type: 'file.put', path, kind: kindOf(fact), ...change.set })),
    diff: changes.slice(0, 50).map(({ path, change }) => ({ kind: 'fields', subject: path, fields: change.fields })),
  };
}

function kindOf(fact: FileFact): FilePut['kind'] {
  const kind = fact.exists ? fact.kind : 'file';
  return kind === 'file' || kind === 'directory' || kind === 'link' ? kind : 'other';
}
