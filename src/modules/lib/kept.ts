import { quote, quoteAll } from '../../core/quote.ts';

/** What is kept of the host's files before a change, and when they are put back by themselves. */
export interface Kept {
  name: string;
  change: string;
  files: readonly string[];
  /** Restarted when the files are put back. */
  units: readonly string[];
  /** Seconds; undefined: only when told to. */
  undoAfter: number | undefined;
}

export const keptRoot = '/var/lib/kpush/kept';
export const folderOf = (name: string) => `${keptRoot}/${name}`;
export const manifestOf = (name: string) => `${folderOf(name)}/manifest`;
export const timerOf = (name: string) => `kpush-undo-${name}`;

/** First lines of a manifest; what comes after them says of each file whether there was one. */
export function headOf({ change, units, undoAfter }: Kept): string {
  return `change ${change}\nunits ${units.join(' ')}\n${undoAfter === undefined ? 'by hand' : `timer ${undoAfter}`}\n`;
}

export type KeptState = { change: string; waits: boolean } | undefined;

/** What a manifest says; undefined: nothing is kept. */
export function stateOf(manifest: string | undefined): KeptState {
  const [change, , timer] = (manifest ?? '').split('\n');
  if (!change?.startsWith('change ')) return undefined;
  return { change: change.slice('change '.length), waits: timer?.startsWith('timer ') ?? false };
}

/**
 * Copies the files beside, whole or not at all, with a script that puts them back; then sets the timer. The script
 * needs nothing but the folder: it also runs when nobody can reach the host any more.
 */
export function keepScript(kept: Kept): string {
  const dir = folderOf(kept.name);
  const timer = timerOf(kept.name);
  return `set -eu
dir=${quote(dir)}
rm -rf -- "$dir.new"; mkdir -p -m 0700 ${quote(keptRoot)}; mkdir -m 0700 -- "$dir.new" "$dir.new/files"
printf %s ${quote(headOf(kept))} >"$dir.new/manifest"
for file in ${quoteAll([...kept.files])}; do
  if [ -e "$file" ] || [ -L "$file" ]; then
    mkdir -p -- "$dir.new/files\${file%/*}"; cp -a -- "$file" "$dir.new/files$file"; printf 'file %s\\n' "$file"
  else printf 'absent %s\\n' "$file"; fi
done >>"$dir.new/manifest"
cat >"$dir.new/undo" <<'UNDO'
${undoScript(kept)}
UNDO
sync
rm -rf -- "$dir" "$dir.fired"; mv -T -- "$dir.new" "$dir"
${kept.undoAfter === undefined ? '' : armText(timer, dir, kept.undoAfter)}`;
}

function armText(timer: string, dir: string, seconds: number): string {
  const unit = quote(timer);
  return `systemctl stop ${unit}.timer ${unit}.service 2>/dev/null || :
systemctl reset-failed ${unit}.timer ${unit}.service 2>/dev/null || :
systemd-run --quiet --collect --unit=${unit} --on-active=${seconds} --timer-property=AccuracySec=1s /bin/sh ${quote(`${dir}/undo`)} fired
`;
}

/** Every file beside its place first, then renamed; the folder is renamed last, so that it can be run again. */
export function undoScript({ name, units }: Kept): string {
  const dir = folderOf(name);
  return `set -eu
dir=${quote(dir)}
while read -r kind path; do
  case $kind in
  file) cp -a -- "$dir/files$path" "$path.kpush-undo"; mv -fT -- "$path.kpush-undo" "$path" ;;
  absent) rm -rf -- "$path" ;;
  esac
done <"$dir/manifest"
sync
systemctl daemon-reload
${units.length === 0 ? '' : `systemctl restart -- ${quoteAll([...units])}`}
if [ "\${1:-}" = fired ]; then rm -rf -- "$dir.fired"; mv -T -- "$dir" "$dir.fired"; else rm -rf -- "$dir"; fi`;
}

/** Stops the timer; fails where it was too late. */
export function confirmScript(name: string): string {
  const dir = quote(folderOf(name));
  const unit = quote(timerOf(name));
  return `set -eu
systemctl stop ${unit}.timer 2>/dev/null || :
[ ! -e ${dir}.fired ] || { echo "the change was undone: nobody confirmed it in time" >&2; exit 1; }
[ -e ${dir}/manifest ] || { echo "nothing is kept under this name" >&2; exit 1; }
sed '3s/.*/by hand/' ${dir}/manifest >${dir}/manifest.new && mv -f ${dir}/manifest.new ${dir}/manifest`;
}

export function restoreScript(name: string): string {
  const unit = quote(timerOf(name));
  return `systemctl stop ${unit}.timer 2>/dev/null || :\nexec /bin/sh ${quote(`${folderOf(name)}/undo`)}`;
}
