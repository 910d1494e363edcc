import { minify } from './minify.ts';

/** What a shell must know for change trips; sent with the first one. */
export const changeLibrary = minify(`
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
  mkdir -p "$kp_k/$1" && true >"$kp_k/step.$$" || { kp_f broken "cannot write in $kp_k"; return 1; }
  [ "$kp_h" ] && return
  kp_o=
  [ -r /proc/sys/kernel/random/boot_id ] && read -r kp_o </proc/sys/kernel/random/boot_id
  for kp_i in 1 2 3 4 5 6 7 8 9 10; do
    kp_take "$@" && return
    [ -d "$kp_l" ] || { kp_f broken "cannot make $kp_l"; return 1; }
    if kp_held && [ ! "$3" ]; then
      if [ "$kp_2" = "$1" ] && [ "$kp_8" = $4 ]; then
        # The same kpush: by another name of this machine, which is fine, or our own shell of a link that was lost.
        [ "$kp_9" != $5 ] && return
        kill -USR2 $kp_w1 2>/dev/null
      fi
    elif [ "$kp_1" ] || [ $kp_i = 3 ]; then
      # A lock without an owner is being made right now, or its maker died between two commands.
      kp_steal
      continue
    fi
    [ ! "$kp_stop" ] || break
    sleep .5 || sleep 1
  done
  kp_f begin lock
  printf '%s\\n' "$kp_2" "$kp_3" "$kp_7"
  kp_f end lock
  return 1
}

kp_take() {
  mkdir "$kp_l" 2>/dev/null || return 1
  kp_age $$
  printf '%s\\n' $kp_id "$1" "$2" "$kp_o $$ $kp_x" "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$4 $5 $kp_w" >"$kp_l/owner"
  kp_h=1
}

# Whether the owner lives: same boot, same process.
kp_held() {
  kp_1= kp_2= kp_3= kp_4= kp_5= kp_6= kp_7= kp_8= kp_9= kp_w1=
  {
    read -r kp_1; read -r kp_2; read -r kp_3; read -r kp_4 kp_5 kp_6; read -r kp_7; read -r kp_8 kp_9 kp_w1
  } 2>/dev/null <"$kp_l/owner"
  [ "$kp_1" ] && [ "$kp_4" = "$kp_o" ] && kp_age "$kp_5" && [ "$kp_x" = "$kp_6" ]
}

# Two may find it stale at once: what was moved aside must be what was judged, else it goes back.
kp_steal() {
  mv "$kp_l" "$kp_l.$kp_id" 2>/dev/null || return
  kp_x=
  [ -f "$kp_l.$kp_id/owner" ] && read -r kp_x <"$kp_l.$kp_id/owner"
  if [ "$kp_x" = "$kp_1" ]; then rm -rf "$kp_l.$kp_id"; else mv "$kp_l.$kp_id" "$kp_l"; fi
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
    [ $kp_r -gt 128 ] && kill -0 $1 2>/dev/null || return
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
  while [ $kp_i -lt 20 ] && kp_any $kp_g; do
    sleep .1 || sleep 1
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
kp_in='kp_s=$(cat);kp_k=$KP_D;unset KP_D;exec </dev/null;eval "$kp_s"'
kp_sid=
command -v setsid >/dev/null && kp_sid=setsid

# kp_run TIMEOUT TEXT: one step in a group of its own; status in kp_r, kp_y says timeout.
kp_run() {
  printf '%s\\n' "$2" | KP_D=$kp_k/$kp_n PATH=$kp_path $kp_sid "$kp_sh" -c "$kp_in" 3<&- &
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
  kp_run "$3" "$5"
  kp_done $1 $2 "$4"
}

# The frame of a step opens, unless the trip is over.
kp_open() {
  [ "$kp_halt$kp_stop" ] && return 1
  kp_y=
  kp_2 begin s $1
}
kp_done() {
  kp_2 end s $1 $kp_r $kp_y
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

/** Steps that must not be cut: their own session, output and rc in files, found again by the next contact. */
export const finishLibrary = minify(`
# In its own session: says who it is, runs the text, leaves the code last.
kp_fw='kp_s=$(cat);kp_e=$KP_D;unset KP_D;exec </dev/null;read -r kp_x </proc/$$/stat;echo "$kp_x" >"$kp_e/pid";(eval "$kp_s");echo $? >"$kp_e/rc.new";mv "$kp_e/rc.new" "$kp_e/rc"'

# kp_fin N ONFAIL DIR OKCODES KEY TEXT
kp_fin() {
  case "$kp_had " in
    *" $1:"*)
      # Found and shown by kp_old at the beginning of this trip.
      [ "$kp_halt$kp_stop" ] && return 1
      kp_y= kp_r=\${kp_had#*" $1:"}
      kp_r=\${kp_r%% *}
      kp_judge $2 "$4"
      return ;;
  esac
  kp_open $1 || return
  kp_q=$kp_k/$kp_n/$3
  if mkdir "$kp_q" && printf '%s\\n' "$5" >"$kp_q/key"; then
    printf '%s\\n' "$6" | KP_D=$kp_q PATH=$kp_path $kp_sid "$kp_sh" -c "$kp_fw" >"$kp_q/out" 2>"$kp_q/err" 3<&- &
    kp_p=$!
    kp_await "$kp_q" $kp_p
  else
    kp_r=1
  fi
  kp_given="$kp_given $kp_n/$3"
  kp_done $1 $2 "$4"
}

# kp_await DIR [CHILD]: shows its output until it ended; its code in kp_r. Only one that is not our child can be left
# by a stop, with code -1.
kp_await() {
  kp_follow "$@" </dev/null 3<&- &
  kp_p=$!
  [ "$2" ] && kp_wait $2
  while wait $kp_p; kill -0 $kp_p 2>/dev/null; do
    [ "$kp_stop" ] && [ ! "$2" ] && kill $kp_p
  done
  kp_r=255
  if [ -f "$1/rc" ]; then read -r kp_r <"$1/rc"; elif kp_lives "$1"; then kp_r=-1; fi
}
# Whether the process of DIR lives; before it could say who it is, its parent knows.
kp_lives() {
  [ "$2" ] && { kill -0 $2 2>/dev/null; return; }
  [ -f "$1/pid" ] && read -r kp_x <"$1/pid" || return 1
  kp_g=\${kp_x%% *}
  kp_x=\${kp_x##*) }
  set -- $kp_x
  kp_i=\${20}
  kp_age $kp_g && [ "$kp_x" = "$kp_i" ]
}

# Copies what is added to out and err until the end of the step: its end is looked for before the last look.
kp_follow() {
  kp_a=0 kp_c=0 kp_u=.1
  while :; do
    kp_e=
    { [ -f "$1/rc" ] || ! kp_lives "$@"; } && kp_e=1
    kp_new "$1/out" $kp_a && kp_a=$kp_x
    kp_new "$1/err" $kp_c >&2 && kp_c=$kp_x
    [ "$kp_e" ] && exit
    sleep $kp_u || sleep 1
    kp_u=.3
  done
}
kp_new() {
  [ -s "$1" ] || return 1
  kp_x=$(wc -c <"$1")
  kp_x=$((kp_x))
  [ $kp_x -gt $2 ] && tail -c +$(($2 + 1)) "$1" | head -c $((kp_x - $2))
}

# What was given to the controller, known by its having sent something since.
kp_drop() {
  for kp_i in $kp_given; do
    rm -rf "$kp_k/$kp_i"
    [ "\${kp_i%/*}" = "$kp_n" ] || rmdir "$kp_k/\${kp_i%/*}" 2>/dev/null
  done
  kp_given=
}

# kp_old N:DIR…: finish steps of lost trips. Those of this trip are shown as its steps, the others reported once.
kp_old() {
  kp_had=
  kp_drop
  for kp_q in "$kp_k"/*/*/key; do
    [ -f "$kp_q" ] && read -r kp_j <"$kp_q" || continue
    kp_q=\${kp_q%/key}
    kp_u=\${kp_q##*/}
    kp_v=\${kp_q%/*}
    kp_v=\${kp_v##*/}
    kp_c=
    [ "$kp_v" = "$kp_n" ] && for kp_i; do [ "\${kp_i#*:}" = $kp_u ] && kp_c=\${kp_i%%:*}; done
    if [ "$kp_c" ]; then kp_2 begin s $kp_c; else kp_2 begin old $kp_v "$kp_j"; fi
    kp_await "$kp_q"
    if [ "$kp_c" ]; then
      kp_2 end s $kp_c $kp_r
      kp_had="$kp_had $kp_c:$kp_r"
    else
      kp_2 end old $kp_r
    fi
    [ -f "$kp_q/rc" ] || ! kp_lives "$kp_q" && kp_given="$kp_given $kp_v/$kp_u"
  done
  [ ! "$kp_stop" ]
}

# Between trips, when the controller says goodbye: it has all answers.
kp_q() {
  kp_drop
  rm -rf "$kp_k/$kp_n/started"
  [ "$kp_n" ] && rmdir "$kp_k/$kp_n" 2>/dev/null
  exit
}
`);
