import { utf8 } from '../core/bytes.ts';
import type { Answer, FactFamily, FactKey } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { quoteAll } from '../core/quote.ts';
import { differs, reduce } from './file-effects.ts';
import { behindLink } from './link-effects.ts';
import { normal } from './normal.ts';
import { readKnown } from './read.ts';

export { normal } from './normal.ts';

export type FileKind = 'file' | 'directory' | 'link' | 'fifo' | 'socket' | 'char' | 'block';

/** By the upper four bits of a mode, as stat(2) has them. */
export const fileKinds: Readonly<Record<number, FileKind>> = {
  1: 'fifo',
  2: 'char',
  4: 'directory',
  6: 'block',
  8: 'file',
  10: 'link',
  12: 'socket',
};

/** What lstat says of a path, and where the path really is. */
export type FileFact = AbsentFile | PresentFile;

export interface AbsentFile {
  exists: false;
  /** The deepest existing ancestor's real path and the rest below it. */
  canonical: string;
  /** What the parent directory is: without one, nothing can be written here. */
  parent: 'directory' | 'missing' | 'not-directory';
  /** Names below the deepest existing ancestor: 1 when only the path itself is missing. */
  missing: number;
  /** Whether that ancestor hands its group down (setgid). Undefined: not predicted. */
  setgid?: boolean;
  /** That ancestor is a link that leads nowhere: where it would lead, and where this path would be. */
  behind?: { target: string; path: string };
}

export interface PresentFile {
  exists: true;
  /** Real path of the parent directory and the last name; the last name itself may be a link. */
  canonical: string;
  kind: FileKind;
  /** Permission bits with setuid, setgid and sticky. Undefined here and below: not predicted. */
  mode?: number;
  uid?: number;
  gid?: number;
  owner?: string;
  group?: string;
  size?: number;
  nlink?: number;
  dev?: number;
  inode?: number;
  /** Seconds since the epoch with nine decimals. */
  mtime?: string;
  ctime?: string;
  /** Links only: the text of the link. */
  target?: string;
}

/** The fact of a path, links not followed. */
export function file(world: WorldView, path: string): FileFact {
  return readKnown<FileFact>(world, 'file', normal(path));
}

export function fileKey(path: string): FactKey {
  return { family: 'file', id: normal(path) };
}

export const fileFamily: FactFamily<FileFact> = {
  name: 'file',
  // systemd makes these links anew as a unit starts, which one that crashes does by itself.
  guarded: (id) => !id.startsWith('/run/systemd/units/'),
  path: (id) => id,
  library: () => functions,
  script: (keys) => `kf_files ${quoteAll(keys.map((key) => key.id))}`,
  parse,
  absent: (value) => !value.exists,
  reduce,
  differs,
  proves: (effect) => (effect.type === 'file.put' || effect.type === 'file.remove' ? [fileKey(effect.path)] : []),
};

/**
 * Records: `p STAT|LENGTH` + newline + real parent (LENGTH bytes) + link text; `a`, `m` or `n` (parent a directory,
 * missing, not a directory) + number of names below the ancestor + `g` where that is setgid + newline + the ancestor's
 * real path; `l` + that number + `|LENGTH` + newline + real path of a link that leads nowhere (LENGTH bytes) + its text;
 * `d` + newline + the directory that may not be searched. Up to 100 present paths in a row cost one `stat`; `cd -P` and
 * tests are builtins. A stat of several fails when one vanished meanwhile, then it is made one by one.
 */
