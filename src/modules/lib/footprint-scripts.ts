import { quote, quoteAll } from '../../core/quote.ts';
import { type Footprint, type FootprintQuery, type FootprintUnit, nameOf, pattern } from '../../world/footprint.ts';
import { deepestFirst, type FolderFate } from './footprint-folders.ts';
import { dirname } from './paths.ts';

/** Notes beside the files that are there what else there is: the folder is renamed last, so it is whole or not there. */
export function noteScript(query: FootprintQuery, sysctls: readonly string[]): string {
  const { record, files, trees, newTrees, folders, units, borrowed, users } = query;
  const all = (paths: readonly string[]) => paths.map(pattern).join(' ');
  return `set -eu
rec=${quote(record)}
rm -rf -- "$rec.new"; mkdir -p -m 0700 -- ${quote(dirname(record))}; mkdir -m 0700 -- "$rec.new" "$rec.new/files"
{
  for p in ${all(files)}; do
    [ -e "$p" ] || [ -L "$p" ] || continue
    mkdir -p -- "$rec.new/files\${p%/*}"; cp -a -- "$p" "$rec.new/files$p"; printf 'file %s\\n' "$p"
  done
  for p in ${all([...trees, ...newTrees, ...folders])}; do [ ! -d "$p" ] || printf 'folder %s\\n' "$p"; done
  for u in ${quoteAll([...new Set([...units, ...borrowed])])}; do
    s=$(systemctl show -p LoadState -p ActiveState -p UnitFileState --value -- "$u" 2>/dev/null | tr '\\n' ' ')
    case $s in loaded*) set -- $s; printf 'unit %s %s %s\\n' "$u" "$2" "\${3-}" ;; esac
  done
  for u in ${quoteAll([...users])}; do ! id -u "$u" >/dev/null 2>&1 || printf 'user %s\\n' "$u"; done
  for n in ${quoteAll([...sysctls])}; do
    f=/proc/sys/$(printf %s "$n" | tr . /)
    [ ! -r "$f" ] || printf 'sysctl %s %s\\n' "$n" "$(cat "$f")"
  done
} >"$rec.new/manifest"
! command -v dpkg-query >/dev/null 2>&1 || dpkg-query -W -f '\${db:Status-Abbrev} \${Package}\\n' | sed -n 's/^.i *//p' | sort -u >"$rec.new/packages"
sync
mv -T -- "$rec.new" "$rec"`;
}

export function stopScript(units: readonly FootprintUnit[]): string {
  const names = quoteAll(units.map(({ name }) => name));
  return `systemctl stop -- ${names} && systemctl -q disable -- ${names} 2>&1
systemctl reset-failed -- ${names} 2>/dev/null || :
for u in ${names}; do
  case $(systemctl show -p ActiveState --value -- "$u") in active|reloading) echo "$u still runs" >&2; exit 1 ;; esac
done`;
}

export interface Removal {
  query: FootprintQuery;
  found: Footprint;
  /** What tells that something is left to remove: it goes when the rest is gone. */
  mark: string | undefined;
  /** Files of others that are put back. */
  back: readonly string[];
  files: readonly string[];
  trees: readonly string[];
  folders: FolderFate;
  users: readonly string[];
}

/**
 * Just what was listed. A tree ends where another file system begins, so that nothing that a pod mounted is ever
 * reached; a folder goes only when it is empty.
 */
export function removeScript({ query, found, mark, back, files, trees, folders, users }: Removal): string {
  const { units, sysctls } = found.was;
  const none = { active: 'inactive', enabled: 'disabled' };
  const borrowed = query.borrowed.map((name) => units.find((unit) => unit.name === name) ?? { name, ...none });
  return [
    'set -u; bad=0',
    ...(found.noted ? borrowed.filter(({ active }) => active !== 'active').map(stoppedText) : []),
    `tree() { [ -d "$1" ] || return 0; find "$1" -xdev -mindepth 1 -depth -delete || bad=1; rmdir -- "$1" 2>/dev/null || [ -z "$(ls -A "$1")" ] || { echo "$1 is not empty: is something mounted below it?" >&2; bad=1; }; }`,
    // Purged packages take their configuration with them, and folders that are empty by then.
    ...found.was.folders.map((path) => `[ -d ${quote(path)} ] || mkdir -p -- ${quote(path)} || bad=1`),
    ...back.map((path) => putBackText(path, `${query.record}/files${path}`)),
    ...removedText(files.filter((path) => path !== mark)),
    ...trees.map((path) => `tree ${quote(path)}`),
    ...[...folders.go, ...folders.mayGo]
      .sort(deepestFirst)
      .map((path) => `rmdir --ignore-fail-on-non-empty -- ${quote(path)} 2>/dev/null || :`),
    ...removedText(files.filter((path) => path === mark)).map((text) => `[ $bad != 0 ] || ${text}`),
    'systemctl daemon-reload || bad=1',
    ...(found.noted ? borrowed.map(borrowedText) : []),
    ...sysctls.map(({ name, value }) => `sysctl -q -w ${quote(`${name}=${value}`)} || bad=1`),
    ...users.map((user) => `userdel -- ${quote(user)} || bad=1`),
    'exit $bad',
  ]
    .filter(Boolean)
    .join('\n');
}

function removedText(files: readonly string[]): string[] {
  return files.length > 0 ? [`rm -f -- ${quoteAll([...files])} || bad=1`] : [];
}

function putBackText(path: string, kept: string): string {
  const [beside, folder] = [`${path}.kpush-undo`, dirname(path)];
  return `mkdir -p -- ${quote(folder)} && cp -a -- ${quote(kept)} ${quote(beside)} && mv -fT -- ${quote(beside)} ${quote(path)} || bad=1`;
}

/** What runs only since we came must let go of its files. */
function stoppedText({ name }: FootprintUnit): string {
  return `! systemctl -q is-active -- ${quote(name)} || systemctl stop -- ${quote(name)} || bad=1`;
}

/** A unit of others is as it was, if there still is one. */
function borrowedText({ name, active, enabled }: FootprintUnit): string {
  const unit = quote(name);
  const boot = enabled === 'enabled' ? 'enable' : 'disable';
  const now = active === 'active' ? 'restart' : 'stop';
  return `if systemctl cat -- ${unit} >/dev/null 2>&1; then systemctl -q ${boot} -- ${unit} 2>&1; systemctl ${now} -- ${unit} || bad=1; fi`;
}

/** By their exact names, and only when that is all that would go. */
export function purgeScript(packages: readonly string[]): string {
  const names = quoteAll(packages.map(nameOf));
  return `set -eu
export DEBIAN_FRONTEND=noninteractive
n=0
for p in $(apt-get -s -q purge ${names} </dev/null | sed -n 's/^\\(Remv\\|Purg\\) \\([^ ]*\\).*/\\2/p' | sort -u); do
  case " ${packages.join(' ')} " in *" $p "*) ;; *) echo "$p would go, too" >&2; n=1 ;; esac
done
[ $n = 0 ]
apt-get -q -y -o DPkg::Lock::Timeout=300 purge ${names}`;
}

/** The note is used up, and with it the folders around, one of which big files come through. */
export function forgetScript(record: string): string {
  const around = dirname(record);
  const folders = [`${around}/blobs`, around].map(quote).join(' ');
  return `rm -rf -- ${quote(record)} && for d in ${folders}; do [ ! -d "$d" ] || rmdir --ignore-fail-on-non-empty -- "$d" || exit 1; done`;
}
