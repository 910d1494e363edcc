import type { Effect } from '../core/effects.ts';
import type { FactKey } from '../core/facts.ts';
import type { Plan, WorldView } from '../core/module.ts';
import type { ParamSpecs, Params } from '../core/params.ts';
import { result } from '../core/result.ts';
import type { Diff, Step } from '../core/steps.ts';
import { file, fileKey } from '../world/file.ts';
import {
  type Footprint,
  type FootprintQuery,
  type FootprintUnit,
  footprint,
  footprintKey,
} from '../world/footprint.ts';
import { defineModule } from './define.ts';
import { folderFate } from './lib/footprint-folders.ts';
import {
  forgetScript,
  noteScript,
  purgeScript,
  type Removal,
  removeScript,
  stopScript,
} from './lib/footprint-scripts.ts';

const list = { type: 'list', elements: 'str', operand: true, default: [] } as const;
const params = {
  state: {
    type: 'str',
    doc: 'noted: what was here before is noted. stopped: its units are stopped and disabled. removed: it is gone',
    choices: ['noted', 'stopped', 'removed'],
    required: true,
  },
  record: { type: 'path', doc: 'Folder of the note on the host', default: '/var/lib/kpush/footprint' },
  mark: {
    type: 'path',
    doc: 'A file that is there as long as anything is: with it there it is too late to note what was here before; without it and without a note nothing is removed',
  },
  files: { ...list, doc: 'Files and links; `*` in them stands for any text' },
  trees: { ...list, doc: 'Folders with all that is in them, as far as their file system goes' },
  new_trees: {
    ...list,
    doc: 'Such folders that others may have made: they go only where it was noted that they were not there',
  },
  folders: { ...list, doc: 'Folders that go once nothing is left in them' },
  units: { ...list, doc: 'Units that go' },
  borrowed: { ...list, doc: 'Units of others that run with files of these: they are left as they were' },
  packages: { ...list, doc: 'Packages; of those, the ones that were not there before go' },
  users: { ...list, doc: 'Users of the system' },
  sysctls: { ...list, doc: 'Settings of the kernel that get back the value they had' },
  keep_packages: { type: 'bool', doc: 'Packages stay, and with them the note of what was here before', default: false },
} as const satisfies ParamSpecs;

type Given = Params<typeof params>;

export const footprintModule = defineModule({
  name: 'footprint',
  doc: {
    summary: 'What was put on a host can be taken away again, and nothing else is',
    notes: [
      'Before anything is put there, what is there already is noted: files are kept beside, units, packages, users and settings by name. What was there is put back or left alone; what came since goes.',
      'Without a note files and folders go, and packages stay. A folder in which anything of others is left stays.',
      'The plan lists all of it by name.',
    ],
    examples: `- footprint: {state: noted, files: [/etc/app.conf], units: [app.service], packages: [socat]}
- footprint: {state: stopped, units: [app.service]}
- footprint: {state: removed, files: [/etc/app.conf], units: [app.service], packages: [socat]}
`,
    returns: {
      removed: 'paths, packages and users that go',
      stays: 'what stays although it is named, and why',
      files: 'of a note: what it is about, as with trees, folders and units',
    },
  },
  params,
  facts: (given) => [...marks(given), given.state === 'noted' ? fileKey(given.record) : footprintKey(queryOf(given))],
  plan(given, world) {
    if (given.state === 'noted') return note(given, world);
    return given.state === 'stopped' ? stop(given, world) : remove(given, world);
  },
});

function marks({ mark }: Given): FactKey[] {
  return mark === undefined ? [] : [fileKey(mark)];
}

function queryOf(given: Given): FootprintQuery {
  const { record, files, trees, new_trees: newTrees, folders, units, borrowed, packages, users } = given;
  return { record, files, trees, newTrees, folders, units, borrowed, packages, users };
}

function note(given: Given, world: WorldView): Plan {
  const { record, mark, sysctls } = given;
  if (file(world, record).exists) return unchanged();
  if (mark !== undefined && file(world, mark).exists)
    return { ...unchanged(), notes: [`what was here before ${mark} is not known: it was not noted`] };
  const step: Step = {
    title: 'note what is here before anything is put here',
    run: { kind: 'sh', script: noteScript(queryOf(given), sysctls) },
    effects: [{ type: 'file.put', path: record, kind: 'directory', mode: 0o700 }],
    diff: [{ kind: 'fields', subject: record, fields: [{ name: 'note', before: null, after: 'what is here now' }] }],
    proof: [fileKey(record)],
    timeout: 120,
  };
  const { files, trees, new_trees: newTrees, folders, units } = given;
  return { steps: [step], result: result(true, { files, trees: [...trees, ...newTrees], folders, units }) };
}

function unchanged(): Plan {
  return { steps: [], result: result(false, { removed: [], stays: [] }) };
}

function stop(given: Given, world: WorldView): Plan {
  const found = footprint(world, queryOf(given));
  const units = found.units.filter(isOn(given.units));
  if (units.length === 0) return unchanged();
  const effects = units.map(
    ({ name }): Effect => ({ type: 'unit.set', unit: name, set: { active: 'inactive', enabled: 'disabled' } }),
  );
  const fields = units.map(({ name, active, enabled }) => ({
    name,
    before: [active, enabled].filter(Boolean).join(', '),
    after: 'stopped, disabled',
  }));
  const step: Step = {
    title: `stop ${units.length} ${units.length === 1 ? 'unit' : 'units'}`,
    run: { kind: 'sh', script: stopScript(units) },
    effects,
    diff: [{ kind: 'fields', subject: 'units', fields }],
    proof: [],
    onCut: 'finish',
    timeout: 300,
  };
  return { steps: [step], result: result(true, { removed: [], stays: [] }) };
}

