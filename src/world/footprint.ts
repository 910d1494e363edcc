import { utf8 } from '../core/bytes.ts';
import type { FactFamily, FactKey } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { quote, quoteAll } from '../core/quote.ts';
import { readKnown } from './read.ts';

/** What may have been put on a host. Paths may hold `*`. */
export interface FootprintQuery {
  /** Folder of the note of what was there before. */
  record: string;
  files: readonly string[];
  /** Folders that go with all that is in them. */
  trees: readonly string[];
  /** Such folders that others may have made: they go only where it was noted that they were not there before. */
  newTrees: readonly string[];
  /** Folders that go when nothing is left in them. */
  folders: readonly string[];
  units: readonly string[];
  /** Units of others that run with files of ours. */
  borrowed: readonly string[];
  packages: readonly string[];
  users: readonly string[];
}

export interface FootprintUnit {
  name: string;
  active: string;
  enabled: string;
}

/** What of it is there now, and what was there before. */
export interface Footprint {
  /** Whether it was noted what was there before. */
  noted: boolean;
  files: string[];
  trees: string[];
  folders: string[];
  /** Of each of these folders, one thing in it that is none of what may have been put there. */
  others: string[];
  /** Those of the trees and folders on which something is mounted: they cannot go themselves. */
  mounts: string[];
  units: FootprintUnit[];
  users: string[];
  /** Packages that came since, with those that came for their sake, as apt would remove them. */
  packages: string[];
  /** Packages that stay, since one that is not ours needs them; or why none can be told. */
  packagesStay: string;
  was: {
    files: string[];
    folders: string[];
    users: string[];
    units: FootprintUnit[];
    sysctls: { name: string; value: string }[];
  };
}

export function footprint(world: WorldView, query: FootprintQuery): Footprint {
  return readKnown<Footprint>(world, 'footprint', footprintKey(query).id);
}

export function footprintKey(query: FootprintQuery): FactKey {
  return { family: 'footprint', id: JSON.stringify(query) };
}

/** Not guarded: states of units move by themselves, and what is removed is just what was listed. */
export const footprintFamily: FactFamily<Footprint> = {
  name: 'footprint',
  refreshed: true,
  guarded: false,
  library: () => library,
  script: (keys) => keys.map((key) => call(JSON.parse(key.id) as FootprintQuery)).join('\n'),
  parse: (record) => ({ state: 'known', raw: record, value: footprintIn(utf8(record)) }),
};

/** A mount point cannot go: it counts as long as something is in it. `kf_n`: all that is named, a line each. */
const library = `kf_fp_there() {
  kf_w=$1; shift
  for kf_p; do
    case $kf_w in
    file) [ -e "$kf_p" ] || [ -L "$kf_p" ] || continue ;;
    *)
      [ -d "$kf_p" ] || continue
      case $kf_m in *"
$kf_p
"*) [ "$(ls -A "$kf_p")" ] || continue; printf 'mount %s\\n' "$kf_p" ;; esac ;;
    esac
    printf '%s %s\\n' "$kf_w" "$kf_p"
  done
}
kf_fp_named() {
  kf_n='
'
  for kf_p; do
    [ -e "$kf_p" ] || [ -L "$kf_p" ] || continue
    kf_n="$kf_n$kf_p
"
  done
}
kf_fp_others() {
  for kf_p; do
    [ -d "$kf_p" ] || continue
    for kf_e in "$kf_p"/* "$kf_p"/.[!.]* "$kf_p"/..?*; do
      [ -e "$kf_e" ] || [ -L "$kf_e" ] || continue
      case $kf_n in *"
$kf_e
"*) ;; *) printf 'other %s\\n' "$kf_e"; break ;; esac
    done
  done
}
kf_fp_units() {
  kf_w=$1; shift
  systemctl show -p Id -p LoadState -p ActiveState -p UnitFileState -- "$@" 2>/dev/null | while IFS= read -r kf_l; do
    case $kf_l in
    Id=*) kf_i=\${kf_l#*=} ;;
    LoadState=*) kf_s=\${kf_l#*=} ;;
    ActiveState=*) kf_a=\${kf_l#*=} ;;
    UnitFileState=*) case $kf_s in loaded|masked) printf '%s %s %s %s\\n' "$kf_w" "$kf_i" "$kf_a" "\${kf_l#*=}" ;; esac ;;
    esac
  done
}
kf_fp_packages() {
  kf_r=$1; shift
  command -v dpkg-query >/dev/null 2>&1 || { echo 'stays only packages of Debian and its relatives are noted'; return; }
  [ -e "$kf_r/packages" ] || { echo 'stays it was not noted which were there before'; return; }
  kf_n=$(dpkg-query -W -f '\${db:Status-Abbrev} \${Package}\\n' -- "$@" 2>/dev/null | sed -n 's/^.i *//p' | sort -u | grep -vxF -f "$kf_r/packages")
  [ "$kf_n" ] || return 0
  kf_0=" $(apt-get -s -q autoremove 2>/dev/null </dev/null | sed -n 's/^\\(Remv\\|Purg\\) \\([^ ]*\\).*/\\2/p' | tr '\\n' ' ')"
  kf_1=$(apt-get -s -q purge --auto-remove $kf_n 2>/dev/null </dev/null | sed -n 's/^\\(Remv\\|Purg\\) \\([^ ]*\\).*/\\2/p' | sort -u)
  kf_a=" $(apt-mark showauto | tr '\\n' ' ')"
  for kf_p in $kf_1; do
    case $kf_0 in *" $kf_p "*) continue ;; esac
    kf_w=$kf_p
    if grep -qxF -- "$kf_p" "$kf_r/packages"; then kf_w=blocks
    else case $kf_a in *" $kf_p "*) kf_w=package ;; *) case "
$kf_n
" in *"
$kf_p
"*) kf_w=package ;; *) kf_w=blocks ;; esac ;; esac; fi
    printf '%s %s\\n' "$kf_w" "$kf_p"
  done
}`;

