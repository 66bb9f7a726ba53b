// Follows what a Postgres sends, message by message, without holding it up: the key that cancels, and whether a query is under way.

const HEADER_BYTES = 5;
const KEY_DATA = 'K'.charCodeAt(0);
const READY = 'Z'.charCodeAt(0);
const IDLE = 'I'.charCodeAt(0);
/** Messages that are read are never longer. */
const MAX_READ_BYTES = 300;

/** What the messages so far have told. */
export interface ReplyFollower {
  follow(chunk: Buffer): void;
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
  let kept: Buffer = Buffer.alloc(0);
  /** Bytes of a message of no interest that are still to come. */
  let skip = 0;
  const read = (type: number, body: Buffer): void => {
    if (type === KEY_DATA) cancelKey = body.toString('hex');
    else isIdle = body[0] === IDLE;
  };
  const follow = (chunk: Buffer): void => {
    const data = kept.length === 0 ? chunk : Buffer.concat([kept, chunk]);
    kept = Buffer.alloc(0);
    let at = 0;
    for (;;) {
      const step = Math.min(skip, data.length - at);
      at += step;
      skip -= step;
      if (skip > 0 || at === data.length) return;
      const length = data.length - at < HEADER_BYTES ? Infinity : 1 + data.readUInt32BE(at + 1);
      const type = data[at] ?? 0;
      const isRead = length === Infinity || ((type === KEY_DATA || type === READY) && length <= MAX_READ_BYTES);
      if (!isRead) skip = length;
      else if (data.length - at < length) {
        kept = Buffer.from(data.subarray(at));
        return;
      } else {
        read(type, data.subarray(at + HEADER_BYTES, at + length));
        at += length;
      }
    }
  };
  const asked = (): void => {
    isIdle = false;
  };
  return { follow, asked, cancelKey: () => cancelKey, isIdle: () => isIdle };
}
