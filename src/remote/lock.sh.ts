import { wait } from '../core/waits.ts';
import { minify } from './minify.ts';

const { interval, deadline } = wait('lock');
const rounds = Array.from({ length: Math.max(3, Math.round(deadline / interval)) }, (_, n) => n + 1).join(' ');

/**
 * The host lock (engine rule 12): taken by the first change, kept until its shell ends. A file that is made by the shell
 * itself where none is (noclobber opens with O_EXCL): a directory would cost a process.
 */
export const lockLibrary = minify(`
# kp_age PID: its start time in kp_x, to tell a process from a later one of the same number.
kp_age() {
  [ -r "/proc/$1/stat" ] || return 1
  read -r kp_x <"/proc/$1/stat" || return 1
  kp_x=\${kp_x##*) }
  set -- $kp_x
  kp_x=\${20}
}

# kp_lock RUN OWNER FORCE PROCESS SESSION: 0 held, else a frame says why not. Whoever holds it gets 5 s to go: the shell
# of a kpush that was just killed takes some to end its step.
kp_lock() {
  kp_n=$1
  kp_own && true >"$kp_k/step.$$" && [ "$kp_ok" ] || { kp_f broken "cannot write in $kp_k"; return 1; }
  [ "$kp_h" ] && return
  kp_o=
  [ -r /proc/sys/kernel/random/boot_id ] && read -r kp_o </proc/sys/kernel/random/boot_id
  kp_age $$
  kp_u=$kp_x
  for kp_i in ${rounds}; do
    kp_take "$@" && return
    [ "$kp_j" ] || { kp_f broken "cannot make $kp_l"; return 1; }
    if kp_held && [ ! "$3" ]; then
      if [ "$kp_2" = "$1" ] && [ "$kp_8" = $4 ]; then
        # The same kpush: by another name of this machine, which is fine, or our own shell of a link that was lost.
        [ "$kp_9" != $5 ] && return
        kill -USR2 $kp_w1 2>/dev/null
      fi
    elif [ "$kp_1" ] || [ $kp_i = 3 ]; then
      # A lock without an owner is being made right now, or its maker died between two calls.
      kp_steal
      continue
    fi
    kp_over && break
    kp_o
    sleep ${interval} || sleep 1
  done
  [ "$kp_1" ] || { kp_f broken "cannot write $kp_l"; return 1; }
  kp_f begin lock
  printf '%s\\n' "$kp_2" "$kp_3" "$kp_7"
  kp_f end lock
  return 1
}

# In kp_j whether there is one: it may be let go between two looks, so what cannot be made is tried a few times.
kp_take() {
  for kp_j in 1 2 3 4 5 6 7 8 ''; do
    kp_made "$@" && return
    [ -f "$kp_l" ] && return 1
  done
  return 1
}
kp_made() {
  set -C
  { printf '%s\\n' $kp_id "$1" "$2" "$kp_o $$ $kp_u" "$kp_now" "$4 $5 $kp_w" >"$kp_l"; } 2>/dev/null
  kp_x=$?
  set +C
  [ $kp_x = 0 ] && kp_h=1
}

# Whether the owner lives: same boot, same process.
kp_held() {
  kp_1= kp_2= kp_3= kp_4= kp_5= kp_6= kp_7= kp_8= kp_9= kp_w1=
  {
    read -r kp_1; read -r kp_2; read -r kp_3; read -r kp_4 kp_5 kp_6; read -r kp_7; read -r kp_8 kp_9 kp_w1
  } 2>/dev/null <"$kp_l"
  [ "$kp_1" ] && [ "$kp_4" = "$kp_o" ] && kp_age "$kp_5" && [ "$kp_x" = "$kp_6" ]
}

# Two may find it stale at once: what was moved aside must be what was judged, else it goes back.
kp_steal() {
  mv "$kp_l" "$kp_l.$kp_id" 2>/dev/null || return
  kp_x=
  [ -f "$kp_l.$kp_id" ] && read -r kp_x <"$kp_l.$kp_id"
  if [ "$kp_x" = "$kp_1" ]; then rm -f "$kp_l.$kp_id"; else mv "$kp_l.$kp_id" "$kp_l"; fi
}
`);
