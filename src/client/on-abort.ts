// Listening to a signal that serves many at once.
import { setMaxListeners } from 'node:events';

/** Calls `listener` once when the signal is aborted; the returned function takes it back. An aborted signal does not call. */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  // One signal serves a whole run: many listeners at the same time are no leak.
  setMaxListeners(0, signal);
  signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}
