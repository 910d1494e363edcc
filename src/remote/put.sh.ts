import { storeFunction } from './blob-store.ts';
import { minify } from './minify.ts';

/** Atomic writes (engine rule 20). Each kp_put runs in a subshell of its own. */
export const putLibrary =
  storeFunction +
  minify(`
kp_die() { printf '%s\\n' "$*" >&2; exit 1; }

# kp_new_file PATH: a fresh temp beside it in kp_t, open for writing as 9, gone when the subshell ends. Leftovers of dead
# runs go: this user's lock is ours, so no other run of this user can be writing here. Who may write to the directory may
# put a link at that name at any moment: after this, only what is open is touched. (A failing exec would end the shell.)
kp_new_file() {
  kp_w=$1 kp_d=\${1%/*}
  [ -d "$1" ] && [ ! -L "$1" ] && kp_die "$1 is a directory"
  [ -d "$kp_d/" ] || kp_die "$kp_d: no such directory"
  for kp_f in "$kp_d"/.kpush-*.tmp; do
    case $kp_f in
      "$kp_d/.kpush-$kp_n-"*) ;;
      *) [ -O "$kp_f" ] && rm -f "$kp_f" ;;
    esac
  done
  kp_t=$kp_d/.kpush-$kp_n-\${kp_m%????????????????}.tmp
  trap 'rm -f "$kp_t"' EXIT
  umask 077
  set -C
  { command exec 9>"$kp_t"; } 2>/dev/null && return
  kp_x=$({ : >"$kp_t"; } 2>&1)
  kp_short
}

# Content, as text, base64, or a file that was sent ahead; open for reading as 8 afterwards. Only a text that could not be
# written is tried again for what the shell says of it: a subshell for every text costs more than the writing.
kp_text() { { printf %s "$1" >&9; } 2>/dev/null || { kp_x=$({ printf %s "$1" >&9; } 2>&1); kp_short; }; kp_written; }
kp_base64() { kp_x=$({ printf %s "$1" | base64 -d >&9; } 2>&1) || kp_short; kp_written; }
kp_blob() {
  [ -f "$1" ] || kp_die "$1 was sent ahead and is not there"
  if [ "\${1%/*}" = "$kp_d" ]; then
    exec 8<"$1" 9>&-
    [ "$(stat -c %d:%i "$1")" = "$(stat -Lc %d:%i /proc/self/fd/8 8<&8)" ] || kp_die "$1: something else took its place"
    kp_x=$(mv -f "$1" "$kp_t" 2>&1) || kp_short
  else
    # Its sender removes it when it says goodbye: another step may want the same content.
    kp_x=$({ cat "$1" >&9 && : >|"$1.used"; } 2>&1) || kp_short
    kp_written
  fi
}
kp_copy() { kp_x=$({ cat "$1" >&9; } 2>&1) || kp_short; kp_written; }
# What is open for writing cannot be run, as a validate command may.
kp_written() { exec 8</proc/self/fd/9 9>&-; }

# A shell calls a full disk "I/O error", or says nothing at all.
kp_short() {
  kp_y=$(kp_full -Pk space)
  kp_y=\${kp_y:-$(kp_full -Pi inodes)}
  kp_die "cannot write $kp_w: \${kp_y:-$kp_x}"
}
# Columns of df: file system, size (0 where inodes are not counted), used, free, percent and mount point.
kp_full() {
  df "$1" "$kp_d/" 2>/dev/null | while read -r kp_i kp_j kp_q kp_u kp_v; do
    [ "$kp_u" != 0 ] || [ "$kp_j" = 0 ] || printf 'no %s left on %s' "$2" "\${kp_v#* }"
  done
}

# kp_place PATH MODE OWNER BACKUP UNSAFE: what was written gets its owner, then its mode (chown drops set-id bits), reaches
# the disk, takes its place. A backup is made anew, never written through a link.
kp_place() {
  set +C
  kp_ours "$3" || chown "$3" /proc/self/fd/8 8<&8 || exit 1
  chmod $2 /proc/self/fd/8 8<&8 || exit 1
  [ ! -L "$kp_t" ] && [ "$kp_t" -ef /proc/self/fd/8 ] || kp_die "$kp_t: something else took the place of what was written"
  if [ "$4" ] && [ -e "$1" ]; then
    [ -e "$4" ] || [ -L "$4" ] && kp_die "$4 is there already"
    cp -pT --remove-destination "$1" "$4" || exit 1
  fi
  sync "$kp_t" 2>/dev/null || sync
  kp_x=$(mv -fT "$kp_t" "$1" 2>&1) || {
    if kp_mounted "$1"; then
      kp_x="$1 is a mount point (often a bind mount of a container), which cannot be replaced by rename; unsafe_writes: true writes it in place"
    elif [ ! -d "$1" ] && kp_x=$(mv -f "$kp_t" "$1" 2>&1); then
      kp_x=
    fi
    [ ! "$kp_x" ] || { [ "$5" ] && cat <&8 >"$1"; } || kp_die "$kp_x"
  }
  [ "$kp_x" ] || trap - EXIT
  [ -e /sys/fs/selinux/enforce ] && command -v restorecon >/dev/null && restorecon "$1"
  return 0
}
# Whether what is open as 8 is root's already, and so is this shell: -O and -G tell without a fork, and nobody else owns
# /proc/sys.
kp_ours() {
  case $1 in
    '') return ;;
    root | 0 | 0:0 | root:root | :0 | :root) ;;
    *) return 1 ;;
  esac
  [ -O /proc/sys ] && [ -G /proc/sys ] && [ -O /proc/self/fd/8 ] && [ -G /proc/self/fd/8 ]
}
kp_mounted() {
  while read -r kp_i kp_j kp_q kp_u kp_v kp_x; do
    [ "$kp_v" = "$1" ] && return
  done </proc/self/mountinfo
  return 1
}
`);