function isOn(names: readonly string[]) {
  return ({ name, active, enabled }: FootprintUnit) =>
    names.includes(name) && (!['inactive', 'failed'].includes(active) || enabled.startsWith('enabled'));
}

function remove(given: Given, world: WorldView): Plan {
  const query = queryOf(given);
  const found = footprint(world, query);
  // What is here then is of others, though its name is one of these.
  if (given.mark !== undefined && !found.noted && !file(world, given.mark).exists) return unchanged();
  const packages = given.keep_packages ? [] : found.packages;
  const removal = { ...removalOf(query, found, packages.length > 0), mark: given.mark };
  const steps = [packagesStep(packages), filesStep(removal), forgetStep(given, found)].flatMap((step) => step ?? []);
  const { files, trees, users, back } = removal;
  const stays = [...removal.folders.stay.map(({ path, why }) => `${path} stays: ${why}`), ...staying(given, found)];
  return {
    steps,
    notes: stays,
    result: result(steps.length > 0, { removed: [...files, ...trees, ...packages, ...users], back: [...back], stays }),
  };
}

function removalOf(query: FootprintQuery, found: Footprint, purges: boolean): Omit<Removal, 'mark'> {
  const { was } = found;
  const theirs = found.trees.filter((path) => isOfOthers(path, query, found));
  return {
    query,
    found,
    back: [...was.files],
    files: found.files.filter((path) => !was.files.includes(path)),
    trees: found.trees.filter((path) => !theirs.includes(path)),
    folders: folderFate(found, [...was.files, ...theirs], purges),
    users: found.users.filter((name) => !was.users.includes(name)),
  };
}

/** Where nothing was noted, what others may have made is theirs. */
function isOfOthers(path: string, query: FootprintQuery, { noted, was }: Footprint): boolean {
  return was.folders.includes(path) || (!noted && query.newTrees.includes(path));
}

function staying(given: Given, found: Footprint): string[] {
  const { packages } = given;
  const trees = found.trees.filter((path) => isOfOthers(path, queryOf(given), found));
  const why = found.noted ? 'it was there before' : 'it was not noted whether it was there before';
  return [
    ...trees.map((path) => `${path} stays: ${why}`),
    ...(packages.length > 0 && found.packagesStay ? [`packages stay: ${found.packagesStay}`] : []),
  ];
}

function filesStep(removal: Removal): Step | undefined {
  const { found, back, files, trees, folders, users } = removal;
  const bare = trees.filter((path) => !found.mounts.includes(path));
  const gone = [...files, ...bare, ...folders.go];
  const open = [...trees.filter((path) => found.mounts.includes(path)), ...folders.mayGo];
  if (gone.length + open.length + users.length + back.length === 0) return undefined;
  return {
    title: `remove ${files.length + trees.length} files and folders`,
    run: { kind: 'sh', script: removeScript(removal) },
    effects: [
      ...gone.map((path): Effect => ({ type: 'file.remove', path })),
      ...open.map((path): Effect => ({ type: 'file.unknown', path, why: 'it goes if nothing of others is in it' })),
      ...back.map((path): Effect => ({ type: 'file.unknown', path, why: 'what was there before is put back' })),
      ...users.map((name): Effect => ({ type: 'user.remove', name })),
      { type: 'systemd.reload' },
    ],
    diff: diffOf(removal, found),
    proof: gone.slice(0, 200).map(fileKey),
    onCut: 'finish',
    timeout: 600,
  };
}

function diffOf({ back, files, trees, folders, users }: Removal, { was }: Footprint): Diff[] {
  const field = (name: string, before: string, after: string | null = null) => ({ name, before, after });
  return [
    {
      kind: 'fields',
      subject: 'what kpush put here',
      fields: [
        ...files.map((path) => field(path, 'file')),
        ...trees.map((path) => field(path, 'folder, with all in it')),
        ...folders.go.map((path) => field(path, 'folder')),
        ...folders.mayGo.map((path) => field(path, 'folder, if nothing of others is in it')),
        ...users.map((name) => field(`user ${name}`, 'there')),
        ...back.map((path) => field(path, 'of kpush', 'as it was before')),
        ...was.sysctls.map(({ name, value }) => field(name, 'as kpush set it', value)),
      ],
    },
  ];
}

function packagesStep(packages: readonly string[]): Step | undefined {
  if (packages.length === 0) return undefined;
  return {
    title: `remove ${packages.length} packages that were not here before`,
    run: { kind: 'sh', script: purgeScript(packages) },
    effects: [
      ...packages.map((name): Effect => ({ type: 'package.set', name, status: 'removed' })),
      { type: 'world.open', why: 'packages are removed' },
    ],
    diff: [
      {
        kind: 'fields',
        subject: 'packages',
        fields: packages.map((name) => ({ name, before: 'installed', after: null })),
      },
    ],
    onCut: 'finish',
    timeout: 1200,
  };
}

function forgetStep({ record, keep_packages: kept }: Given, { noted }: Footprint): Step | undefined {
  if (!noted || kept) return undefined;
  return {
    title: 'forget what was here before',
    run: { kind: 'sh', script: forgetScript(record) },
    effects: [{ type: 'file.remove', path: record }],
    diff: [{ kind: 'fields', subject: record, fields: [{ name: 'note', before: 'there', after: null }] }],
  };
}
