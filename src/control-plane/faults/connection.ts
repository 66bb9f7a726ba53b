// Simulates connections that break before the client has a whole reply, or that are very slow.
import type { Clock } from '../../base/time/clock.ts';
import type { ExchangeFault } from './plan.ts';

/** Simulates a broken connection in process: `handle` rejects with this error, or the body's stream fails with it. */
export class ConnectionFault extends Error {
  readonly kind: ExchangeFault['kind'];
  readonly code: 'ECONNREFUSED' | 'ECONNRESET';
  /** True when bytes of the request were sent; when false, the request was certainly not processed. */
  readonly sent: boolean;

  constructor(kind: ExchangeFault['kind']) {
    const refused = kind === 'before-connect';
    super(refused ? 'connection refused' : `connection reset (${kind})`);
    this.name = 'ConnectionFault';
    this.kind = kind;
    this.code = refused ? 'ECONNREFUSED' : 'ECONNRESET';
    this.sent = kind !== 'before-connect' && kind !== 'before-send';
  }
}

type Bytes = string | Uint8Array | null;

/** Sends half of the body or all of it, then breaks the connection: by `hangUp` if given, else by a stream error. */
export function brokenBody(
  body: Bytes,
  at: 'half' | 'end',
  hangUp: (() => void) | undefined,
): ReadableStream<Uint8Array> {
  const bytes = bytesOf(body);
  let begun = false;
  return new ReadableStream({
    pull(controller) {
      if (begun) return hangUp === undefined ? controller.error(new ConnectionFault('mid-body')) : hangUp();
      begun = true;
      controller.enqueue(at === 'end' ? bytes : bytes.subarray(0, Math.max(1, bytes.length >> 1)));
    },
  });
}

export function trickledBody(
  body: Bytes,
  pace: { readonly bytes: number; readonly everyMs: number },
  clock: Clock,
): ReadableStream<Uint8Array> {
  const bytes = bytesOf(body);
  const stop = new AbortController();
  let at = 0;
  return new ReadableStream({
    async pull(controller) {
      if (at >= bytes.length) return controller.close();
      await clock.sleep(pace.everyMs, stop.signal);
      controller.enqueue(bytes.subarray(at, at + pace.bytes));
      at += pace.bytes;
    },
    cancel() {
      stop.abort();
    },
  });
}

function bytesOf(body: Bytes): Uint8Array {
  if (body === null) return new Uint8Array([0x7b]);
  return typeof body === 'string' ? new TextEncoder().encode(body) : body;
}
