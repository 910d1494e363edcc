import { quote } from '../core/quote.ts';
import { wait } from '../core/waits.ts';
import { minify } from './minify.ts';

export interface BaseOptions {
  /** Random name of this shell: owner of the lock, never secret. */
  id: string;
  /** Seconds without a sign of life from the controller after which everything has been ended. */
  deadline: number;
  /** Shell that steps are run by. */
  shell: string;
  /** Directory for lock and runs instead of the user's usual one. */
  stateDir?: string;
}

/**
 * What every living shell knows, sent once before its first trip. Three processes:
 * S, the shell itself (`sh -s`, reads trips from its stdin, fd 3 is the same stream);
 * W, the watcher, from here to the end: ends everything on silence, or when told that stdin ended;
 * R, the reader, beside each trip: takes the lines that come while S is busy.
 * Why two: no POSIX shell has `read -t`, and a blocked `read` cannot be ended by its own timer.
 */
export function baseLibrary(options: BaseOptions): string {
  const { id, deadline, shell, stateDir } = options;
  const state = stateDir === undefined ? '' : ` kp_k=${quote(`${stateDir}/runs`)} kp_l=${quote(`${stateDir}/lock`)}`;
  return `unset kp_k kp_l\nkp_id=${id} kp_d=${patience(deadline)} kp_sh=${quote(shell)}${state}\n${text}`;
}

/** Seconds that W waits: ending everything takes that of `kill` and half a second, and by the deadline it shall be over. */
export function patience(deadline: number): number {
  return Math.max(1, deadline - wait('kill').deadline - 1);
}

/** Milliseconds between signs of life: two may be lost or late before W gives up. */
export function beatMs(deadline: number): number {
  return Math.min(deadline / 6, patience(deadline) / 4) * 1000;
}

const { interval, deadline } = wait('kill');
const rounds = Math.round(deadline / interval);

