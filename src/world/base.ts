import type { FactFamily, FactKey } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import type { Value } from '../jinja/values.ts';
import { factsOf } from './base-facts.ts';
import { readKnown } from './read.ts';

/** Ansible's facts by name, without the `ansible_` prefix. */
export type BaseFacts = ReadonlyMap<string, Value>;

export function baseFacts(world: WorldView): BaseFacts {
  return readKnown<BaseFacts>(world, 'base', 'facts');
}

export const baseKey: FactKey = { family: 'base', id: 'facts' };

/** Volatile (times, free memory, uptime): never guarded, never predicted. */
export const baseFamily: FactFamily<BaseFacts> = {
  name: 'base',
  guarded: false,
  library: () => functions,
  script: (keys) => keys.map(() => 'kf_base').join('\n'),
  parse: (record) => ({ state: 'known', raw: record, value: factsOf(record) }),
};

/**
 * Sections, each after a RS byte and its name; what a host lacks is an empty section. Reading /proc and /sys by `cat`
 * and builtins, about fifteen forks in all: in a container its systemd says what systemd-detect-virt would take ten
 * times as long for. `env` is last: its values may hold nearly anything, so a US byte
 * parts them (a NUL would be lost on the way, since a shell holds the record in a variable).
 */
const functions = `kf_x() { printf '\\036%s\\n' "$1"; }
kf_line() { kf_l=; [ ! -r "$1" ] || IFS= read -r kf_l < "$1" 2>/dev/null || :; printf '%s=%s\\n' "$2" "$kf_l"; }
kf_base() {
  kf_x uname; uname -m
  kf_x os; cat /etc/os-release 2>/dev/null || cat /usr/lib/os-release 2>/dev/null
  kf_x release; cat /etc/debian_version /etc/redhat-release /etc/alpine-release 2>/dev/null
  kf_x mem; kf_n=0
  while [ $kf_n -lt 25 ] && IFS= read -r kf_l; do
    kf_n=$((kf_n+1)); case $kf_l in Mem*|Swap*|Buffers*|Cached*) printf '%s\\n' "$kf_l";; esac
  done < /proc/meminfo
  kf_x cpu; grep -E '^(processor|physical id|core id|cpu cores|siblings|vendor_id|model name)' /proc/cpuinfo 2>/dev/null
  kf_x nproc; nproc 2>/dev/null
  kf_x lines
  kf_line /proc/sys/kernel/ostype system; kf_line /proc/sys/kernel/osrelease kernel
  kf_line /proc/sys/kernel/version version; kf_line /proc/sys/kernel/hostname node
  kf_line /proc/1/comm init; kf_line /proc/sys/kernel/random/boot_id boot_id; kf_line /proc/uptime uptime; kf_line /proc/loadavg loadavg
  kf_line /etc/machine-id machine_id; kf_line /proc/cmdline cmdline; kf_line /run/systemd/container container
  for kf_l in rsa ecdsa ed25519; do kf_line /etc/ssh/ssh_host_\${kf_l}_key.pub hostkey_$kf_l; done
  kf_d=/sys/class/dmi/id
  for kf_l in product_name product_version product_serial product_uuid sys_vendor bios_vendor bios_version bios_date board_name board_vendor; do
    kf_line $kf_d/$kf_l $kf_l
  done
  kf_line /sys/fs/selinux/enforce selinux; kf_line /sys/module/apparmor/parameters/enabled apparmor
  kf_line /proc/sys/crypto/fips_enabled fips; kf_line /etc/timezone zone
  for kf_l in /run/systemd/system /sbin/openrc /etc/init.d /.dockerenv /run/.containerenv /sys/module/kvm /run/ostree-booted; do
    [ ! -e $kf_l ] || printf 'has=%s\\n' $kf_l
  done
  for kf_l in apt-get dnf yum zypper apk pacman emerge xbps-install swupd rpm-ostree lsb_release systemctl getenforce; do
    ! command -v $kf_l >/dev/null 2>&1 || printf 'tool=%s\\n' $kf_l
  done
  kf_x virt; kf_l=; [ ! -s /run/systemd/container ] || IFS= read -r kf_l </run/systemd/container
  case $kf_l in systemd-nspawn|lxc|docker|podman) echo $kf_l;; *) systemd-detect-virt 2>/dev/null; esac
  kf_x systemd; systemctl --version 2>/dev/null
  kf_x id; kf_o=$(id); printf '%s' "$kf_o"; kf_p=\${kf_o#uid=}; kf_p=\${kf_p%%[!0-9]*}
  kf_x passwd; getent passwd "$kf_p" 2>/dev/null || grep ":x*:$kf_p:" /etc/passwd 2>/dev/null
  kf_x fqdn; hostname -f 2>/dev/null
  kf_x link
  for kf_p in /sys/class/net/*; do
    [ -e "$kf_p/ifindex" ] || continue
    printf 'name=%s\\n' "\${kf_p##*/}"
    for kf_l in address mtu flags type operstate; do kf_line "$kf_p/$kf_l" $kf_l; done
    [ ! -d "$kf_p/bridge" ] || printf 'bridge=1\\n'
    [ ! -d "$kf_p/bonding" ] || printf 'bonding=1\\n'
  done
  kf_x addr; ip -o addr show 2>/dev/null
  kf_x route4; ip -4 route get 8.8.8.8 2>/dev/null
  kf_x route6; ip -6 route get 2404:6800:400a:800::1012 2>/dev/null
  kf_x dns; cat /etc/resolv.conf 2>/dev/null
  kf_x mounts; set --
  while IFS=' ' read -r kf_l kf_p kf_o; do
    case $kf_l in /*|*:/*) printf '%s %s %s\\n' "$kf_l" "$kf_p" "$kf_o";; esac
    case $kf_l in /dev/*) case $kf_p in *\\\\*) ;; *) set -- "$@" "$kf_p";; esac;; esac
  done < /proc/mounts
  kf_x sizes; [ $# = 0 ] || stat -f -c '%S %b %a %c %d %n' -- "$@" 2>/dev/null
  kf_x lsb; [ ! -r /etc/lsb-release ] || cat /etc/lsb-release
  kf_x date; date '+%Y %m %d %H %M %S %s %Z %z %A %w %W %j %N'
  kf_x env; tr '\\0' '\\037' </proc/self/environ 2>/dev/null
  kp_sep
}`;