function call(query: FootprintQuery): string {
  const { record, files, trees, newTrees, folders, units, borrowed, packages, users } = query;
  const lines = [
    `kf_m="\n$(cut -d' ' -f5 /proc/self/mountinfo)\n"`,
    `[ ! -e ${quote(record)}/manifest ] || { echo noted; sed 's/^/was /' ${quote(record)}/manifest; }`,
    ...there('file', files),
    ...there('tree', [...trees, ...newTrees]),
    ...there('folder', folders),
    folders.length > 0 ? `kf_fp_named ${[...files, ...trees, ...newTrees, ...folders].map(pattern).join(' ')}` : '',
    folders.length > 0 ? `kf_fp_others ${folders.map(pattern).join(' ')}` : '',
    units.length > 0 ? `kf_fp_units unit ${quoteAll([...units])}` : '',
    borrowed.length > 0 ? `kf_fp_units borrowed ${quoteAll([...borrowed])}` : '',
    ...users.map((user) => `! id -u ${quote(user)} >/dev/null 2>&1 || echo user ${quote(user)}`),
    packages.length > 0 ? `kf_fp_packages ${quote(record)} ${quoteAll(packages.map(nameOf))}` : '',
  ];
  return `${lines.filter(Boolean).join('\n')}\nkp_sep`;
}

function there(kind: string, paths: readonly string[]): string[] {
  return paths.length === 0 ? [] : [`kf_fp_there ${kind} ${paths.map(pattern).join(' ')}`];
}

/** Quoted, but for the stars in it. */
export function pattern(path: string): string {
  return path
    .split('*')
    .map((part) => (part === '' ? '' : quote(part)))
    .join('*');
}

/** A package without the version that is wanted of it. */
export function nameOf(wanted: string): string {
  return wanted.replace(/[<>=].*$/, '').trim();
}

function footprintIn(text: string): Footprint {
  const lines = text.split('\n').filter(Boolean).map(cut);
  const of = (kind: string) => lines.filter(([word]) => word === kind).map(([, rest]) => rest);
  const was = of('was').map(cut);
  const wasOf = (kind: string) => was.filter(([word]) => word === kind).map(([, rest]) => rest);
  const blockers = of('blocks');
  const needed = blockers.length > 0 ? `${blockers.join(', ')} would go with them` : '';
  return {
    noted: lines.some(([word]) => word === 'noted'),
    files: of('file'),
    trees: of('tree'),
    folders: of('folder'),
    others: of('other'),
    mounts: of('mount'),
    units: [...of('unit'), ...of('borrowed')].map(unitOf),
    users: of('user'),
    packages: blockers.length > 0 ? [] : of('package'),
    packagesStay: needed || (of('stays')[0] ?? ''),
    was: {
      files: wasOf('file'),
      folders: wasOf('folder'),
      users: wasOf('user'),
      units: wasOf('unit').map(unitOf),
      sysctls: wasOf('sysctl')
        .map(cut)
        .map(([name, value]) => ({ name, value })),
    },
  };
}

function cut(line: string): [string, string] {
  const at = line.indexOf(' ');
  return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1)];
}

function unitOf(text: string): FootprintUnit {
  const [name = '', active = '', enabled = ''] = text.split(' ');
  return { name, active, enabled };
}
