import { makeFloat, type Value } from '../jinja/values.ts';
import { type BaseParts, dict } from './base-parts.ts';

/** Memory, processors, mounts, uptime, virtualization, firmware. */
export function hardwareFacts(parts: BaseParts): Record<string, Value> {
  return {
    ...memory(parts.section('mem')),
    ...processors(parts),
    ...firmware(parts),
    ...virtualization(parts),
    ...misc(parts),
  };
}

function memory(text: string): Record<string, Value> {
  const kib = new Map([...text.matchAll(/^(\w+):\s+(\d+) kB$/gm)].map(([, name, size]) => [name!, Number(size)]));
  const mb = (name: string) => Math.floor((kib.get(name) ?? 0) / 1024);
  const noCache = mb('MemFree') + mb('Cached') + mb('Buffers');
  return {
    memtotal_mb: mb('MemTotal'),
    memfree_mb: mb('MemFree'),
    swaptotal_mb: mb('SwapTotal'),
    swapfree_mb: mb('SwapFree'),
    memory_mb: dict({
      real: dict({ total: mb('MemTotal'), used: mb('MemTotal') - mb('MemFree'), free: mb('MemFree') }),
      nocache: dict({ free: noCache, used: mb('MemTotal') - noCache }),
      swap: dict({
        total: mb('SwapTotal'),
        free: mb('SwapFree'),
        used: mb('SwapTotal') - mb('SwapFree'),
        cached: mb('SwapCached'),
      }),
    }),
  };
}

/** Counted as Ansible does: sockets, cores per socket, threads per core. */
function processors(parts: BaseParts): Record<string, Value> {
  const text = parts.section('cpu');
  const all = (name: string) => [...text.matchAll(new RegExp(`^${name}\\s*: (.*)$`, 'gm'))].map((found) => found[1]!);
  const threads = all('processor').length || 1;
  const sockets = new Set(all('physical id')).size || threads;
  const cores = Number(all('cpu cores')[0] ?? 1);
  const perCore = Math.max(1, Math.floor(Number(all('siblings')[0] ?? cores) / cores));
  const models = all('processor').flatMap((index, at) =>
    [index, all('vendor_id')[at], all('model name')[at]].filter((word): word is string => word !== undefined),
  );
  return {
    processor: models,
    processor_count: sockets,
    processor_cores: cores,
    processor_threads_per_core: perCore,
    processor_vcpus: perCore * sockets * cores,
    processor_nproc: Number(parts.section('nproc')) || threads,
  };
}

function firmware(parts: BaseParts): Record<string, Value> {
  const line = (name: string) => parts.line(name).trim() || 'NA';
  return {
    product_name: line('product_name'),
    product_version: line('product_version'),
    system_vendor: line('sys_vendor'),
    product_serial: line('product_serial'),
    product_uuid: line('product_uuid'),
    bios_vendor: line('bios_vendor'),
    bios_version: line('bios_version'),
    bios_date: line('bios_date'),
    board_name: line('board_name'),
    board_vendor: line('board_vendor'),
  };
}

const virtualizers: Record<string, string> = {
  amazon: 'kvm',
  apple: 'apple',
  google: 'kvm',
  kvm: 'kvm',
  microsoft: 'VirtualPC',
  oracle: 'virtualbox',
  parallels: 'parallels',
  qemu: 'kvm',
  vmware: 'VMware',
  xen: 'xen',
};

/** By systemd's detection where there is one, else by what firmware and container engines leave. */
function virtualization(parts: BaseParts): Record<string, Value> {
  const found = parts.section('virt').trim();
  const container = parts.line('container') || (found !== 'none' && !virtualizers[found] ? found : '');
  const marked = parts.has('/.dockerenv') ? 'docker' : parts.has('/run/.containerenv') ? 'podman' : '';
  if (container || marked) return kind(named.has(marked || container) ? marked || container : 'container', 'guest');
  if (virtualizers[found]) return kind(virtualizers[found], 'guest');
  if (/KVM|QEMU/.test(parts.line('product_name') + parts.line('sys_vendor'))) return kind('kvm', 'guest');
  return parts.has('/sys/module/kvm') ? kind('kvm', 'host') : kind('NA', 'NA');
}

/** Containers that Ansible has a name for; any other is a `container`. */
const named = new Set(['docker', 'lxc', 'podman', 'openvz']);

function kind(type: string, role: string): Record<string, Value> {
  return { virtualization_type: type, virtualization_role: role };
}

function misc(parts: BaseParts): Record<string, Value> {
  return {
    uptime_seconds: Math.floor(Number(parts.line('uptime').split(' ')[0] ?? 0)),
    cmdline: cmdline(parts.line('cmdline')),
    proc_cmdline: repeated(parts.line('cmdline')),
    loadavg: loadavg(parts.line('loadavg')),
    is_chroot: false,
    mounts: mounts(parts),
  };
}

function cmdline(text: string): Value {
  return new Map(words(text));
}

/** As `cmdline`, but a name that is given twice keeps all its values. */
function repeated(text: string): Value {
  const found = new Map<Value, Value>();
  for (const [name, value] of words(text)) {
    const before = found.get(name);
    found.set(name, before === undefined ? value : Array.isArray(before) ? [...before, value] : [before, value]);
  }
  return found;
}

function words(text: string): [string, Value][] {
  return text
    .trim()
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => {
      const equals = word.indexOf('=');
      return equals < 0 ? [word, true] : [word.slice(0, equals), word.slice(equals + 1)];
    });
}

function loadavg(text: string): Value {
  const [one = '0', five = '0', fifteen = '0'] = text.split(' ');
  return dict({ '1m': makeFloat(Number(one)), '5m': makeFloat(Number(five)), '15m': makeFloat(Number(fifteen)) });
}

/** Device mounts with their sizes; what lies behind a network is not measured, since a dead server would hang us. */
function mounts(parts: BaseParts): Value {
  const sizes = sizesOf(parts.section('sizes'));
  return parts
    .section('mounts')
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [device = '', mount = '', fstype = '', options = ''] = line.split(' ').map(unescapeOctal);
      return dict({ mount, device, fstype, options, uuid: 'N/A', ...sizes.get(mount) });
    });
}

function sizesOf(text: string): Map<string, Record<string, Value>> {
  const found = [...text.matchAll(/^(\d+) (\d+) (\d+) (\d+) (\d+) (.*)$/gm)];
  return new Map(
    found.map(([, block, total, available, inodes, free, mount]) => [
      mount!,
      {
        size_total: Number(block) * Number(total),
        size_available: Number(block) * Number(available),
        block_size: Number(block),
        block_total: Number(total),
        block_available: Number(available),
        block_used: Number(total) - Number(available),
        inode_total: Number(inodes),
        inode_available: Number(free),
        inode_used: Number(inodes) - Number(free),
      },
    ]),
  );
}

function unescapeOctal(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
}
