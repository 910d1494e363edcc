import { quote, quoteAll } from '../core/quote.ts';
import { wait } from '../core/waits.ts';
import { minify } from './minify.ts';

/**
 * A `start` that succeeded proves little for a simple unit: it may die half a second later (engine rule 18). So what
 * a step started is written down in the run's directory, and looked at again once, at the end of the trip.
 */
export function startedText(systemctl: string, units: string[]): string {
  const folder = '[ -d "$kp_k" ] || (umask 077; mkdir "$kp_k")';
  const note = `kp_units ${quote(systemctl)} ${quoteAll(units)} >>"$kp_k/started.$kp_i"`;
  return `${unitFunctions}[ ! "$kp_k" ] || { ${folder};${note}; }\n`;
}

/** One line a unit: systemctl, id, type, state, result, main PID, restarts. */
const unitFunctions = minify(`
kp_units() {
  kp_c=$1
  shift
  $kp_c show -p Id,Type,ActiveState,Result,MainPID,NRestarts -- "$@" | {
    kp_1=
    while IFS= read -r kp_x || [ "$kp_x" ]; do
      kp_y=\${kp_x#*=}
      case $kp_x in
        Id=*) kp_1=$kp_y ;;
        Type=*) kp_2=$kp_y ;;
        ActiveState=*) kp_3=$kp_y ;;
        Result=*) kp_4=$kp_y ;;
        MainPID=*) kp_5=$kp_y ;;
        NRestarts=*) kp_6=$kp_y ;;
        '') kp_unit ;;
      esac
    done
    kp_unit
  }
}
kp_unit() {
  [ ! "$kp_1" ] || printf '%s\\n' "$kp_1 \${kp_2:--} $kp_3 \${kp_4:--} \${kp_5:-0} \${kp_6:--} $kp_c"
  kp_1= kp_2= kp_3= kp_4= kp_5= kp_6=
}
`);

/** Run at the end of every trip: nothing, unless steps of it started units. */
export const settleLibrary =
  unitFunctions +
  minify(`
# A frame for each step that started what may yet die. Its code is not 0 when a unit of it did not stay up.
kp_settle() {
  kp_c=
  for kp_f in "$kp_k/$kp_n"/started.*; do
    [ -f "$kp_f" ] || continue
    if kp_early "$kp_f"; then
      [ "$kp_c" ] || { kp_o;sleep ${wait('settle').deadline};}
      kp_live
      kp_c=1
      kp_j=\${kp_f##*.}
      kp_2 begin x $kp_j
      kp_settled "$kp_f"
      kp_2 end x $kp_j $?
    fi
    rm -f "$kp_f"
  done
}
# Whether a unit of it counts as started before it did anything. Others reached a state that says more: forked, notified,
# taken a bus name, or ran to their end.
kp_early() {
  while read -r kp_x kp_y; do
    case $kp_y in simple* | exec* | idle*) return ;; esac
  done <"$1"
  return 1
}
# The last line of a unit counts: it may have been started twice.
kp_settled() {
  sed -n '1!G;h;$p' "$1" | {
    kp_bad=0 kp_seen=
    while read -r kp_id kp_type kp_old kp_x kp_pid kp_nr kp_ctl; do
      case "$kp_seen " in *" $kp_id "*) continue ;; esac
      kp_seen="$kp_seen $kp_id"
      case $kp_type in simple | exec | idle) ;; *) continue ;; esac
      set -- $(kp_units "$kp_ctl" "$kp_id" </dev/null)
      # Since systemd 235 restarts are counted (a restart by hand starts again at 0); before, another process tells.
      if [ "$kp_nr" = - ]; then [ "$5" = "$kp_pid" ]; else [ "$6" -le "$kp_nr" ]; fi && kp_x=$3/$4 || kp_x=restarted
      case $kp_x in active/* | inactive/success) continue ;; esac
      printf '%s did not stay up: %s, result %s, restarts %s, then %s\\n' "$kp_id" "$3" "$4" "$kp_nr" "$6" >&2
      $kp_ctl --no-pager --full -n 20 status -- "$kp_id" </dev/null >&2
      kp_bad=1
    done
    [ $kp_bad = 0 ]
  }
}
`);
