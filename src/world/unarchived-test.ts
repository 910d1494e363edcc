/**
 * `kf_unarchived SRC DEST DROP TAR INCLUDE EXCLUDE TESTS` compares an archive with what stands in a directory: TAR and
 * the next two are lists of quoted words, TESTS are tests of find for wrong attributes. GNU tar compares itself; of its
 * findings those that DROP names do not count, nor owners when it is not root who would unpack. Of a zip each file is
 * compared byte by byte, up to 500 of them. It prints the verdict and the names in the archive, a line each. Used by
 * the question, and by the step that unpacks, so that both judge alike.
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
    kf_o=$(eval "tar --diff -C \\"\\$kf_d\\" -f \\"\\$kf_s\\" \\"\\$@\\" $kf_n" 2>&1) || {
      [ ! "$kf_r" ] || kf_o=$(printf '%s\\n' "$kf_o" | grep -Ev ": ($kf_r) differs$")
      [ ! "$kf_o" ] || kf_v='!'
    }
  fi
  eval "set -- $kf_t"
  kf_o=$(eval "tar -tf \\"\\$kf_s\\" \\"\\$@\\" $kf_n" 2>/dev/null)
}
kf_zip() {
  kf_v='?'
  command -v unzip >/dev/null 2>&1 || return 0
  kf_o=$(eval "unzip -Z1 \\"\\$kf_s\\" $kf_n \${kf_e:+-x $kf_e}" 2>/dev/null) || return 0
  kf_v=$(printf '%s\\n' "$kf_o" | kf_zip_names)
}
kf_zip_names() {
  kf_c=0
  while IFS= read -r kf_p; do
    kf_c=$((kf_c+1)); [ $kf_c -le 500 ] || { printf '?'; return; }
    case $kf_p in
      */) [ -d "$kf_d/$kf_p" ] || { printf '!'; return; } ;;
      *) kf_q=$(printf '%s\\n' "$kf_p" | sed 's/[][*?\\\\]/\\\\&/g')
        [ -f "$kf_d/$kf_p" ] && unzip -p "$kf_s" "$kf_q" 2>/dev/null </dev/null | cmp -s - "$kf_d/$kf_p" || { printf '!'; return; } ;;
    esac
  done
  printf '='
}`;
