// Lets many waiters share one listener on an abort signal, so that adding a waiter stays cheap.

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
