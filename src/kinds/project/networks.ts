// Parses networks (an address, a CIDR range, or a range FROM-TO) as the addresses that they span.

export interface AddressSpan {
  /** IPv4 addresses are mapped into IPv6 at `::ffff:0:0`. */
  readonly first: bigint;
  readonly last: bigint;
  /** True for a CIDR range that is not written with its first address. */
  readonly isWithin: boolean;
}

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

function numberOf(address: string): bigint | null {
  const isShort = /^\d+(?:\.\d+){3}$/.test(address);
  const url = `http://[${isShort ? '::ffff:' : ''}${address}]`;
  if (!URL.canParse(url)) return null;
  // `hostname` has the short form, without leading zeros and without the longest run of zero groups.
  const [before = [], after = []] = new URL(url).hostname
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''));
  const groups = [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
  return BigInt(`0x${groups.map((group) => group.padStart(4, '0')).join('')}`);
}
