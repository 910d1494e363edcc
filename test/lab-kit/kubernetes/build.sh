#!/bin/sh
# build.sh WORK LOWERS SOURCES: runs recipe.sh inside WORK/root, laid over LOWERS ("a:b", a on top), with WORK/build at
# /build. Meant for mount and pid namespaces of its own. Packages go into the overlay: nothing is put on the machine.
set -eu
work=$1 lowers=$2 sources=$3
mount --make-rprivate /
mkdir -p "$work/root" "$work/overlay" "$work/merged" "$work/build"
target=$work/merged
mount -t overlay overlay -o "lowerdir=$lowers,upperdir=$work/root,workdir=$work/overlay,redirect_dir=on" "$target"
mount -t proc proc "$target/proc"
mount --rbind /dev "$target/dev"
mkdir -p "$target/build" "$target/sources"
mount --bind "$work/build" "$target/build"
mount --bind "$sources" "$target/sources"
cp "$work/recipe.sh" "$target/recipe.sh"
cat "$work/resolv.conf" >"$target/etc/resolv.conf"
cp "$work/sources.list" "$target/etc/apt/sources.list"
cp "$work/apt.conf" "$target/etc/apt/apt.conf.d/99kpush-lab"

inside() {
  chroot "$target" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
    DEBIAN_FRONTEND=noninteractive VERSION="$VERSION" PATCHED="$PATCHED" "$@"
}
if ! [ -e "$work/packages.done" ]; then
  echo 'installing the compiler' >&3
  inside apt-get -qq update
  inside apt-get -qq install --no-install-recommends dpkg-dev gcc git golang-go jq libc6-dev make rsync
  touch "$work/packages.done"
fi
inside sh -eu /recipe.sh
