import { wait } from '../core/waits.ts';
import { storeFunction } from './blob-store.ts';
import { minify } from './minify.ts';
import { ownFunction } from './own.sh.ts';

const { interval, deadline } = wait('ahead');
const looks = Math.ceil(deadline / interval);

/** For a channel that brings chunks of a file ahead of their turn. */
export const aheadLibrary =
  storeFunction +
  minify(`
# Ends what takes lines beside a trip: from here on its input is the trip's own.
kp_alone() { { kill $kp_rd;wait $kp_rd;} 2>/dev/null;exec 5>&1; }
# Whether dd fills its blocks.
kp_able() { dd bs=1 count=0 iflag=fullblock </dev/null >/dev/null 2>&1 && echo dd; }
# The answer to what was told, in kp_o. Before it there may be signs of life, or the rest of one.
kp_told() {
  while IFS= read -r kp_o <&3; do
    case $kp_o in go*) kp_o=\${kp_o#go}; return ;; esac
  done
  kp_lost "no more came"
}
kp_lost() { kp_f broken "$*" >&5; exit 1; }

# kp_ahead PATH NAME: takes chunks, each into a file of its own, beside which another says that all of it is there: the end
# of input leaves a dd content with less. Before each comes a line "BLOCKS BYTES NUMBER", after it another.
kp_ahead() {
  kp_alone
  umask 077
  kp_f have $(kp_able)
  kp_told
  while IFS=' ' read -r kp_c kp_b kp_j <&3; do
    [ $kp_c != 0 ] || return
    kp_x=$1.part.$2.$kp_j
    dd bs=$kp_b count=$kp_c iflag=fullblock <&3 >"$kp_x" 2>/dev/null || kp_lost "cannot write $kp_x"
    read -r kp_j <&3 || break
    true >"$kp_x.all"
    kill -USR1 $kp_w
  done
  true >"$1.part.$2.lost"
  kp_lost "no more came"
}
`);

