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
  script: (keys) => `${functions}\n${keys.map(() => 'kp_base').join('\n')}`,
  parse: (record) => ({ state: 'known', raw: record, value: factsOf(record) }),
};

/**
 * Sections, each after a RS byte and its name; what a host lacks is an empty section. Reading /proc and /sys by `cat`
 * and builtins, about fifteen forks in all. `env` is last: its values may hold anything but NUL.
 */
const functions = `kp_x() { printf '\\036%s\\n' "$1"; }
kp_line() { kp_l=; [ ! -r "$1" ] || IFS= read -r kp_l < "$1" 2>/dev/null || :; printf '%s=%s\\n' "$2" "$kp_l"; }
kp_base() {
  kp_x uname; uname -s; uname -r; uname -v; uname -m; uname -n
  kp_x os; cat /etc/os-release 2>/dev/null || cat /usr/lib/os-release 2>/dev/null
  kp_x release; cat /etc/debian_version /etc/redhat-release /etc/alpine-release 2>/dev/null
  kp_x mem; kp_n=0
  while [ $kp_n -lt 25 ] && IFS= read -r kp_l; do
    kp_n=$((kp_n+1)); case $kp_l in Mem*|Swap*|Buffers*|Cached*) printf '%s\\n' "$kp_l";; esac
  done < /proc/meminfo
  kp_x cpu; grep -E '^(processor|physical id|core id|cpu cores|siblings|vendor_id|model name)' /proc/cpuinfo 2>/dev/null
  kp_x nproc; nproc 2>/dev/null
  kp_x lines
  kp_line /proc/1/comm init; kp_line /proc/sys/kernel/random/boot_id boot_id; kp_line /proc/uptime uptime; kp_line /proc/loadavg loadavg
  kp_line /etc/machine-id machine_id; kp_line /proc/cmdline cmdline; kp_line /run/systemd/container container
  kp_d=/sys/class/dmi/id
  for kp_l in product_name product_version product_serial product_uuid sys_vendor bios_vendor bios_version bios_date board_name board_vendor; do
    kp_line $kp_d/$kp_l $kp_l
  done
  kp_line /sys/fs/selinux/enforce selinux; kp_line /sys/module/apparmor/parameters/enabled apparmor
  kp_line /proc/sys/crypto/fips_enabled fips; kp_line /etc/timezone zone
  for kp_l in /run/systemd/system /sbin/openrc /etc/init.d /.dockerenv /run/.containerenv /sys/module/kvm /run/ostree-booted; do
    [ ! -e $kp_l ] || printf 'has=%s\\n' $kp_l
  done
  for kp_l in apt-get dnf yum zypper apk pacman emerge xbps-install swupd rpm-ostree lsb_release systemctl getenforce; do
    kp_p=$(command -v $kp_l 2>/dev/null) && printf 'tool=%s %s\\n' $kp_l "$kp_p"
  done
  kp_x virt; systemd-detect-virt 2>/dev/null
  kp_x id; id -un; id -u; id -g
  kp_x passwd; kp_p=$(id -u); getent passwd "$kp_p" 2>/dev/null || grep ":x*:$kp_p:" /etc/passwd 2>/dev/null
  kp_x fqdn; hostname -f 2>/dev/null
  kp_x link
  for kp_p in /sys/class/net/*; do
    [ -e "$kp_p/ifindex" ] || continue
    printf 'name=%s\\n' "\${kp_p##*/}"
    for kp_l in address mtu flags type operstate; do kp_line "$kp_p/$kp_l" $kp_l; done
    [ ! -d "$kp_p/bridge" ] || printf 'bridge=1\\n'
    [ ! -d "$kp_p/bonding" ] || printf 'bonding=1\\n'
  done
  kp_x addr; ip -o addr show 2>/dev/null
  kp_x route4; ip -4 route get 8.8.8.8 2>/dev/null
  kp_x route6; ip -6 route get 2404:6800:400a:800::1012 2>/dev/null
  kp_x dns; cat /etc/resolv.conf 2>/dev/null
  kp_x mounts; set --
  while IFS=' ' read -r kp_l kp_p kp_o; do
    case $kp_l in /*|*:/*) printf '%s %s %s\\n' "$kp_l" "$kp_p" "$kp_o";; esac
    case $kp_l in /dev/*) case $kp_p in *\\\\*) ;; *) set -- "$@" "$kp_p";; esac;; esac
  done < /proc/mounts
  kp_x sizes; [ $# = 0 ] || stat -f -c '%S %b %a %c %d %n' -- "$@" 2>/dev/null
  kp_x lsb; cat /etc/lsb-release 2>/dev/null
  kp_x date; date '+%Y %m %d %H %M %S %s %Z %z %A %w %W %j %N'; date -u '+%Y-%m-%dT%H:%M:%S %N'
  kp_x env; cat /proc/self/environ 2>/dev/null
  kp_sep
}`;
