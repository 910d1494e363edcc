/** An address with the size of its network, as netaddr's IPNetwork. */
export class Network {
  constructor(
    readonly version: 4 | 6,
    readonly value: bigint,
    readonly prefix: number,
  ) {}

  get width(): 32 | 128 {
    return this.version === 4 ? 32 : 128;
  }

  private get hostMask(): bigint {
    return (1n << BigInt(this.width - this.prefix)) - 1n;
  }

  private get netMask(): bigint {
    return ((1n << BigInt(this.width)) - 1n) ^ this.hostMask;
  }

  get size(): bigint {
    return 1n << BigInt(this.width - this.prefix);
  }

  get first(): bigint {
    return this.value & this.netMask;
  }

  get last(): bigint {
    return this.value | this.hostMask;
  }

  /** IPv4 networks of one or two addresses have none. */
  get hasBroadcast(): boolean {
    return this.version === 6 || this.width - this.prefix > 1;
  }

  get ip(): string {
    return this.address(this.value);
  }

  get network(): string {
    return this.address(this.first);
  }

  get broadcast(): string {
    return this.address(this.last);
  }

  get netmask(): string {
    return this.address(this.netMask);
  }

  get hostmask(): string {
    return this.address(this.hostMask);
  }

  get cidr(): string {
    return `${this.network}/${this.prefix}`;
  }

  toString(): string {
    return `${this.ip}/${this.prefix}`;
  }

  /** Any number as an address of this version. */
  address(value: bigint): string {
    return formatAddress(this.version, value);
  }

  within(other: Network): boolean {
    return this.version === other.version && this.first >= other.first && this.last <= other.last;
  }

  /** The first and the last address that hosts may have. */
  get usable(): [bigint, bigint] {
    return this.size <= 2n ? [this.first, this.last] : [this.first + 1n, this.last - 1n];
  }
}

export function formatAddress(version: 4 | 6, value: bigint): string {
  if (version === 4) return dotted(value);
  const words = Array.from({ length: 8 }, (_, i) => Number((value >> BigInt(112 - 16 * i)) & 0xffffn));
  const zeros = longestZeros(words);
  if (zeros.start === 0 && (zeros.length === 6 || (zeros.length === 5 && words[5] === 0xffff))) {
    return `::${zeros.length === 5 ? 'ffff:' : ''}${dotted(value & 0xffff_ffffn)}`;
  }
  const hex = words.map((word) => word.toString(16));
  if (zeros.length < 2) return hex.join(':');
  return `${hex.slice(0, zeros.start).join(':')}::${hex.slice(zeros.start + zeros.length).join(':')}`;
}

function dotted(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');
}

function longestZeros(words: number[]): { start: number; length: number } {
  let best = { start: -1, length: 0 };
  for (let start = 0; start < 8; start++) {
    let length = 0;
    while (start + length < 8 && words[start + length] === 0) length++;
    if (length > best.length) best = { start, length };
  }
  return best;
}
