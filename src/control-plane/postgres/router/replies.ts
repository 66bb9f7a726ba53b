// Follows what a Postgres sends, message by message: the key that cancels, whether a query is under way, and that its disk is full.
import { errorPacket } from './startup.ts';

const HEADER_BYTES = 5;
const ERROR = 'E'.charCodeAt(0);
const KEY_DATA = 'K'.charCodeAt(0);
const READY = 'Z'.charCodeAt(0);
const IDLE = 'I'.charCodeAt(0);
/** Messages that are read are never longer; they come whole, the others as they are. */
const MAX_READ_BYTES = 2000;
/** Postgres counts the temporary files of a session; the service has a disk for them, which fills (api-rules 12.9). */
const LIMIT_REACHED = Buffer.from('\0C53400\0');
const FULL_DISK = ['53100', 'could not write to file "base/pgsql_tmp": No space left on device'] as const;

/** State after the messages so far. */
export interface ReplyFollower {
  /** Bytes for the client, out of these and those kept before. */
  follow(chunk: Buffer): Buffer;
  /** The client has sent something. */
  asked(): void;
  /** Id and secret of the session as a cancel request names them, in hex; undefined before they are known. */
  cancelKey(): string | undefined;
  /** True where Postgres has said since that it waits, with no transaction open. */
  isIdle(): boolean;
}

export function followReplies(): ReplyFollower {
  let cancelKey: string | undefined;
  let isIdle = false;
  /** The beginning of a message that is to be read. */
  let kept: Buffer = Buffer.alloc(0);
  /** Bytes of a message of no interest that are still to come. */
  let skip = 0;
  /** Reads a whole message; gives what stands in its place. */
  const read = (message: Buffer): Buffer => {
    const body = message.subarray(HEADER_BYTES);
    if (message[0] === KEY_DATA) cancelKey = body.toString('hex');
    if (message[0] === READY) isIdle = body[0] === IDLE;
    const isFull = message[0] === ERROR && message.includes(LIMIT_REACHED) && message.includes('temp_file_limit');
    return isFull ? errorPacket(...FULL_DISK, 'ERROR') : message;
  };
  const follow = (chunk: Buffer): Buffer => {
    const data = kept.length === 0 ? chunk : Buffer.concat([kept, chunk]);
    const told: Buffer[] = [];
    let at = 0;
    while (at < data.length) {
      const step = Math.min(skip, data.length - at);
      if (step > 0) told.push(data.subarray(at, at + step));
      at += step;
      skip -= step;
      if (at === data.length) break;
      const rest = data.subarray(at);
      const length = rest.length < HEADER_BYTES ? Infinity : 1 + rest.readUInt32BE(1);
      const isRead = length === Infinity || (isInteresting(rest[0]) && length <= MAX_READ_BYTES);
      if (isRead && rest.length < length) break;
      if (isRead) told.push(read(rest.subarray(0, length)));
      if (isRead) at += length;
      else skip = length;
    }
    kept = Buffer.from(data.subarray(at));
    return Buffer.concat(told);
  };
  const asked = (): void => {
    isIdle = false;
  };
  return { follow, asked, cancelKey: () => cancelKey, isIdle: () => isIdle };
}

function isInteresting(type: number | undefined): boolean {
  return type === KEY_DATA || type === READY || type === ERROR;
}
