// The Postgres protocol as far as the router needs it: the first packets of a client, and the messages of a reply.
import { DatabaseError } from '../../resources/compute/connections.ts';

export type FirstPacket =
  | { readonly kind: 'tls' }
  | { readonly kind: 'ssl' }
  | { readonly kind: 'gss' }
  | { readonly kind: 'cancel'; readonly packet: Buffer; readonly key: string }
  | { readonly kind: 'startup'; readonly version: number; readonly parameters: ReadonlyMap<string, string> }
  | { readonly kind: 'unknown' };

/** First byte of a TLS record: such a client starts TLS without an SSLRequest. */
const TLS_HANDSHAKE = 0x16;
const SSL_REQUEST = 80_877_103;
const GSS_REQUEST = 80_877_104;
const CANCEL_REQUEST = 80_877_102;
const MAJOR_VERSION = 3;
const HEADER_BYTES = 8;
const MAX_BYTES = 10_000;

export interface FoundPacket {
  readonly packet: FirstPacket;
  /** The bytes after the packet. A TLS record is not a packet, so its bytes are here. */
  readonly rest: Buffer;
}

/** The packet at the beginning of `bytes`; undefined while the packet is incomplete. */
export function firstPacket(bytes: Buffer): FoundPacket | undefined {
  if (bytes[0] === TLS_HANDSHAKE) return { packet: { kind: 'tls' }, rest: bytes };
  if (bytes.length < HEADER_BYTES) return undefined;
  const length = bytes.readUInt32BE(0);
  if (length < HEADER_BYTES || length > MAX_BYTES) return { packet: { kind: 'unknown' }, rest: Buffer.alloc(0) };
  if (bytes.length < length) return undefined;
  return { packet: packetOf(bytes.subarray(0, length)), rest: bytes.subarray(length) };
}

function packetOf(packet: Buffer): FirstPacket {
  const code = packet.readUInt32BE(4);
  if (code === SSL_REQUEST) return { kind: 'ssl' };
  if (code === GSS_REQUEST) return { kind: 'gss' };
  if (code === CANCEL_REQUEST) return { kind: 'cancel', packet, key: packet.subarray(HEADER_BYTES).toString('hex') };
  if (code >>> 16 !== MAJOR_VERSION) return { kind: 'unknown' };
  const texts = packet.subarray(HEADER_BYTES).toString('utf8').split('\0');
  const parameters = new Map<string, string>();
  for (let at = 0; at + 1 < texts.length && texts[at] !== ''; at += 2)
    parameters.set(texts[at] ?? '', texts[at + 1] ?? '');
  return { kind: 'startup', version: code, parameters };
}

export function startupPacket(version: number, parameters: ReadonlyMap<string, string>): Buffer {
  const texts = [...parameters].flatMap(([name, value]) => [name, value]);
  const body = Buffer.from(`${texts.join('\0')}\0\0`);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE(HEADER_BYTES + body.length, 0);
  header.writeUInt32BE(version, 4);
  return Buffer.concat([header, body]);
}

export interface Wanted {
  readonly computeId: string;
  readonly pooled: boolean;
}

const POOLER = '-pooler';
const OPTION = 'endpoint=';

/** Reads the compute from the option `endpoint=ep-…` or the TLS server name. Throws DatabaseError. */
export function wantedOf(parameters: ReadonlyMap<string, string>, serverName: string | undefined): Wanted {
  const option = optionsOf(parameters).find((each) => each.startsWith(OPTION));
  const [label = ''] = (serverName ?? '').toLowerCase().split('.');
  const byName = label.startsWith('ep-') ? wanted(label) : undefined;
  const byOption = option === undefined ? undefined : wanted(option.slice(OPTION.length));
  const found = byOption ?? byName;
  if (found === undefined)
    throw new DatabaseError(
      '08004',
      'endpoint ID is not specified: connect by the host name of the endpoint with TLS, or pass options=endpoint%3Dep-…',
    );
  if (byName !== undefined && byName.computeId !== found.computeId)
    throw new DatabaseError('08004', 'the host name and the option endpoint name different endpoints');
  return found;
}

function wanted(text: string): Wanted {
  const pooled = text.endsWith(POOLER);
  return { computeId: pooled ? text.slice(0, -POOLER.length) : text, pooled };
}

