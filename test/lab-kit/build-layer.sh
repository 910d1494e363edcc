#!/bin/sh
# build-layer.sh BUILD LOWERS: runs BUILD/recipe.sh inside BUILD/root, laid over LOWERS ("a:b", a on top) if not empty.
# Meant to be run in mount and pid namespaces of its own: whatever it mounts or leaves running ends with it.
set -eu
build=$1 lowers=$2
mount --make-rprivate /

target=$build/root
if [ -n "$lowers" ]; then
  mkdir -p "$build/work" "$build/merged"
  target=$build/merged
  mount -t overlay overlay -o "lowerdir=$lowers,upperdir=$build/root,workdir=$build/work,redirect_dir=on" "$target"
fi
mount -t proc proc "$target/proc"
mount --rbind /dev "$target/dev"

# No service may start while packages are configured.
printf '#!/bin/sh\nexit 101\n' >"$target/usr/sbin/policy-rc.d"
chmod 755 "$target/usr/sbin/policy-rc.d"
cat "$build/resolv.conf" >"$target/etc/resolv.conf"
cp "$build/sources.list" "$target/etc/apt/sources.list"
cp "$build/apt.conf" "$target/etc/apt/apt.conf.d/99kpush-lab"
cp "$build/recipe.sh" "$target/recipe.sh"

chroot "$target" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
  DEBIAN_FRONTEND=noninteractive sh -eu /recipe.sh

chroot "$target" apt-get clean
rm -rf "$target/recipe.sh" "$target/usr/sbin/policy-rc.d" "$target/etc/resolv.conf" "$target/etc/apt/sources.list" \
  "$target/etc/apt/apt.conf.d/99kpush-lab" "$target"/var/lib/apt/lists/* "$target"/var/log/apt/* "$target/var/log/dpkg.log"
sync -f "$build"