const functions = `kf_nl='
'
kf_fmt='%f|%u|%g|%s|%h|%d|%i|%U|%G|%y|%z'
kf_files() {
  kf_in=
  for kf_p; do
    [ -n "\${kf_in-}" ] || { set --; kf_in=1; }
    if [ -e "$kf_p" ] || [ -L "$kf_p" ]; then
      set -- "$@" "$kf_p"
      [ $# -lt 100 ] || { kf_stat "$@"; set --; }
    else
      [ $# = 0 ] || kf_stat "$@"
      set --; kf_absent "$kf_p"
    fi
  done
  kf_in=; [ $# = 0 ] || kf_stat "$@"
  cd /
}
kf_stat() {
  if kf_o=$(TZ=UTC0 stat -c "$kf_fmt" -- "$@" 2>/dev/null); then kf_o=$kf_o$kf_nl; for kf_q; do
    kf_present "$kf_q" "\${kf_o%%"$kf_nl"*}"; kf_o=\${kf_o#*"$kf_nl"}
  done; else for kf_q; do
    if kf_o=$(TZ=UTC0 stat -c "$kf_fmt" -- "$kf_q" 2>/dev/null); then kf_present "$kf_q" "$kf_o"; else kf_absent "$kf_q"; fi
  done; fi
}
kf_present() {
  kf_d=\${1%/*}; cd -P -- "\${kf_d:-/}" 2>/dev/null || { kf_absent "$1"; return; }
  printf 'p%s|%s\\n%s' "$2" "\${#PWD}" "$PWD"
  [ ! -L "$1" ] || readlink -n -- "$1"
  kp_sep
}
kf_absent() {
  kf_d=$1 kf_k=0 kf_a=a
  while :; do
    kf_d=\${kf_d%/*} kf_k=$((kf_k+1)) kf_e=\${kf_d:-/}
    if [ -d "$kf_e" ]; then
      if cd -P -- "$kf_e" 2>/dev/null; then
        [ ! -g . ] || kf_k=\${kf_k}g
        printf '%s%s\\n%s' $kf_a $kf_k "$PWD"
      else printf 'd\\n%s' "$kf_e"; fi
      break
    elif [ -L "$kf_e" ] && [ ! -e "$kf_e" ] && cd -P -- "\${kf_e%/*}/" 2>/dev/null; then
      kf_e=\${PWD%/}/\${kf_e##*/}
      printf 'l%s|%s\\n%s' $kf_k "\${#kf_e}" "$kf_e"; readlink -n -- "$kf_e"; break
    elif [ -e "$kf_e" ] || [ -L "$kf_e" ]; then printf 'n%s\\n%s' $kf_k "$kf_e"; break
    fi
    kf_a=m
    [ "$kf_e" != / ] || { printf 'd\\n/'; break; }
  done
  kp_sep
}`;

function parse(record: string, key: FactKey): Answer<FileFact> {
  const newline = record.indexOf('\n');
  const [head, rest] = [record.slice(0, newline), record.slice(newline + 1)];
  if (newline < 1) throw new Error(`unreadable answer for ${key.id}: ${JSON.stringify(record.slice(0, 80))}`);
  if (head === 'd') return { state: 'denied', raw: record, path: utf8(rest) };
  if (head[0] === 'l') return { state: 'known', raw: record, value: dangling(head.slice(1), rest, key.id) };
  const value = head[0] === 'p' ? present(head.slice(1), rest, key.id) : absent(head, utf8(rest), key.id);
  return { state: 'known', raw: record, value };
}

function absent(head: string, ancestor: string, path: string): AbsentFile {
  const missing = Number.parseInt(head.slice(1), 10);
  const names = path.split('/').slice(-missing);
  const parent = head[0] === 'a' ? 'directory' : head[0] === 'm' ? 'missing' : 'not-directory';
  return { exists: false, canonical: join(ancestor, names.join('/')), parent, missing, setgid: head.endsWith('g') };
}

/** Above it is a link that leads nowhere. */
function dangling(head: string, rest: string, path: string): AbsentFile {
  const [missing, length] = head.split('|').map(Number) as [number, number];
  const names = `/${path.split('/').slice(-missing).join('/')}`;
  const [link, target] = [utf8(rest.slice(0, length)), utf8(rest.slice(length))];
  const behind = { target: behindLink(link, target, ''), path: behindLink(link, target, names) };
  return { exists: false, canonical: link + names, parent: 'not-directory', missing, behind };
}

function present(stat: string, rest: string, path: string): PresentFile {
  const [rawMode, uid, gid, size, nlink, dev, inode, owner, group, mtime, ctime, length] = stat.split('|');
  if (length === undefined) throw new Error(`unreadable stat of ${path}: ${JSON.stringify(stat)}`);
  const bits = Number.parseInt(rawMode!, 16);
  const kind = fileKinds[bits >> 12];
  if (!kind) throw new Error(`unknown file type of ${path}: ${rawMode}`);
  const parent = utf8(rest.slice(0, Number(length)));
  return {
    exists: true,
    canonical: path === '/' ? '/' : join(parent, path.slice(path.lastIndexOf('/') + 1)),
    kind,
    mode: bits & 0o7777,
    uid: Number(uid),
    gid: Number(gid),
    owner: utf8(owner!),
    group: utf8(group!),
    size: Number(size),
    nlink: Number(nlink),
    dev: Number(dev),
    inode: Number(inode),
    mtime: epoch(mtime!),
    ctime: epoch(ctime!),
    ...(kind === 'link' ? { target: utf8(rest.slice(Number(length))) } : {}),
  };
}

/** `2026-11-30 12:00:00.123456789 +0000`, as stat prints it under TZ=UTC0, to seconds with nine decimals. */
export function epoch(text: string): string {
  const found = /^(\d+-\d+-\d+) (\d+:\d+:\d+)(?:\.(\d+))? \+0000$/.exec(text);
  if (!found) throw new Error(`unreadable time: ${text}`);
  return `${Date.parse(`${found[1]}T${found[2]}Z`) / 1000}.${(found[3] ?? '').padEnd(9, '0')}`;
}

function join(directory: string, rest: string): string {
  return directory === '/' ? `/${rest}` : `${directory}/${rest}`;
}
