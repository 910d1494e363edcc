import ipaddr from 'ipaddr.js';
import { parse } from 'semver';

/** Each type's test, and what a value that fails it should have been. */
export const variableTypes: Readonly<Record<string, { fits(value: unknown): boolean; wanted: string }>> = {
  text: { fits: (value) => typeof value === 'string', wanted: 'a text' },
  whole: { fits: (value) => Number.isInteger(value) && (value as number) >= 0, wanted: 'a whole number' },
  'yes-no': { fits: (value) => typeof value === 'boolean', wanted: 'true or false' },
  list: { fits: Array.isArray, wanted: 'a list' },
  mapping: { fits: isMapping, wanted: 'a mapping' },
  release: { fits: isRelease, wanted: 'a release such as v1.20.2' },
  cidr: { fits: isCidr, wanted: 'a network such as 10.244.0.0/16' },
  address: {
    fits: (value) => typeof value === 'string' && ipaddr.isValid(value),
    wanted: 'an address such as 10.0.0.5',
  },
  ports: { fits: isPorts, wanted: 'a range of ports such as 30000-32767' },
  batches: {
    fits: isBatches,
    wanted: "a number, a percentage such as '25%', a list of them, or {by: VARIABLE, max: N}",
  },
  'one-of': { fits: () => true, wanted: 'one of its choices' },
};

/** What is wrong with a value, or undefined. */
export function typeProblem(type: string, value: unknown, choices: readonly unknown[] = []): string | undefined {
  const known = variableTypes[type];
  if (!known) return `its declaration has the unknown type ${type}`;
  if (type === 'one-of' && !choices.includes(value)) return `is ${shown(value)}; choose ${choices.join(', ')}`;
  return known.fits(value) ? undefined : `is ${shown(value)}; it must be ${known.wanted}`;
}

function isMapping(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isRelease(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith('v') && parse(value.slice(1)) !== null;
}

/** The address must be the network's own: with host bits set it is a typing error more often than not. */
function isCidr(value: unknown): boolean {
  if (typeof value !== 'string' || !ipaddr.isValidCIDR(value)) return false;
  const [address, bits] = ipaddr.parseCIDR(value);
  const network =
    address.kind() === 'ipv4' ? ipaddr.IPv4.networkAddressFromCIDR(value) : ipaddr.IPv6.networkAddressFromCIDR(value);
  return bits > 0 && network.toString() === address.toString();
}

function isPorts(value: unknown): boolean {
  const found = typeof value === 'string' ? /^(\d+)-(\d+)$/.exec(value) : null;
  return found !== null && Number(found[1]) <= Number(found[2]) && Number(found[2]) <= 65_535;
}

function isBatches(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(isBatch);
  return isBatch(value) || (isMapping(value) && typeof (value as { by?: unknown }).by === 'string');
}

function isBatch(value: unknown): boolean {
  return (
    (Number.isInteger(value) && (value as number) > 0) || (typeof value === 'string' && /^[1-9]\d*%?$/.test(value))
  );
}

function shown(value: unknown): string {
  return JSON.stringify(value);
}
