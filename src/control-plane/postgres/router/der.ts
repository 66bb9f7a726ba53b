// DER, the little of it that a certificate needs (X.690): each function gives the bytes of one value.

type Bytes = Buffer;

/** Tag, length, content. */
export function tagged(tag: number, ...content: readonly Bytes[]): Bytes {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag]), lengthOf(body.length), body]);
}

function lengthOf(length: number): Bytes {
  if (length < 0x80) return Buffer.from([length]);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}

export const sequence = (...content: readonly Bytes[]): Bytes => tagged(0x30, ...content);
export const setOf = (...content: readonly Bytes[]): Bytes => tagged(0x31, ...content);
export const bitString = (bytes: Bytes): Bytes => tagged(0x03, Buffer.from([0]), bytes);
export const octets = (bytes: Bytes): Bytes => tagged(0x04, bytes);
export const truth = (): Bytes => tagged(0x01, Buffer.from([0xff]));
export const utf8 = (text: string): Bytes => tagged(0x0c, Buffer.from(text));

/** A number that is not negative, most significant byte first. */
export function integer(bytes: Uint8Array): Bytes {
  const isHigh = ((bytes[0] ?? 0) & 0x80) !== 0;
  return tagged(0x02, Buffer.from(isHigh ? [0, ...bytes] : bytes));
}

/** A time to the second. */
export function time(ms: number): Bytes {
  const digits = new Date(ms).toISOString().replaceAll(/[-:T]/g, '').slice(0, 14);
  return tagged(0x18, Buffer.from(`${digits}Z`));
}

/** An object identifier, such as 2.5.4.3. */
export function objectId(text: string): Bytes {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  return tagged(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const bytes = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift(0x80 | (rest % 128));
  return bytes;
}
