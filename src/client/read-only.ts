// The client for those who only look: it has nothing to write with.
import type { Reader } from './types.ts';

/** The reading half of a client and nothing else of it. */
export function readerOf(client: Reader): Reader {
  return Object.freeze({ get: client.get.bind(client) });
}
