// Waits that an abort ends: many waiters share one listener on a signal, and a line admits them in order.

interface Listeners {
  readonly waiting: Set<{ readonly call: () => void }>;
  readonly tell: () => void;
}

const listening = new WeakMap<AbortSignal, Listeners>();

/**
 * Calls `listener` once when the signal aborts, never if it is aborted already. The returned function removes the listener. A signal
 * searches all its listeners for each new one, so a thousand of them would take a million steps.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) return () => undefined;
  const { waiting, tell } = listening.get(signal) ?? listenTo(signal);
  const entry = { call: listener };
  waiting.add(entry);
  return () => {
    if (!waiting.delete(entry) || waiting.size > 0 || signal.aborted) return;
    signal.removeEventListener('abort', tell);
    listening.delete(signal);
  };
}

function listenTo(signal: AbortSignal): Listeners {
  const waiting: Listeners['waiting'] = new Set();
  const tell = (): void => {
    const failures: unknown[] = [];
    for (const entry of waiting) {
      waiting.delete(entry);
      try {
        entry.call();
      } catch (error) {
        failures.push(error);
      }
    }
    // Every listener is called; then the first failure is thrown, as the signal itself would do.
    if (failures.length > 0) throw failures[0];
  };
  const listeners = { waiting, tell };
  signal.addEventListener('abort', tell, { once: true });
  listening.set(signal, listeners);
  return listeners;
}

/** A line of waiters: the lowest place goes first, then the order of arrival; an abort takes a waiter out. */
export interface Line {
  /** Resolves once admitted. Rejects with the signal's reason. */
  readonly enter: (place: number, signal: AbortSignal) => Promise<void>;
  /** Admits waiters as long as they may enter; called when that may have changed. */
  readonly admit: () => void;
  readonly isEmpty: () => boolean;
}

interface Waiter {
  readonly place: number;
  readonly admit: () => void;
}

/** `mayEnter`: true if the first waiter may enter now · `entered`: called for each waiter that does. */
export function createLine(mayEnter: () => boolean, entered: () => void): Line {
  const line: Waiter[] = [];
  const admit = (): void => {
    while (line.length > 0 && mayEnter()) {
      entered();
      line.shift()?.admit();
    }
  };
  return {
    admit,
    isEmpty: () => line.length === 0,
    async enter(place, signal) {
      signal.throwIfAborted();
      await new Promise<void>((resolve, reject) => {
        const stopListening = onAbort(signal, () => {
          line.splice(line.indexOf(waiter), 1);
          reject(signal.reason as Error);
          admit();
        });
        const waiter: Waiter = {
          place,
          admit: () => {
            stopListening();
            resolve();
          },
        };
        line.splice(line.findLastIndex((one) => one.place <= place) + 1, 0, waiter);
        admit();
      });
    },
  };
}
