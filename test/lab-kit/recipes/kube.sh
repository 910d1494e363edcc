# Run inside the plain base: the Debian packages a Kubernetes node needs, none of them enabled.
apt-get -qq update
apt-get -qq install --no-install-recommends \
  conntrack containerd containernetworking-plugins docker.io ebtables etcd-client etcd-server ethtool golang-cfssl haproxy \
  ipset nftables runc socat
systemctl disable containerd.service docker.service docker.socket etcd.service haproxy.service nftables.service
! command -v python3