/** Files sent ahead, by a shell of their own: its stdin carries their bytes. */
export const stageLibrary =
  aheadLibrary +
  ownFunction +
  minify(`
# kp_part PATH SHA256: "done", or what is there of it: "SIZE SHA256".
kp_part() {
  # What lies in a folder of somebody else's is none of ours, whatever it holds now.
  kp_own || { echo 0 -; return; }
  case $1 in */kpush/*) [ -d "\${1%/*}" ] || (umask 077; mkdir -p "\${1%/*}") ;; esac
  if [ -f "$1" ] && [ "$(kp_sum "$1")" = "$2" ]; then
    echo done
  elif [ -f "$1.part" ]; then
    echo "$(($(wc -c <"$1.part"))) $(kp_sum "$1.part")"
  else
    echo 0 -
  fi
}
kp_have() { kp_part "$@"; kp_sep; }
# openssl is not everywhere, and three times as fast.
kp_sum() {
  kp_x=
  command -v openssl >/dev/null && kp_x=$(openssl dgst -sha256 -r <"$1" 2>/dev/null)
  [ "$kp_x" ] || kp_x=$(sha256sum <"$1")
  echo "\${kp_x%% *}"
}

# kp_up PATH SIZE SHA256 NAME PATIENCE USUAL: tells what is there of it, is told where to go on, and takes the rest. Bytes left
# over after a failure would be read as commands, so a failure ends the shell.
kp_up() {
  kp_staged="$kp_staged
$1"
  kp_h=$(kp_part "$1" $3)
  kp_dd=$(kp_able)
  kp_alone
  kp_own || kp_lost "cannot write in $kp_tmp"
  [ -d "\${1%/*}/" ] || kp_lost "\${1%/*}: no such directory"
  rm -f "$1".part.*
  kp_f have "$kp_h" $kp_dd
  [ "$kp_h" = done ] && return
  kp_told
  umask 077
  # A file of this run: what was cut off before may not have ended, and writes on to where it began.
  if [ $kp_o = 0 ]; then
    rm -f "$1.part"
  else
    # Without the room for it, it goes on as it is: then that other one must have ended.
    head -c $kp_o "$1.part" >"$1.part.$4" 2>/dev/null && mv -f "$1.part.$4" "$1.part" || rm -f "$1.part.$4"
  fi
  true >>"$1.part" || kp_lost "cannot write $1.part"
  [ $kp_dd ] || kp_dl $5 5>&-
  kp_h=$(kp_take "$1" $kp_o $2 $4 | kp_grown "$1")
  [ $(($(wc -c <"$1.part"))) = $2 ] || kp_lost "$1.part: size is wrong: is the disk full?"
  # Not all of it is synced: whoever uses it looks at its hash again, and what is put in its place is synced there.
  if [ "\${kp_h%% *}" != $3 ] && [ "$(kp_sum "$1.part")" != $3 ]; then
    rm -f "$1.part"
    kp_lost "$1: sha256 is wrong"
  fi
  # Another run may have moved it: it is right all the same.
  mv -f "$1.part" "$1" || [ "$(kp_sum "$1")" = $3 ] || kp_lost "cannot move $1.part"
  [ $kp_dd ] || kp_dl $6 5>&-
  umask 022
}
# Another deadline, for what comes without a sign of life.
kp_dl() { kill -HUP $kp_w;kp_d=$1;kp_w;}
# kp_take PATH OFFSET SIZE NAME: the part grows to SIZE, and when it did a line is printed. Each chunk is a sign of life.
# Before it comes a line "BLOCKS BYTES SPARE", or "0 BYTES NUMBER" for one that comes by another channel. SPARE: 1 where
# the processors have time to hash and to write to the disk meanwhile.
kp_take() {
  kp_i=$2 kp_s=0 kp_y=0
  exec 6>>"$1.part"
  while [ $kp_i -lt $3 ]; do
    IFS=' ' read -r kp_c kp_b kp_j <&3 || kp_lost "no more came"
    [ $kp_c = 0 ] || kp_y=$kp_j
    if [ $kp_c = 0 ]; then
      kp_c=1
      kp_j=$1.part.$4.$kp_j
      kp_await "$kp_j.all" "$1.part.$4.lost"
      cat "$kp_j" && rm -f "$kp_j" "$kp_j.all"
    elif [ $kp_dd ]; then
      dd bs=$kp_b count=$kp_c iflag=fullblock 2>/dev/null <&3
    else
      head -c $kp_b <&3
    fi >&6 || kp_lost "cannot write $1.part"
    kill -USR1 $kp_w
    kp_i=$((kp_i + kp_c * kp_b)) kp_s=$((kp_s + kp_c * kp_b))
    kp_f at $kp_i >&5
    [ $kp_y = 0 ] || [ $kp_s -lt 8388608 ] || {
      kp_s=0
      echo more
      # Who does not know -d does nothing, where all disks would be synced without it.
      sync -d "$1.part" >/dev/null 2>&1 3<&- 5>&- 6>&- &
    }
  done
  echo more
}
# kp_await FILE LOST: it is there within a chunk's time, or never: then its sender ends this shell.
kp_await() {
  kp_z=0
  until [ -f "$1" ]; do
    [ $kp_z -lt ${looks} ] && [ ! -f "$2" ] || kp_lost "no more came"
    kp_z=$((kp_z + 1))
    sleep ${interval} 2>/dev/null || sleep 1
  done
}
# Hashes the part while it grows, as lines tell.
kp_grown() {
  while read -r kp_x; do cat <&7; done 7<"$1.part" |
    if command -v openssl >/dev/null; then openssl dgst -sha256 -r 2>/dev/null; else sha256sum; fi
}
# Blobs that a step used are of no more use; others and parts stay for the next run, the newest, 2 GiB of them.
kp_q() {
  { printf '%s\\n' "$kp_staged"; ls -d "$(kp_store)"/*.used 2>/dev/null; } | while IFS= read -r kp_x; do
    kp_x=\${kp_x%.used}
    [ -f "$kp_x.used" ] && rm -f "$kp_x" "$kp_x.used"
  done
  kp_x=$(kp_store)
  # What ended late told it to one that was gone.
  for kp_i in "$kp_x"/*.lost; do [ ! -f "$kp_i" ] || rm -f "$kp_i"; done
  kp_bound "$kp_x" 2048
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
`);
