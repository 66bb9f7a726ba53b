// Bodies that do not arrive as they should: cut in the middle, or a few bytes at a time.
import type { Clock } from '../../base/clock.ts';
import { ConnectionFault } from './connection-fault.ts';

type Bytes = string | Uint8Array | null;

/** The body up to its half or its end, then the connection ends before the end is told: by `hangUp` where there is a socket, else as an error of the stream. */
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

/** The whole body, `bytes` bytes every `everyMs`. */
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
