// Listening to a signal that serves many at once: it has one listener of ours, however many wait for it.

/** A listener in a linked list; it links to itself after it was called or removed. */
interface Entry {
  readonly call: () => void;
  previous: Entry | null;
  next: Entry | null;
  isWaiting: boolean;
}

interface Listeners {
  first: Entry | null;
  last: Entry | null;
  readonly tell: () => void;
}

const listening = new WeakMap<AbortSignal, Listeners>();

/**
 * Calls `listener` once when the signal is aborted; the returned function takes it back. An aborted signal does not call.
 * The signal itself looks through all its listeners for each new one: a thousand of them would cost a million steps.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) return () => undefined;
  const listeners = listening.get(signal) ?? listenTo(signal);
  const entry: Entry = { call: listener, previous: listeners.last, next: null, isWaiting: true };
  if (listeners.last === null) listeners.first = entry;
  else listeners.last.next = entry;
  listeners.last = entry;
  return () => {
    if (!entry.isWaiting) return;
    takeOut(listeners, entry);
    if (listeners.first !== null || signal.aborted) return;
    signal.removeEventListener('abort', listeners.tell);
    listening.delete(signal);
  };
}

/** The entry keeps no hold on the others: what has survived a collection would keep all that came after it, dead or not. */
function takeOut(listeners: Listeners, entry: Entry): void {
  const { previous, next } = entry;
  if (previous === null) listeners.first = next;
  else previous.next = next;
  if (next === null) listeners.last = previous;
  else next.previous = previous;
  entry.previous = null;
  entry.next = null;
  entry.isWaiting = false;
}

function listenTo(signal: AbortSignal): Listeners {
  const tell = (): void => {
    const failures: unknown[] = [];
    for (let entry = listeners.first; entry !== null; entry = listeners.first) {
      takeOut(listeners, entry);
      try {
        entry.call();
      } catch (error) {
        failures.push(error);
      }
    }
    // Every listener is called; then the first failure is thrown, as the signal itself would do.
    if (failures.length > 0) throw failures[0];
  };
  const listeners: Listeners = { first: null, last: null, tell };
  signal.addEventListener('abort', tell, { once: true });
  listening.set(signal, listeners);
  return listeners;
}
