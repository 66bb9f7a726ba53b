// Runs a function over many items, so many at a time, and keeps their order; and gives up together what was begun together.
import { setMaxListeners } from 'node:events';
import { onAbort } from '../base/time/on-abort.ts';

/** Results in the order of `items`. The first rejection ends it; what has begun is not waited for. */
export async function inParallel<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const at = next++;
      results[at] = await work(items[at] as T);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return results;
}

/** Runs `work` with a signal that is aborted with `signal`, and when the work fails: nothing that it began goes on after it. */
export async function givenUpTogether<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const either = new AbortController();
  setMaxListeners(0, either.signal);
  const stopListening = onAbort(signal, () => either.abort(signal.reason));
  if (signal.aborted) either.abort(signal.reason);
  try {
    return await work(either.signal);
  } catch (error) {
    either.abort(error);
    throw error;
  } finally {
    stopListening();
  }
}
