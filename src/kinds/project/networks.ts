// Parses networks (an address, a CIDR range, or a range FROM-TO) as the addresses that they span.

export interface AddressSpan {
  /** IPv4 addresses are mapped into IPv6 at `::ffff:0:0`. */
  readonly first: bigint;
  readonly last: bigint;
  /** True if the address of a CIDR range is not its first address. */
  readonly isWithin: boolean;
}

/** Null for a malformed network. */
export function spanOf(text: string): AddressSpan | null {
  const plain = text.replaceAll(/\s/g, '');
  const [from = '', to, ...more] = plain.split('-');
  const [address = '', prefix, ...rest] = from.split('/');
  const first = numberOf(address);
  if (first === null || more.length > 0 || rest.length > 0) return null;
  if (to !== undefined) {
    const last = prefix === undefined ? numberOf(to) : null;
    return last === null || last < first ? null : { first, last, isWithin: false };
  }
  const bits = address.includes(':') ? 128 : 32;
  const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : bits + 1;
  if (length > bits) return null;
  const size = 1n << BigInt(bits - length);
  const start = first - (first % size);
  return { first: start, last: start + size - 1n, isWithin: start !== first };
}

const MAPPED = 0xffff_0000_0000n;

function numberOf(address: string): bigint | null {
  if (!address.includes(':')) {
    const octets = /^\d{1,3}(?:\.\d{1,3}){3}$/.test(address) ? address.split('.').map(Number) : [];
    if (octets.length === 0 || octets.some((octet) => octet > 255)) return null;
    return octets.reduce((sum, octet) => sum * 256n + BigInt(octet), 0n) + MAPPED;
  }
  if (!URL.canParse(`http://[${address}]`)) return null;
  // The short form leaves out leading zeros and the longest run of empty groups.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const [before, after] = [head, tail ?? ''].map((part) => (part === '' ? [] : part.split(':'))) as [
    string[],
    string[],
  ];
  const groups = [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
  return BigInt(`0x${groups.map((group) => group.padStart(4, '0')).join('')}`);
}
