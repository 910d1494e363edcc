# Makes a plain lab host the host of the matrix: $1 is the password of every user (root's, too).
# Users are named after what is special about them; each opens to the lab's key.
set -e
password=$1
export DEBIAN_FRONTEND=noninteractive
apt-get -qq update
apt-get -qq install -y --no-install-recommends bsdutils doas fish ksh mksh rust-coreutils tcsh zsh >/dev/null

ln -sf /bin/busybox /usr/local/bin/ash
printf '#!/bin/sh\nprintf "nu: this is no shell of POSIX\\n" >&2\nexit 1\n' >/usr/local/bin/nu
chmod 755 /usr/local/bin/nu
printf '%s\n' /usr/bin/fish /usr/bin/zsh /usr/bin/tcsh /usr/bin/mksh /usr/bin/ksh93 /usr/local/bin/ash >>/etc/shells

user() {
  id "$1" >/dev/null 2>&1 || useradd -m -s "$2" "$1"
  printf '%s:%s\n' "$1" "$password" | chpasswd
  mkdir -p -m 700 "/home/$1/.ssh"
  cp /home/deploy/.ssh/authorized_keys "/home/$1/.ssh/"
  chown -R "$1" "/home/$1/.ssh"
}
rc() { cat >"/home/$1/$2" && chown "$1" "/home/$1/$2"; }

printf 'root:%s\n' "$password" | chpasswd

# A login shell each, four times: root, sudo without password, with one, and with one and a terminal.
for name in bash dash zsh fish tcsh ash mksh ksh; do
  path=$(command -v "$name")
  id "root-$name" >/dev/null 2>&1 || useradd -m -o -u 0 -g 0 -s "$path" "root-$name"
  for user in root in pw tty; do user "$user-$name" "$path"; done
  printf '%s ALL=(ALL:ALL) %s\n' "in-$name" 'NOPASSWD: ALL' "pw-$name" ALL "tty-$name" ALL
  printf 'Defaults:tty-%s requiretty\n' "$name"
  printf 'permit %s\n' "pw-$name" "nopass in-$name" >>/tmp/doas.conf
done >/etc/sudoers.d/in-shells
user in-nologin /usr/sbin/nologin
user in-nu /usr/local/bin/nu

