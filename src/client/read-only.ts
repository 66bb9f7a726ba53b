// The client for those who only look: it cannot write, and neither can anything beneath it.
import { assert } from '../base/assert.ts';
import type { Reader, Send } from './types.ts';

/** The reading half of a client and nothing else of it. */
export function readerOf(client: Reader): Reader {
  return Object.freeze({ get: client.get.bind(client) });
}

/** A transport that lets nothing but GET through. */
export function readOnlySend(send: Send): Send {
  return async (request) => {
    assert(request.method === 'GET', `${request.method} ${request.path} in a run that only reads`);
    return send(request);
  };
}
