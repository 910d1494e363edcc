import { quote, quoteAll } from '../../core/quote.ts';
import type { Binaries } from './binaries.ts';

/**
 * A staged file, unpacked where it came under gzip, must be a program, of this machine and of the release it is to be, before it takes its name: kubelet
 * before kubectl, the marker last. `version` of hyperkube's script would print usage and exit 0, so its words are read.
 */
export function installScript(wanted: Binaries, names: readonly string[], staging: string): string {
  const { binDir, version, marker, digest = '-' } = wanted;
  return `set -eu
trap ${quote(`cd /; rm -rf -- ${quote(staging)}`)} EXIT
cd ${quote(staging)}
bad() { echo "$1" >&2; exit 1; }
for name in ${quoteAll([...names])}; do
  [ ! -e "$name.gz" ] || gzip -d -f -- "$name.gz" || bad "$name cannot be unpacked"
  [ -s "$name" ] || bad "$name did not arrive"
  [ "$(od -An -N4 -tx1 "$name" | tr -d ' ')" = 7f454c46 ] || bad "$name is no program but begins with: $(head -c 40 "$name" | tr -cd '[:print:]')"
  case $name in kubectl) set -- version --client ;; *) set -- --version ;; esac
  said=$("./$name" "$@" 2>&1 </dev/null) || bad "$name does not run: $(printf %s "$said" | head -n 1)"
  case "$said " in *${quote(version)}[!0-9A-Za-z.+-]*) ;; *) bad "$name is not ${version}: $(printf %s "$said" | head -n 1)" ;; esac
done
sync
for name in ${quoteAll([...names])}; do
  sum=$(sha256sum "$name")
  mv -f -- "$name" ${quote(binDir)}/"$name"
  printf '%s %s %s %s %s\\n' "$name" "\${sum%% *}" "$(stat -c %s,%Y,%i ${quote(binDir)}/"$name")" ${quote(version)} ${quote(digest)} >>.marker
done
if [ -f ${quote(marker)} ]; then while IFS= read -r line; do
  case " "${quote(names.join(' '))}" " in *" \${line%% *} "*) ;; *) printf '%s\\n' "$line" >>.marker ;; esac
done <${quote(marker)}; fi
chmod 0644 .marker
sync
mv -f .marker ${quote(marker)}`;
}