# What sudo is told to do.
user asked /bin/bash
user needs-tty /bin/bash
user needs-tty-asked /bin/bash
user target /bin/bash
user reset /bin/bash
user keep /bin/bash
user stranger /bin/bash
user other /bin/bash
user expired /bin/bash
user aged /bin/bash
cat >/etc/sudoers.d/ways <<'E'
asked ALL=(ALL:ALL) ALL
needs-tty ALL=(ALL:ALL) NOPASSWD: ALL
Defaults:needs-tty requiretty
needs-tty-asked ALL=(ALL:ALL) ALL
Defaults:needs-tty-asked requiretty
target ALL=(ALL:ALL) ALL
Defaults:target targetpw
reset ALL=(ALL:ALL) NOPASSWD: ALL
Defaults:reset env_reset, use_pty
keep ALL=(ALL:ALL) NOPASSWD: ALL
Defaults:keep !env_reset
expired ALL=(ALL:ALL) ALL
aged ALL=(ALL:ALL) ALL
E
chmod 440 /etc/sudoers.d/*
visudo -cq
chage -E 1 expired
usermod -U expired
chage -d 0 aged
# A key opens to whom only sudo and su shall refuse.
sed -i 's/^UsePAM yes/UsePAM no/' /etc/ssh/sshd_config
mkdir -p /etc/ssh/sshd_config.d
printf 'PermitUserEnvironment no\nMaxStartups 100\n' >/etc/ssh/sshd_config.d/matrix.conf

cat >/etc/doas.conf <<'E'
permit asked
permit nopass reset
permit nopass asked as other
permit expired
permit aged
E
cat /tmp/doas.conf >>/etc/doas.conf
rm /tmp/doas.conf
chmod 600 /etc/doas.conf

# sudo-rs is in no Debian 12: what is different about it are its words.
cat >/usr/local/bin/sudo-rs <<'E'
#!/bin/sh
prompt=authenticate ask=
while [ $# -gt 0 ]; do
  case $1 in
    -S | -k | -H) ;;
    -n) ask=no ;;
    -p) prompt=$2; shift ;;
    -u) user=$2; shift ;;
    --) shift; break ;;
    *) break ;;
  esac
  shift
done
if [ "$ask" = no ]; then
  echo 'sudo-rs: interactive authentication is required' >&2
  exit 1
fi
n=0
while :; do
  printf '[sudo: %s] Password: ' "$prompt" >&2
  IFS= read -r given || { echo 'sudo-rs: no password was provided' >&2; exit 1; }
  printf '\n' >&2
  [ "$given" = "$(cat /etc/matrix-password)" ] && break
  n=$((n + 1))
  [ $n -lt 3 ] || { echo 'sudo-rs: Maximum 3 incorrect authentication attempts' >&2; exit 1; }
  echo 'sudo-rs: Authentication failed, try again.' >&2
done
exec sudo -n -u "$user" -- "$@"
E
chmod 755 /usr/local/bin/sudo-rs
printf %s "$password" >/etc/matrix-password
user rs /bin/bash
printf 'rs ALL=(ALL:ALL) NOPASSWD: ALL\n' >/etc/sudoers.d/rs

# Start files that make noise, each in the words of its shell.
for name in bash zsh ksh; do
  user "loud-$name" "$(command -v $name)"
  printf 'echo noise; echo more noise >&2; printf "no newline"; set -- a b; cd /tmp; export IFS=x CDPATH=/ LC_ALL=de_DE.UTF-8\n' >/tmp/loud
  for file in .bashrc .zshenv .profile; do rc "loud-$name" $file </tmp/loud; done
done
user loud-fish /usr/bin/fish
mkdir -p /home/loud-fish/.config/fish
printf 'echo noise; echo more noise >&2\n' >/home/loud-fish/.config/fish/config.fish
chown -R loud-fish: /home/loud-fish/.config
user loud-tcsh /usr/bin/tcsh
printf 'echo noise\n' | rc loud-tcsh .tcshrc
user slow /bin/bash
printf 'sleep 3\n' | rc slow .bashrc
user swaps /bin/bash
# As people do who may not change their login shell.
printf '[ "$SWAPPED" ] || { export SWAPPED=1; exec zsh -c "$BASH_EXECUTION_STRING"; }\n' | rc swaps .bashrc
user swallows /bin/bash
printf 'exec cat\n' | rc swallows .bashrc
user leaves /bin/bash
printf 'echo "go away" >&2; exit 7\n' | rc leaves .bashrc
user forced /bin/bash
sed 's/^/command="echo only this",restrict /' /home/deploy/.ssh/authorized_keys >/home/forced/.ssh/authorized_keys
user umask /bin/bash
printf 'umask 077\n' | rc umask .bashrc
user locale /bin/bash
printf 'export LC_ALL=tr_TR.UTF-8 LANG=tr_TR.UTF-8 LANGUAGE=tr\n' | rc locale .bashrc
for name in loud-bash loud-zsh loud-ksh loud-fish loud-tcsh slow swaps swallows leaves forced umask locale; do
  printf '%s ALL=(ALL:ALL) NOPASSWD: ALL\n' "$name"
done >/etc/sudoers.d/noise
chmod 440 /etc/sudoers.d/*

# Hosts without GNU coreutils: every tool of this one, with the flavour's in front.
flavour() {
  mkdir -p "/opt/$1"
  for tool in /usr/sbin/* /usr/bin/*; do ln -sf "$tool" "/opt/$1/"; done
}
flavour busybox
for tool in $(busybox --list); do
  # Those which Debian has from coreutils, findutils, grep, sed, awk, gzip, util-linux; its own dpkg and systemd stay.
  case $tool in
    ar | dpkg* | hostname | init | ip* | less | man | modprobe | insmod | rmmod | lsmod | depmod | modinfo | mount | umount | nologin | passwd | ping* | poweroff | halt | reboot | rpm* | run-init | run-parts | shutdown | su | sulogin | sysctl | syslogd | login | getty | adduser | addgroup | deluser | delgroup | chpasswd | crond | crontab | udhcpc | wget | sh | ash | bash) ;;
    *) ln -sf /bin/busybox "/opt/busybox/$tool" ;;
  esac
done
ln -sf /bin/busybox /opt/busybox/sh
flavour uutils
for tool in /usr/lib/cargo/bin/coreutils/*; do ln -sf "$tool" /opt/uutils/; done
for name in busybox uutils; do
  printf '#!/bin/sh\nPATH=/opt/%s exec /opt/%s/sh "$@"\n' $name $name >/usr/local/bin/only-$name
  chmod 755 /usr/local/bin/only-$name
done

# Ports of their own for what sshd itself is told; units, so that they are there after a boot, too.
server() {
  port=$1
  shift
  cp /etc/ssh/sshd_config "/etc/ssh/sshd_config-$port"
  # The first word on an option holds, so what is special stands in front.
  { printf '%s\n' "Port $port" 'PidFile none' "$@"; grep -v '^Subsystem' /etc/ssh/sshd_config; } >"/etc/ssh/sshd_config-$port"
  cat >"/etc/systemd/system/sshd-$port.service" <<E
[Unit]
After=ssh.service
[Service]
ExecStartPre=/bin/mkdir -p -m 755 /run/sshd
ExecStart=/usr/sbin/sshd -D -f /etc/ssh/sshd_config-$port
[Install]
WantedBy=multi-user.target
E
  systemctl enable -q "sshd-$port"
}
printf 'Authorized use only. You are watched.\n' >/etc/issue.net
printf 'Welcome to the machine. System load: 42\n' >/etc/motd
server 2201 'Banner /etc/issue.net' 'PrintMotd yes'
server 2202 'AcceptEnv none' 'PermitUserEnvironment no'
server 2203
server 2204 'MaxSessions 1'
server 2205 'RekeyLimit 1M'
server 2206 'PasswordAuthentication yes' 'KbdInteractiveAuthentication no' 'AuthenticationMethods password'
server 2207 'UsePAM yes' 'PasswordAuthentication no' 'KbdInteractiveAuthentication yes' 'AuthenticationMethods keyboard-interactive'
server 2208 'MaxAuthTries 2'
server 2209 'MaxStartups 2:100:2'

# Certificates: a CA for users, one for hosts, and a host key that only the CA vouches for.
mkdir -p /etc/ssh/ca
[ -f /etc/ssh/ca/user ] || {
  ssh-keygen -q -t ed25519 -N '' -f /etc/ssh/ca/user
  ssh-keygen -q -t ed25519 -N '' -f /etc/ssh/ca/host
  ssh-keygen -q -t ed25519 -N '' -f /etc/ssh/ca/host_key
  ssh-keygen -q -s /etc/ssh/ca/host -I host -h -n "$(ip -4 -o addr show host0 | sed 's/.*inet \([0-9.]*\).*/\1/')" /etc/ssh/ca/host_key.pub
  ssh-keygen -q -t ed25519 -N '' -f /etc/ssh/ca/user_key
  ssh-keygen -q -s /etc/ssh/ca/user -I user -n in-bash /etc/ssh/ca/user_key.pub
}
server 2210 'TrustedUserCAKeys /etc/ssh/ca/user.pub' 'AuthorizedKeysFile none'
server 2211 'HostKey /etc/ssh/ca/host_key' 'HostCertificate /etc/ssh/ca/host_key-cert.pub'
systemctl daemon-reload
systemctl restart ssh
for port in 2201 2202 2203 2204 2205 2206 2207 2208 2209 2210 2211; do systemctl restart "sshd-$port"; done
