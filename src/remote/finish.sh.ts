import { wait } from '../core/waits.ts';
import { minify } from './minify.ts';

const { interval } = wait('finish');

/** Steps that must not be cut: their own session, output and rc in files, found again by the next contact. */
export const finishStepLibrary = minify(`
# In its own session: says who it is, runs the text, leaves the code last.
kp_fw='kp_s=$(cat);kp_e=$KP_D;unset KP_D;exec </dev/null;read -r kp_x </proc/$$/stat;echo "$kp_x" >"$kp_e/pid";(eval "$kp_s");kp_x=$?;echo $kp_x >"$kp_e/rc.new"&&[ -s "$kp_e/rc.new" ]&&mv "$kp_e/rc.new" "$kp_e/rc";exit $kp_x'

# kp_fin N ONFAIL DIR OKCODES KEY TEXT
kp_fin() {
  case "$kp_had " in
    *" $1:"*)
      # Found and shown by kp_old at the beginning of this trip.
      [ "$kp_halt" ] || kp_over && return 1
      kp_y= kp_r=\${kp_had#*" $1:"}
      kp_r=\${kp_r%% *}
      kp_judge $2 "$4"
      return ;;
  esac
  kp_open $1 || return
  kp_q=$kp_k/$kp_n/$3
  # Output of steps lies there: for nobody else to read.
  if { [ -d "$kp_k/$kp_n" ] || (umask 077; mkdir "$kp_k/$kp_n"); } && mkdir "$kp_q" && printf '%s\\n' "$5" >"$kp_q/key"; then
    printf '%s\\n' "$6" | KP_D=$kp_q PATH=$kp_path $kp_sid "$kp_sh" -c "$kp_fw" >"$kp_q/out" 2>"$kp_q/err" 3<&- &
    kp_p=$!
    kp_await "$kp_q" $kp_p
  else
    kp_r=1
  fi
  kp_given="$kp_given $kp_n/$3"
  kp_done $1 $2 "$4"
}
`);

/** What every change needs: such a step of an earlier one may be there. */
export const finishLibrary = minify(`
kp_given=
# kp_await DIR [CHILD]: shows its output until it ended; its code in kp_r. Only one that is not our child can be left
# by a stop, with code -1.
kp_await() {
  kp_follow "$@" </dev/null 3<&- &
  kp_p=$!
  kp_r=255 kp_j=
  [ "$2" ] && kp_wait $2
  while wait $kp_p; kill -0 $kp_p 2>/dev/null; do
    [ "$kp_stop" ] && [ ! "$2" ] && kill $kp_p
  done
  [ -f "$1/rc" ] && read -r kp_j <"$1/rc"
  if [ "$kp_j" ]; then
    kp_r=$kp_j
  elif [ "$2" ]; then
    # Our child, whose code we have anyway.
    [ $kp_r -gt 128 ] || echo "what it said could not be kept in $kp_k: no space left there?" >&2
  elif kp_lives "$1"; then
    kp_r=-1
  fi
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
  kp_a=0 kp_c=0 kp_u=${(interval / 3).toFixed(2)}
  while :; do
    kp_e=
    { [ -f "$1/rc" ] || ! kp_lives "$@"; } && kp_e=1
    kp_new "$1/out" $kp_a && kp_a=$kp_x
    kp_new "$1/err" $kp_c >&2 && kp_c=$kp_x
    [ "$kp_e" ] && exit
    # Of another's child: a stop ends the waiting, not the step.
    [ ! "$2" ] && kp_over && exit
    sleep $kp_u || sleep 1
    kp_u=${interval}
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

# Once, by the shell that took the lock.
kp_sweep() {
  kp_h=2
  # Of shells that were killed here.
  for kp_q in "$kp_k"/step.* "$kp_k"/go.*; do
    kill -0 "\${kp_q##*.}" 2>/dev/null || rm -f "$kp_q"
  done
  # Folders of runs that were cut off: the lock is ours, so none of them is in use, and what must finish keeps its own.
  for kp_q in "$kp_k"/*/; do
    kp_q=\${kp_q%/}
    [ "$kp_q" = "$kp_k/$kp_n" ] || kp_clear "$kp_q"
  done
}

# kp_old N:DIR…: finish steps of lost trips. Those of this trip are shown as its steps, the others reported once.
kp_old() {
  kp_had=
  kp_drop
  [ "$kp_h" = 1 ] && kp_sweep
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
  ! kp_over
}

# At the end of the last trip, unless the controller must say first that it has what is kept for it.
kp_bye() {
  [ "$kp_given" ] || kp_q
  kp_o
}

# Between trips, when the controller says goodbye: it has all answers.
kp_q() {
  kp_drop
  # Who holds the lock clears it as it ends.
  [ "$kp_h" ] || [ ! "$kp_n" ] || kp_clear "$kp_k/$kp_n"
  exit
}
`);
