// A line of waiters: the lowest place goes first, then the order of arrival; an abort takes a waiter out.
import { onAbort } from './on-abort.ts';

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
