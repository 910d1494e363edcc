import ipaddr from 'ipaddr.js';
import { FlagError } from './render.ts';

/** The n-th address of a network: `10.96.0.0/12`, 10 → `10.96.0.10`. IPv4 and IPv6. */
export function nthAddress(network: string, n: number): string {
  if (!ipaddr.isValidCIDR(network)) throw new FlagError(`'${network}' is no network in CIDR notation`);
  const [address, bits] = ipaddr.parseCIDR(network);
  const bytes = address.toByteArray();
  if (!Number.isInteger(n) || n < 0 || n >= 2 ** Math.min(32, bytes.length * 8 - bits))
    throw new FlagError(`${network} has no address number ${n}`);
  for (let at = bytes.length - 1, rest = n; rest > 0 && at >= 0; at--) {
    const sum = bytes[at]! + (rest % 256);
    bytes[at] = sum % 256;
    rest = Math.floor(rest / 256) + (sum > 255 ? 1 : 0);
  }
  return ipaddr.fromByteArray(bytes).toString();
}
