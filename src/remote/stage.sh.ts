import { storeFunction } from './blob-store.ts';
import { minify } from './minify.ts';
import { ownFunction } from './own.sh.ts';

/** Files sent ahead, by a shell of their own: its stdin carries their bytes. */
export const stageLibrary =
  storeFunction +
  ownFunction +
  minify(`
# kp_have PATH SHA256: "done", or what is there of it: "SIZE SHA256", then whether dd fills its blocks.
kp_have() {
  # What lies in a folder of somebody else's is none of ours, whatever it holds now.
  kp_own || { echo 0 -; kp_sep; kp_sep; return; }
  case $1 in */kpush/*) [ -d "\${1%/*}" ] || (umask 077; mkdir -p "\${1%/*}") ;; esac
  if [ -f "$1" ] && [ "$(kp_sum "$1")" = "$2" ]; then
    echo done
  elif [ -f "$1.part" ]; then
    echo "$(wc -c <"$1.part")" "$(kp_sum "$1.part")"
  else
    echo 0 -
  fi
  kp_sep
  dd bs=1 count=0 iflag=fullblock </dev/null >/dev/null 2>&1 && echo fullblock
  kp_sep
}
# openssl is not everywhere, and three times as fast.
kp_sum() {
  kp_x=
  command -v openssl >/dev/null && kp_x=$(openssl dgst -sha256 -r <"$1" 2>/dev/null)
  [ "$kp_x" ] || kp_x=$(sha256sum <"$1")
  echo "\${kp_x%% *}"
}

# kp_raw MARKER: a trip without R: stdin belongs to the trip.
kp_raw() {
  kp_m=$1 kp_rd=
  kp_2 begin trip
}

# kp_up PATH OFFSET SIZE SHA256 DD: takes SIZE - OFFSET bytes from stdin, in chunks. Before each comes a line that says
# how many blocks of how many bytes it has. Each chunk is a sign of life. Bytes left over after a failure would be read
# as commands, so a failure ends the shell.
kp_up() {
  kp_staged="$kp_staged
$1"
  umask 077
  kp_own || kp_lost "cannot write in $kp_tmp"
  [ -d "\${1%/*}/" ] || kp_lost "\${1%/*}: no such directory"
  [ $2 = 0 ] && rm -f "$1.part"
  kp_i=$2
  while [ $kp_i -lt $3 ]; do
    IFS=' ' read -r kp_c kp_b <&3 || kp_lost "no more came"
    if [ $5 ]; then dd bs=$kp_b count=$kp_c iflag=fullblock 2>/dev/null; else head -c $kp_b; fi <&3 >>"$1.part" || kp_lost "cannot write $1.part"
    kill -USR1 $kp_w
    kp_i=$((kp_i + kp_c * kp_b))
    kp_f at $kp_i
  done
  [ $(($(wc -c <"$1.part"))) = $3 ] || kp_lost "$1.part: size is wrong: is the disk full?"
  # Not synced: whoever uses it looks at its hash again, and what is put in its place is synced there.
  if [ "$(kp_sum "$1.part")" != $4 ]; then
    rm -f "$1.part"
    kp_lost "$1: sha256 is wrong"
  fi
  mv -f "$1.part" "$1" || kp_lost "cannot move $1.part"
  umask 022
}
# Blobs that a step used are of no more use; others and parts stay for the next run, the newest, 2 GiB of them.
kp_q() {
  { printf '%s\\n' "$kp_staged"; ls -d "$(kp_store)"/*.used 2>/dev/null; } | while IFS= read -r kp_x; do
    kp_x=\${kp_x%.used}
    [ -f "$kp_x.used" ] && rm -f "$kp_x" "$kp_x.used"
  done
  kp_bound "$(kp_store)" 2048
  exit
}
# kp_bound DIR MIB
kp_bound() {
  kp_i=0
  ls -t "$1" 2>/dev/null | while IFS= read -r kp_x; do
    kp_i=$((kp_i + 1 + $(wc -c <"$1/$kp_x") / 1048576))
    [ $kp_i -le $2 ] || rm -f "$1/$kp_x"
  done
}
kp_lost() { kp_f broken "$*"; exit 1; }
`);
