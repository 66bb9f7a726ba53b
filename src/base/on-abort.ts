// Listening to a signal that serves many at once: it has one listener of ours, however many wait for it.

interface Listeners {
  readonly waiting: Set<{ readonly call: () => void }>;
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
  const entry = { call: listener };
  listeners.waiting.add(entry);
  return () => {
    if (!listeners.waiting.delete(entry) || listeners.waiting.size > 0 || signal.aborted) return;
    signal.removeEventListener('abort', listeners.tell);
    listening.delete(signal);
  };
}

function listenTo(signal: AbortSignal): Listeners {
  const waiting: Listeners['waiting'] = new Set();
  const tell = (): void => {
    const failures: unknown[] = [];
    for (const { call } of waiting) {
      try {
        call();
      } catch (error) {
        failures.push(error);
      }
    }
    waiting.clear();
    // One that fails keeps none of the others from hearing; then it is an error that nobody caught, as on the signal itself.
    if (failures.length > 0) throw failures[0];
  };
  const listeners: Listeners = { waiting, tell };
  signal.addEventListener('abort', tell, { once: true });
  listening.set(signal, listeners);
  return listeners;
}
