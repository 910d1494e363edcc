/**
 * `kf_unarchived SRC DEST DROP TAR INCLUDE EXCLUDE TESTS` compares an archive with what stands in a directory: TAR and
 * the next two are lists of quoted words, TESTS are tests of find for wrong attributes. GNU tar compares itself; of its
 * findings those that DROP names do not count, nor owners when it is not root who would unpack. Of a zip, and of a tar
 * where there is only busybox's, each file is compared byte by byte, up to 500 or 50 of them. That tar does not find
 * out how an archive is packed, and that unzip has no -Z. A tar that cannot be read to its end is told as such. It prints the verdict and the names in the archive, a line
 * each. Used by the question, and by the step that unpacks, so that both judge alike.
 */
export const unarchivedLibrary = `kf_unarchived() {
  kf_s=$1 kf_d=$2 kf_r=$3 kf_t=$4 kf_n=$5 kf_e=$6 kf_w=$7 kf_o= kf_v=
  if [ ! -e "$kf_s" ]; then kf_v=a
  elif [ ! -r "$kf_s" ]; then kf_v=d
  elif [ "$(head -c 2 "$kf_s")" = PK ]; then kf_zip
  else kf_tar
  fi
  if [ "$kf_v" = '=' ] && [ "$kf_w" ] && [ "$(kf_wrong)" ]; then kf_v='~'; fi
  printf '%s\\n%s\\n' "$kf_v" "$kf_o"
}
kf_wrong() {
  cd "$kf_d/" && printf '%s\\n' "$kf_o" | sed 's|^|./|' | tr '\\n' '\\0' |
    xargs -0 sh -c 'kf_w=$1; shift; eval "find \\"\\$@\\" -prune \\"(\\" $kf_w \\")\\" -print"' sh "$kf_w" 2>/dev/null | head -n 1
}
kf_tar() {
  kf_v='?'
  if tar --version 2>/dev/null | grep -q 'GNU tar'; then
    [ "$(id -u)" = 0 ] || kf_r=\${kf_r:+$kf_r|}'Uid|Gid'
    eval "set -- $kf_t"
    kf_v='='
    kf_o=$(eval "tar --diff $(kf_packed "$kf_s") -C \\"\\$kf_d\\" -f \\"\\$kf_s\\" \\"\\$@\\" $kf_n" 2>&1) || {
      [ ! "$kf_r" ] || kf_o=$(printf '%s\\n' "$kf_o" | grep -Ev ": ($kf_r) differs$")
      [ ! "$kf_o" ] || kf_v='!'
    }
  fi
  eval "set -- $kf_t"
  kf_g=$kf_v
  kf_o=$(eval "tar -t $(kf_packed "$kf_s") -f \\"\\$kf_s\\" \\"\\$@\\" $kf_n" 2>/dev/null) ||
    { tar -t $(kf_packed "$kf_s") -f "$kf_s" 2>&1 >/dev/null | grep -qiE 'unexp|premat|corrup|short|crc' && kf_v=x && return; }
  [ "$kf_g" != '?' ] || [ "$kf_t$kf_e" ] || kf_v=$(printf '%s\\n' "$kf_o" | kf_each 50 kf_tar_file)
}
kf_tar_file() { tar -x $(kf_packed "$kf_s") -O -f "$kf_s" "$1" 2>/dev/null </dev/null; }
kf_zip_file() { unzip -p "$kf_s" "$(printf '%s\\n' "$1" | sed 's/[][*?\\\\]/\\\\&/g')" 2>/dev/null </dev/null; }
kf_packed() {
  case $(head -c 6 "$1" | od -An -tx1 | tr -d ' \\n') in
    1f8b*) echo -z ;; fd377a585a00) echo -J ;; 425a68*) echo -j ;; 28b52ffd*) echo --zstd ;;
  esac
}
kf_zip_list() { unzip -l "$@" 2>/dev/null </dev/null | sed -n '/^ *-----/,/^ *-----/{/^ *-----/d;s/^ *[0-9]*  *[-0-9]*  *[0-9:]*   //p;}'; }
kf_zip() {
  kf_v='?'
  command -v unzip >/dev/null 2>&1 || return 0
  kf_o=$(eval "kf_zip_list \\"\\$kf_s\\" $kf_n \${kf_e:+-x $kf_e}")
  [ "$kf_o" ] || return 0
  kf_v=$(printf '%s\\n' "$kf_o" | kf_each 500 kf_zip_file)
}
kf_each() {
  kf_c=0
  while IFS= read -r kf_p; do
    kf_c=$((kf_c+1)); [ $kf_c -le $1 ] || { printf '?'; return; }
    case $kf_p in
      */) [ -d "$kf_d/$kf_p" ] || { printf '!'; return; } ;;
      *) [ -L "$kf_d/$kf_p" ] || { [ -f "$kf_d/$kf_p" ] && $2 "$kf_p" | cmp -s - "$kf_d/$kf_p"; } || { printf '!'; return; } ;;
    esac
  done
  printf '='
}`;
