import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { ActionCall } from '../../core/needs.ts';
import { quote } from '../../core/quote.ts';
import { TaskFailure } from '../../core/result.ts';
import type { Look } from './wait-looks.ts';

/** Whether the host's port has no connection left, by the kernel's own tables. */
export function drainedLook(params: ActionCall['params']): Look {
  const [host, excluded] = [String(params.host), listOf(params.exclude_hosts)];
  const port = Number(params.port).toString(16).toUpperCase().padStart(4, '0');
  const states = (
    params.active_connection_states === undefined ? Object.keys(stateIds) : listOf(params.active_connection_states)
  ).map(idOf);
  return {
    script: () =>
      `${[host, ...excluded].map(resolving).join('\n')}\nprintf -- '--\\n'; cat /proc/net/tcp /proc/net/tcp6 2>/dev/null`,
    judge: (record) => ({ met: !connections(record).some((one) => isOpen(one, port, states)) }),
  };
}

/** One side of the kernel's table, with the addresses that are waited for and those that do not count. */
interface Connection {
  local: string;
  remote: string;
  state: string;
  own: readonly string[];
  excluded: readonly string[];
}

function connections(record: string): Connection[] {
  const [names = '', table = ''] = record.split('--\n');
  const lines = names.trimEnd().split('\n');
  const [own = [], ...others] = lines.map((line) => line.trim().split(' ').flatMap(hexOf));
  return table
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .map(([, local = '', remote = '', state = '']) => ({ local, remote, state, own, excluded: others.flat() }));
}

function isOpen({ local, remote, state, own, excluded }: Connection, port: string, states: readonly string[]): boolean {
  const [ip = '', at] = local.split(':');
  return at === port && states.includes(state) && isOurs(ip, own) && !excluded.includes(remote.split(':')[0] ?? '');
}

/** By its address, or by one that stands for all. */
function isOurs(ip: string, own: readonly string[]): boolean {
  if (own.includes(ip) || own.includes('0'.repeat(ip.length))) return true;
  return ip.startsWith(mapped) && own.includes(`${mapped}00000000`);
}

const stateIds: Readonly<Record<string, string>> = {
  ESTABLISHED: '01',
  SYN_SENT: '02',
  SYN_RECV: '03',
  FIN_WAIT1: '04',
  FIN_WAIT2: '05',
  TIME_WAIT: '06',
};

function idOf(name: string): string {
  const id = stateIds[name];
  if (id === undefined) throw new TaskFailure(`unknown active_connection_state (${name}) defined`, { elapsed: 0 });
  return id;
}

/** A line of the addresses that a name has on the host itself. */
function resolving(name: string): string {
  if (isIPv4(name) || isIPv6(name)) return `printf '%s\\n' ${quote(name)}`;
  return `getent ahosts ${quote(name)} 2>/dev/null | cut -d' ' -f1 | sort -u | tr '\\n' ' '; printf '\\n'`;
}

const mapped = '0000000000000000FFFF0000';

/** As /proc/net/tcp writes it: words of four bytes, each of them backwards. An IPv4 address also as IPv6 maps it. */
function hexOf(address: string): string[] {
  if (!isIPv4(address) && !isIPv6(address)) return [];
  const bytes = ipaddr.parse(address).toByteArray();
  const words = Array.from({ length: bytes.length / 4 }, (_, i) => bytes.slice(4 * i, 4 * i + 4).reverse());
  const hex = words
    .flat()
    .map((byte) => byte.toString(16).toUpperCase().padStart(2, '0'))
    .join('');
  return bytes.length === 4 ? [hex, mapped + hex] : [hex];
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
