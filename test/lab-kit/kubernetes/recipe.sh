# Run by build.sh inside the build root: Kubernetes from Debian's source package. /build is kept between attempts, so a
# build that was cut off goes on where it was; what is wanted of it ends in /build/out. Lines of progress go to fd 3.
# In the environment: VERSION (what the source is) and PATCHED (the later patch version a second build is stamped as).
say() { echo "$*" >&3; }
export GO111MODULE=off GOPATH=/build/go GOCACHE=/build/cache GOFLAGS=-p=2 HOME=/build
tree=$GOPATH/src/k8s.io/kubernetes
programs='kube-apiserver kube-controller-manager kube-scheduler kube-proxy kubelet kubectl'

if ! [ -e /build/source.done ]; then
  say 'fetching the source package'
  rm -rf /build/source "$tree"
  mkdir -p /build/source "${tree%/*}"
  (cd /build/source && apt-get -qq source --download-only kubernetes)
  say 'unpacking it'
  dpkg-source --no-check -x /build/source/kubernetes_*.dsc "$tree"
  # The build scripts ask git where the tree begins.
  git -c init.defaultBranch=main init -q "$tree"
  touch /build/source.done
fi
cd "$tree"

# OpenAPI definitions are not part of the source; only the apiserver needs them.
if ! [ -e /build/generated.done ]; then
  say 'generating code (2 to 4 minutes)'
  printf '%s\n' "KUBE_GIT_COMMIT=none" "KUBE_GIT_TREE_STATE=archive" "KUBE_GIT_VERSION=$VERSION" \
    "KUBE_GIT_MAJOR=1" "KUBE_GIT_MINOR=20" >/build/version
  KUBE_GIT_VERSION_FILE=/build/version make generated_files
  touch /build/generated.done
fi

stamped() {
  for package in k8s.io/component-base/version k8s.io/kubernetes/vendor/k8s.io/component-base/version; do
    printf ' -X %s.gitVersion=%s -X %s.gitMajor=1 -X %s.gitMinor=20' "$package" "$1" "$package" "$package"
  done
}
build() {
  mkdir -p "/build/out/$1"
  for program in $programs; do
    say "building $program $1"
    go build -trimpath -ldflags "-s -w$(stamped "$1")" -o "/build/out/$1/$program" "./cmd/$program"
  done
}
build "$VERSION"
build "$PATCHED"

say 'building the all-in-one hyperkube'
mkdir -p cmd/hyperkube
cp /sources/hyperkube.go cmd/hyperkube/main.go
go build -trimpath -ldflags "-s -w$(stamped "$VERSION")" -o "/build/out/$VERSION/hyperkube" ./cmd/hyperkube

say 'building the programs of the test images'
for program in pause web; do gcc -static -Os -s -Wall -Werror -o "/build/out/$program" "/sources/$program.c"; done
