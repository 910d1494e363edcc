import type { FactKey } from '../../core/facts.ts';
import type { WorldView } from '../../core/module.ts';
import { quote } from '../../core/quote.ts';
import type { Diff, Step } from '../../core/steps.ts';
import { content, contentKey } from '../../world/content.ts';
import { file, fileKey } from '../../world/file.ts';
import type { PayloadFile } from '../../world/payload.ts';
import { installScript } from './binaries-script.ts';
import { replaced } from './replaced.ts';

/** Programs of one release that belong in one folder, and where the host gets each from. */
export interface Binaries {
  binDir: string;
  /** `v1.20.2`. */
  version: string;
  /** In the order they take their names. */
  names: readonly string[];
  /** File that says what was installed; written last. */
  marker: string;
  /** What the source is known by besides its content: the digest of an image. */
  digest?: string;
  /** SHA-256 of each, where it is known. */
  sha256: Readonly<Record<string, string | undefined>>;
}

/** Everything that `needs` reads first. Hashes are asked for only where the marker does not vouch for a file. */
export function binariesKeys({ binDir, names, marker }: Pick<Binaries, 'binDir' | 'names' | 'marker'>): FactKey[] {
  return [contentKey(marker, { text: true }), ...names.map((name) => fileKey(`${binDir}/${name}`))];
}

/** Why each program must be installed anew; those that are right are left out. */
export function needs(wanted: Binaries, world: WorldView): Map<string, string> {
  const noted = notesOf(content(world, wanted.marker, { text: true }).text ?? '');
  const reasons = wanted.names.map((name) => [name, needOf(name, wanted, noted, world)] as const);
  return new Map(reasons.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

interface Note {
  sha256: string;
  stamp: string;
  version: string;
  digest: string;
}

/** Lines of the marker: name, hash, stamp (size, seconds, inode), release, digest of the source. */
function notesOf(text: string): Map<string, Note> {
  const lines = text.split('\n').map((line) => line.split(' '));
  return new Map(
    lines.flatMap(([name, sha256, stamp, version, digest = '-']) =>
      name && sha256 && stamp && version ? [[name, { sha256, stamp, version, digest }] as const] : [],
    ),
  );
}

function needOf(name: string, wanted: Binaries, noted: Map<string, Note>, world: WorldView): string | undefined {
  const path = `${wanted.binDir}/${name}`;
  const found = file(world, path);
  if (!found.exists) return 'missing';
  if (found.kind !== 'file') return `a ${found.kind}`;
  if (found.mode !== undefined && (found.mode & 0o111) !== 0o111) return 'not executable';
  const [note, sha256] = [noted.get(name), wanted.sha256[name]];
  if (!note) return 'not installed by kpush';
  if (note.version !== wanted.version) return `${note.version}, wanted ${wanted.version}`;
  if (wanted.digest !== undefined && note.digest !== wanted.digest) return 'of another image';
  if (sha256 !== undefined && note.sha256 !== sha256) return 'of another build';
  const seconds = found.mtime?.split('.')[0];
  if (note.stamp === `${found.size},${seconds},${found.inode}`) return undefined;
  const same = content(world, path, { sha256: note.sha256 }).sha256 === note.sha256;
  return same ? undefined : 'changed since it was installed';
}

/** A folder beside the programs, so that the last move is a rename on one file system. */
export const stagingOf = (binDir: string) => `${binDir}/.kpush-new`;

/** Pushed programs: staged, then verified and renamed in one step. */
export function pushSteps(
  wanted: Binaries,
  files: Readonly<Record<string, PayloadFile>>,
  reasons: Map<string, string>,
): Step[] {
  const staging = stagingOf(wanted.binDir);
  const names = wanted.names.filter((name) => reasons.has(name));
  return [
    makeStaging(staging),
    ...names.map((name) => putStep(`${staging}/${name}`, files[name]!)),
    installStep(wanted, names, reasons, files),
  ];
}

export function makeStaging(staging: string): Step {
  const script = `rm -rf -- ${quote(staging)} && mkdir -m 0700 -- ${quote(staging)}`;
  return {
    title: `make ${staging}`,
    run: { kind: 'sh', script },
    effects: [{ type: 'file.put', path: staging, kind: 'directory', mode: 0o700 }],
  };
}

/** Packed where it is worth it; the step after it unpacks. */
function putStep(target: string, file: PayloadFile): Step {
  const { path: source, sha256, size } = file.packed ?? file;
  const path = file.packed ? `${target}.gz` : target;
  const content = { kind: 'blob' as const, path: source, sha256, size };
  return {
    title: `send ${target.slice(target.lastIndexOf('/') + 1)}`,
    // The step after it looks at what has come, and leaves nothing behind where that is not all.
    onFail: 'go-on',
    run: { kind: 'put', path, content, mode: 0o755 },
    effects: [{ type: 'file.put', path, kind: 'file', mode: 0o755, sha256, size }],
  };
}

/** Verifies what is staged, gives it its names, writes the marker. */
export function installStep(
  wanted: Binaries,
  names: readonly string[],
  reasons: Map<string, string>,
  files: Readonly<Record<string, { sha256?: string; size?: number } | undefined>>,
): Step {
  const staging = stagingOf(wanted.binDir);
  const puts = names.flatMap((name) => {
    const { sha256, size } = files[name] ?? {};
    return replaced(`${wanted.binDir}/${name}`, { mode: 0o755, ...(sha256 ? { sha256, size } : {}) });
  });
  return {
    title: `install ${names.join(', ')} ${wanted.version}`,
    run: { kind: 'sh', script: installScript(wanted, names, staging) },
    effects: [
      ...puts,
      { type: 'file.unknown', path: wanted.marker, why: 'the programs are installed' },
      { type: 'file.remove', path: staging },
    ],
    diff: names.map((name) => diffOf(name, wanted, reasons.get(name)!)),
    proof: names.map((name) => fileKey(`${wanted.binDir}/${name}`)),
    onCut: 'finish',
    timeout: 300,
  };
}

function diffOf(name: string, { binDir, version }: Binaries, reason: string): Diff {
  return {
    kind: 'fields',
    subject: `${binDir}/${name}`,
    fields: [{ name: 'release', before: reason, after: version }],
  };
}