const text = minify(`
set +eu
umask 022
unset CDPATH GREP_OPTIONS kp_h kp_halt kp_stop kp_dead kp_ok kp_tmp kp_m kp_0
exec 3<&0
# Tools of administrators are often missing in the PATH of a plain user; steps get the host's own PATH back.
kp_path=$PATH
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin

# Where this user's lock and runs are. -O tells root without a fork; a foreign XDG_RUNTIME_DIR is not used.
[ "$kp_k" ] || if [ -O /proc/1 ]; then
  kp_k=/run/kpush
elif [ -O "$XDG_RUNTIME_DIR" ]; then
  kp_k=$XDG_RUNTIME_DIR/kpush
else
  kp_x=$HOME/.cache/kpush
  # Users of services have no home, or one that is not theirs.
  [ -w "$HOME" ] || kp_tmp=/tmp/kpush-$(id -u) kp_x=$kp_tmp
  kp_k=$kp_x/runs kp_l=$kp_x/lock
fi
kp_l=\${kp_l:-$kp_k.lock}

# Who was become may have no right to the folder of who logged in.
[ -r . ] || cd "$HOME" 2>/dev/null || cd /

# Frame lines. Each write is a packet, so what nobody waits for is set aside (kp_a, for both streams) and goes out with the
# next line (kp_f on stdout, kp_2 on both) or by kp_o: before anything else is written, and before whatever takes long.
kp_a() { kp_0="$kp_0
$kp_m $*
";}
kp_o() {
  printf %s "$kp_0$*"
  printf %s "$kp_0" >&2
  kp_0=
}
kp_f() { kp_o "
$kp_m $*
";}
kp_2() { kp_a "$@";kp_o;}
kp_sep() { printf %s "$kp_rs"; }

# kp_go MARKER: a trip begins, a sign of life itself (at the first one W has just begun); from here on R reads stdin.
kp_go() {
  [ "$kp_m" ] && kp_b
  kp_m=$1 kp_rs=\x1e\${1%"\${1#????????}"} kp_halt=
  kp_read <&3 >/dev/null 2>&1 &
  kp_rd=$!
  kp_a begin trip
}

# kp_end RC [THEN]: R is gone before the end frame, so that the next trip's text reaches S whole.
kp_end() {
  kp_live
  { kill $kp_rd; wait $kp_rd; } 2>/dev/null
  kp_a end trip $1
  \${2:-kp_o}
}

# What W ended is no answer: a step that it killed has not failed.
kp_live() {
  [ "$kp_dead" ] || return 0
  kp_m=$kp_id
  kp_f silent
  exit
}

# R. A line half read when R is ended leaves a rest like "p_b" to S: an unknown command, harmless.
kp_read() {
  while IFS= read -r kp_x; do
    case $kp_x in
      kp_b) kp_b ;;
      kp_s) [ -f "$kp_ok" ] && true >"$kp_ok" ;;
    esac
  done
  while kill -USR2 $kp_w; do sleep ${deadline / 2}; done
}

# The sign of life, run by S between trips.
kp_b() { kill -USR1 $kp_w; }
kp_s() { kp_stop=1; }

# W. USR1: alive. USR2: stdin ended. TERM: S's channel is being torn down. HUP: S ends as it should.
kp_watch() {
  trap : USR1
  trap kp_e=1 USR2 TERM
  trap 'kill -9 $kp_z;exit' HUP
  kp_e=
  while [ -z "$kp_e" ]; do
    sleep "$kp_d" &
    kp_z=$!
    wait $kp_z && kp_e=1
    kill -9 $kp_z
    # S was killed on the host; R may still bring signs of life.
    kill -0 $$ || kp_e=1
  done
  kp_kill
}
# Until W has its own traps it is deaf to these two, not killed by them: what is lost here comes again.
kp_w() {
  trap '' USR1 USR2
  kp_watch </dev/null >/dev/null 2>&1 3<&- &
  kp_w=$!
  trap - USR1
  trap 'kp_stop=1 kp_dead=1' USR2
}

# No further step; the running step's group gets TERM, 2 s, KILL; then S and all that is left in its group.
kp_kill() {
  trap : HUP TERM USR1 USR2
  kill -USR2 $$
  # bash loses a child whose end and whose signal meet in wait, and then waits for it for ever.
  sleep ${interval}
  kp_i=0 kp_g= kp_t=
  while [ $kp_i -lt ${rounds} ]; do
    [ -s "$kp_k/step.$$" ] && read -r kp_g <"$kp_k/step.$$"
    if [ "$kp_g" ]; then
      [ "$kp_t" = "$kp_g" ] || kill -TERM -$kp_g
      kp_t=$kp_g
      kill -0 -$kp_g || break
    elif [ $kp_i -gt 1 ]; then
      break
    fi
    sleep ${interval} || sleep 1
    kp_i=$((kp_i + 1))
  done
  [ "$kp_g" ] && kill -KILL -$kp_g
  kill -TERM 0
  sleep ${deadline / 4} || sleep 1
  kp_free
  kill -KILL 0
}

# The lock goes when its shell goes, if it is still this shell's.
kp_free() {
  set -- "$kp_k/step.$$" "$kp_k/go.$kp_id.$$"
  [ -f "$kp_l" ] && { read -r kp_x;read -r kp_y;} 2>/dev/null <"$kp_l"
  if [ "$kp_x" = $kp_id ]; then
    # At once: another that finds us dead may take it over meanwhile.
    rm -f "$kp_l" "$@"
    # The goodbye may have come too late.
    kp_clear "$kp_k/$kp_y"
  elif [ -f "$2" ]; then
    rm -f "$@"
  fi
}
# What must finish, or was not yet reported, keeps the folder of a run.
kp_clear() {
  [ -d "$1" ] || return
  rm -f "$1"/started.*
  rmdir "$1" 2>/dev/null
}

kp_w
# When W ends everything, the lock is W's to remove, last.
# bash runs this also in a child that a signal meets before it has let go of the trap: only S itself ends here. (In a trap
# a bare return gives the status of what ran before the trap.)
kp_exit() {
  read kp_y kp_x </proc/self/stat
  [ $kp_y = $$ ] || return 1
  [ "$kp_dead" ] || kp_free
  kill -HUP $kp_w || :
}
trap 'kp_exit&&kp_o' EXIT
`);
