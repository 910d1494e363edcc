# Run inside the base (a minbase debootstrap): makes it a lab host without Python.

apt-get -qq update
apt-get -qq dist-upgrade
apt-get -qq install --no-install-recommends \
  acl attr busybox ca-certificates curl dbus dbus-user-session e2fsprogs iproute2 iptables iputils-ping kmod less \
  libpam-systemd netbase openssh-server procps sudo systemd systemd-sysv xz-utils

systemctl enable systemd-networkd.service ssh.service
systemctl disable systemd-networkd-wait-online.service
# Timers that fetch and upgrade packages behind a test's back.
systemctl disable apt-daily.timer apt-daily-upgrade.timer
systemctl mask console-getty.service getty-static.service

useradd --create-home --shell /bin/bash deploy
echo deploy:deploy | chpasswd
echo 'deploy ALL=(ALL:ALL) NOPASSWD: ALL' >/etc/sudoers.d/deploy
chmod 0440 /etc/sudoers.d/deploy
update-ca-certificates >/dev/null 2>&1

# Each host gets its own.
rm -f /etc/ssh/ssh_host_* /var/lib/dbus/machine-id /etc/hostname
: >/etc/machine-id
ln -s /etc/machine-id /var/lib/dbus/machine-id

! command -v python3