function optionsOf(parameters: ReadonlyMap<string, string>): string[] {
  return (parameters.get('options') ?? '').split(' ').filter((each) => each !== '');
}

export function forwarded(parameters: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const options = optionsOf(parameters).filter((each) => !each.startsWith(OPTION));
  const others = [...parameters].filter(([name]) => name !== 'options');
  return new Map([...others, ...(options.length === 0 ? [] : [['options', options.join(' ')] as const])]);
}

export function errorPacket(sqlstate: string, message: string, severity: 'FATAL' | 'ERROR' = 'FATAL'): Buffer {
  const fields = [`S${severity}`, `V${severity}`, `C${sqlstate}`, `M${message}`].map((field) => `${field}\0`);
  const body = Buffer.from(`${fields.join('')}\0`);
  const header = Buffer.alloc(5);
  header.write('E');
  header.writeUInt32BE(4 + body.length, 1);
  return Buffer.concat([header, body]);
}

const MESSAGE_HEADER_BYTES = 5;
const ERROR = 'E'.charCodeAt(0);
const KEY_DATA = 'K'.charCodeAt(0);
const READY = 'Z'.charCodeAt(0);
const IDLE = 'I'.charCodeAt(0);
/** The router reads only messages up to this size, each as a whole, and forwards all others chunk by chunk. */
const MAX_READ_BYTES = 2000;
const WRONG_PASSWORD = errorPacket('28P01', 'password authentication failed');
/** Errors that reach the client as another error: their code with the start of their message, and the packet for the client. */
const REPLACED: readonly (readonly [start: string, packet: Buffer])[] = [
  // Postgres limits temporary files for each session. The service reports a full disk instead (api-rules 12.9).
  [
    'C53400\0Mtemporary file size exceeds temp_file_limit',
    errorPacket('53100', 'could not write to file "base/pgsql_tmp": No space left on device', 'ERROR'),
  ],
  // The pooler reports a wrong password or role as a violation of the protocol.
  ['C08P01\0MSASL authentication failed\0', WRONG_PASSWORD],
  ['C08P01\0Mno such user\0', WRONG_PASSWORD],
];

/** Reads the replies of one session while they are forwarded. */
export class Replies {
  /** Id and secret of the session as a cancel request names them, in hex; undefined before they are known. */
  cancelKey: string | undefined;
  /** True when Postgres has reported that it is idle outside a transaction, until the client sends a query. */
  isIdle: boolean = false;
  /** The start of a message that the router reads, until the rest arrives. */
  #kept: Buffer = Buffer.alloc(0);
  /** Bytes still to be forwarded of a message that the router does not read. */
  #skip: number = 0;

  /** The bytes to forward for the next bytes of the server. */
  follow(chunk: Buffer): Buffer {
    const data = this.#kept.length === 0 ? chunk : Buffer.concat([this.#kept, chunk]);
    const told: Buffer[] = [];
    let at = 0;
    while (at < data.length) {
      const step = Math.min(this.#skip, data.length - at);
      if (step > 0) told.push(data.subarray(at, at + step));
      at += step;
      this.#skip -= step;
      if (at === data.length) break;
      const rest = data.subarray(at);
      const length = rest.length < MESSAGE_HEADER_BYTES ? Infinity : 1 + rest.readUInt32BE(1);
      const isRead =
        length === Infinity || ([KEY_DATA, READY, ERROR].includes(rest[0] ?? 0) && length <= MAX_READ_BYTES);
      if (isRead && rest.length < length) break;
      if (isRead) told.push(this.#read(rest.subarray(0, length)));
      if (isRead) at += length;
      else this.#skip = length;
    }
    this.#kept = Buffer.from(data.subarray(at));
    return Buffer.concat(told);
  }

  #read(message: Buffer): Buffer {
    const body = message.subarray(MESSAGE_HEADER_BYTES);
    if (message[0] === KEY_DATA) this.cancelKey = body.toString('hex');
    if (message[0] === READY) this.isIdle = body[0] === IDLE;
    if (message[0] !== ERROR) return message;
    return REPLACED.find(([start]) => message.includes(start))?.[1] ?? message;
  }
}
