// The names that git tracks, read from its index: no program is run for it, so nothing in the tree can choose one.

/** `base`: the index shares its names with another file, which has this id. */
export interface IndexNames {
  readonly names: readonly string[];
  readonly base: string | null;
}

const HEADER_BYTES = 12;
/** Before the object's id: two times, device, inode, mode, owner, group and size. */
const STAT_BYTES = 40;
/** Ids are SHA-1 or SHA-256. */
const ID_BYTES = [20, 32];
const EXTENDED = 0x4000;
/** All names together; of the fourth version each may cost two bytes and be as long as all before it. */
const MAX_NAME_BYTES = 256 * 1024 * 1024;

/** The names in an index of version 2, 3 or 4; null for bytes that are none. A folder that is kept as one entry ends with a slash. */
export function indexNames(bytes: Uint8Array): IndexNames | null {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (data.length < HEADER_BYTES || data.toString('latin1', 0, 4) !== 'DIRC') return null;
  const version = data.readUInt32BE(4);
  if (version < 2 || version > 4) return null;
  for (const idBytes of ID_BYTES) {
    const found = readIndex(data, { version, count: data.readUInt32BE(8), idBytes });
    if (found !== null) return found;
  }
  return null;
}

interface Format {
  readonly version: number;
  readonly count: number;
  readonly idBytes: number;
}

/** Null where the bytes do not come out even: then ids have another length, or it is no index. */
function readIndex(data: Buffer, format: Format): IndexNames | null {
  const { version, count, idBytes } = format;
  const names: string[] = [];
  let at = HEADER_BYTES;
  let previous: Buffer = Buffer.alloc(0);
  let length = 0;
  for (let number = 0; number < count; number++) {
    const start = at;
    at += STAT_BYTES + idBytes;
    if (at + 2 > data.length) return null;
    const isExtended = (data.readUInt16BE(at) & EXTENDED) !== 0;
    if (isExtended && version < 3) return null;
    at += isExtended ? 4 : 2;
    let kept = 0;
    if (version === 4) {
      const cut = readOffset(data, at);
      if (cut === null || cut.value > previous.length) return null;
      kept = previous.length - cut.value;
      at = cut.next;
    }
    const end = data.indexOf(0, at);
    if (end < 0) return null;
    const rest = data.subarray(at, end);
    previous = kept === 0 ? rest : Buffer.concat([previous.subarray(0, kept), rest]);
    length += previous.length;
    if (length > MAX_NAME_BYTES) return null;
    names.push(previous.toString('utf8'));
    at = version === 4 ? end + 1 : start + ((end - start) & ~7) + 8;
  }
  return withExtensions(data, at, { names, idBytes });
}

/** What follows the names has to end just before the checksum. */
function withExtensions(
  data: Buffer,
  from: number,
  { names, idBytes }: { readonly names: readonly string[]; readonly idBytes: number },
): IndexNames | null {
  const end = data.length - idBytes;
  let base: string | null = null;
  let at = from;
  while (at + 8 <= end) {
    const size = data.readUInt32BE(at + 4);
    if (data.toString('latin1', at, at + 4) === 'link') base = data.toString('hex', at + 8, at + 8 + idBytes);
    at += 8 + size;
  }
  return at === end ? { names, base } : null;
}

/** Git's number of many bytes: seven bits each, and one added for every byte that follows. */
function readOffset(data: Buffer, from: number): { readonly value: number; readonly next: number } | null {
  let at = from;
  let byte = data[at++];
  if (byte === undefined) return null;
  let value = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    byte = data[at++];
    if (byte === undefined || value > 0x7f_ffff) return null;
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return { value, next: at };
}
