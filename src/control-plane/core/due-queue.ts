// A queue of things that fall due: a binary heap ordered by time, then by insertion.

interface Entry<T> {
  readonly atMs: number;
  readonly order: number;
  readonly item: T;
}

/** Items with a due time; the earliest comes out first, equal times in the order they went in. */
export class DueQueue<T> {
  readonly #heap: Entry<T>[] = [];
  #order = 0;

  /** When the earliest item is due, or undefined when there is none. */
  nextMs(): number | undefined {
    return this.#heap[0]?.atMs;
  }

  push(atMs: number, item: T): void {
    const heap = this.#heap;
    heap.push({ atMs, order: this.#order++, item });
    let at = heap.length - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isEarlier(heap[at], heap[parent])) break;
      swap(heap, at, parent);
      at = parent;
    }
  }

  clear(): void {
    this.#heap.length = 0;
  }

  /** Takes the earliest item if it is due at `nowMs`. */
  pop(nowMs: number): { readonly atMs: number; readonly item: T } | undefined {
    const heap = this.#heap;
    const first = heap[0];
    if (first === undefined || first.atMs > nowMs) return undefined;
    const last = heap.pop();
    if (last !== undefined && heap.length > 0) {
      heap[0] = last;
      sink(heap);
    }
    return first;
  }
}

function sink<T>(heap: Entry<T>[]): void {
  let at = 0;
  for (;;) {
    const left = 2 * at + 1;
    const child = isEarlier(heap[left + 1], heap[left]) ? left + 1 : left;
    if (!isEarlier(heap[child], heap[at])) return;
    swap(heap, at, child);
    at = child;
  }
}

function isEarlier<T>(a: Entry<T> | undefined, b: Entry<T> | undefined): boolean {
  if (a === undefined || b === undefined) return a !== undefined;
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
}

function swap<T>(heap: Entry<T>[], a: number, b: number): void {
  const kept = heap[a] as Entry<T>;
  heap[a] = heap[b] as Entry<T>;
  heap[b] = kept;
}
