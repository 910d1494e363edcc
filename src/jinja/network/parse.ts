import ipaddr from 'ipaddr.js';
import { Network } from './network.ts';

/** Reads an address, or a network with a prefix, netmask or hostmask. Undefined when it is neither. */
export function parseNetwork(text: string): Network | undefined {
  const slash = text.indexOf('/');
  const address = parseAddress(slash < 0 ? text : text.slice(0, slash));
  if (!address) return undefined;
  const prefix = slash < 0 ? address.width : prefixOf(text.slice(slash + 1), address);
  return prefix === undefined ? undefined : new Network(address.version, address.value, prefix);
}

function parseAddress(text: string): Network | undefined {
  return parseFull(text) ?? parseFull(expandPartial(text) ?? '');
}

/** Four decimal parts, or IPv6; none of the older forms such as 0x7f.1. */
function parseFull(text: string): Network | undefined {
  if (/^\d{1,3}(?:\.\d{1,3}){3}$/.test(text)) return parseDotted(text);
  if (!text.includes(':') || text.includes('%') || !ipaddr.IPv6.isValid(text)) return undefined;
  const bytes = ipaddr.IPv6.parse(text).toByteArray();
  return new Network(
    6,
    bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n),
    128,
  );
}

function parseDotted(text: string): Network | undefined {
  const parts = text.split('.');
  if (parts.some((part) => Number(part) > 255 || /^0\d/.test(part))) return undefined;
  return new Network(
    4,
    parts.reduce((value, part) => (value << 8n) | BigInt(part), 0n),
    32,
  );
}

/** `10` and `172.16` are the beginnings of IPv4 addresses. */
function expandPartial(text: string): string | undefined {
  const parts = text.split('.');
  const valid = parts.length <= 4 && parts.every((part) => /^\d+$/.test(part) && Number(part) <= 255);
  return valid ? [...parts.map(Number), 0, 0, 0].slice(0, 4).join('.') : undefined;
}

function prefixOf(text: string, address: Network): number | undefined {
  if (/^\s*[-+]?\d+\s*$/.test(text)) {
    const prefix = Number(text);
    return prefix >= 0 && prefix <= address.width ? prefix : undefined;
  }
  const mask = parseFull(text);
  return mask && mask.version === address.version ? prefixOfMask(mask) : undefined;
}

function prefixOfMask({ value, width }: Network): number | undefined {
  const all = (1n << BigInt(width)) - 1n;
  const inverted = value ^ all;
  if (isOnes(inverted)) return width - bitLength(inverted);
  return isOnes(value) ? width - bitLength(value) : undefined;
}

const isOnes = (value: bigint): boolean => (value & (value + 1n)) === 0n;
const bitLength = (value: bigint): number => (value === 0n ? 0 : value.toString(2).length);

export const isMask = (value: bigint, width: number): boolean =>
  isOnes(value ^ ((1n << BigInt(width)) - 1n)) || isOnes(value);
