import { wait } from '../core/waits.ts';
import { minify } from './minify.ts';

const { interval, deadline } = wait('kill');
const rounds = Math.round(deadline / interval);

/** What a shell must know for change trips; sent with the first one. */
export const changeLibrary = minify(`
# kp_mk, before R is there: the file by which it tells S to stop. A signal would do, but bash loses a child whose end and
# whose signal meet in wait, and then waits for it for ever. Something is in it and R takes that out, which can be done
# on a full disk; gone is not empty: another kpush may sweep it away.
kp_mk() {
  [ "$kp_ok" ] && return
  kp_own || return
  kp_x=$kp_k/go.$kp_id.$$
  {
    [ -d "$kp_k" ] || (umask 077; mkdir -p "$kp_k")
    echo >"$kp_x" && [ -s "$kp_x" ] && kp_ok=$kp_x
  } 2>/dev/null
}
kp_over() {
  [ -f "$kp_ok" ] && [ ! -s "$kp_ok" ] && kp_stop=1
  [ "$kp_stop" ]
}

# kp_guard SHA256: stdin are the records the changes rest on, as they are now.
kp_guard() {
  kp_x=$(sha256sum)
  kp_x=\${kp_x%% *}
  [ "$kp_x" = "$1" ] && return
  if [ "$kp_x" ]; then kp_f stale; else kp_f broken "sha256sum is missing"; fi
  return 1
}

# kp_wait PID: its status in kp_r. A trapped signal ends wait early; kill -0 finds a child not yet waited for.
kp_wait() {
  while :; do
    # The shell's own word on a child that a signal ended ("Terminated") is no output of the step.
    { wait $1; } 2>/dev/null
    kp_r=$?
    [ $kp_r -gt 128 ] || return
    kill -0 $1 2>/dev/null && continue
    # It is gone. If the signal came just as it ended, its own status is still to be had; 127: it was that already.
    { wait $1; } 2>/dev/null
    kp_x=$?
    [ $kp_x = 127 ] || kp_r=$kp_x
    return
  done
}

# T, the timer of one step: TERM, up to 2 s, KILL of the step's group. Ends with 0 when it struck. Without setsid
# there is no group: then the step and its descendants, as they are when time is up.
kp_timer() {
  trap 'kill -9 $kp_z;exit 1' TERM
  sleep $1 &
  kp_z=$!
  wait $kp_z || exit 1
  trap : TERM
  kp_g=-$2 kp_i=0
  kill -0 -$2 || kp_g=$(kp_tree $2)
  kill -TERM $kp_g
  while [ $kp_i -lt ${rounds} ] && kp_any $kp_g; do
    sleep ${interval} || sleep 1
    kp_i=$((kp_i + 1))
  done
  kill -KILL $kp_g
  exit 0
}
kp_any() { for kp_x; do kill -0 $kp_x && return; done; }
kp_tree() {
  echo $1
  for kp_y in /proc/[0-9]*/stat; do
    { read -r kp_x <$kp_y; } 2>/dev/null || continue
    kp_y=\${kp_y#/proc/}
    kp_x=\${kp_x##*) }
    kp_x=\${kp_x#* }
    [ "\${kp_x%% *}" = "$1" ] && (kp_tree \${kp_y%/stat})
  done
}

# Script text goes in by stdin: argv is limited to 128 KiB and can be read by others.
kp_in='kp_k=$KP_D;kp_i=$KP_N;unset KP_D KP_N;exec </dev/null;eval "$kp_s"'
kp_sid=
command -v setsid >/dev/null && kp_sid=setsid

# kp_run TIMEOUT TEXT N: one step in a group of its own; status in kp_r, kp_y says timeout.
kp_run() {
  # A short line is read sooner than cat starts.
  kp_x='kp_s=$(cat)'
  [ \${#2} -gt 500 ] || [ "$2" != "\${2%%
*}" ] || kp_x='IFS= read -r kp_s'
  printf '%s\\n' "$2" | KP_D=$kp_k/$kp_n KP_N=$3 PATH=$kp_path $kp_sid "$kp_sh" -c "$kp_x;$kp_in" 3<&- &
  kp_p=$!
  echo $kp_p >"$kp_k/step.$$"
  kp_t= kp_y=
  if [ "$1" ]; then
    kp_timer $1 $kp_p </dev/null >/dev/null 2>&1 3<&- &
    kp_t=$!
  fi
  kp_wait $kp_p
  if [ "$kp_t" ]; then
    kp_g=$kp_r
    { kill -TERM $kp_t; kp_wait $kp_t; } 2>/dev/null
    [ $kp_r = 0 ] && kp_y=timeout
    kp_r=$kp_g
  fi
  true >"$kp_k/step.$$"
}

# kp_step N ONFAIL TIMEOUT OKCODES TEXT: 0 when it ran and the trip goes on.
kp_step() {
  kp_open $1 || return
  kp_run "$3" "$5" $1
  kp_done $1 $2 "$4"
}

# The frame of a step opens, unless the trip is over.
kp_open() {
  [ "$kp_halt" ] || kp_over && return 1
  kp_y=
  kp_2 begin s $1
}
kp_done() {
  kp_live
  kp_a end s $1 $kp_r $kp_y
  kp_judge $2 "$3"
}
kp_judge() {
  if [ ! "$kp_y" ]; then
    case " $2 " in *" $kp_r "*) return ;; esac
  fi
  [ $1 = s ] && kp_halt=1
  [ ! "$kp_halt" ]
}
`);
