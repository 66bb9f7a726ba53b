// Small helpers for sentences: suggestions for misspelt words, plurals, lists and sizes.

/** The most pairs of characters compared for one suggestion: enough for several hundred candidates of similar length. */
const MOST_PAIRS = 200_000;
/** Only this many characters of a word are compared. */
const LONGEST = 64;

/** Returns the closest candidate to a misspelt `word`, else the only one that begins or ends with `word`. Stops after `MOST_PAIRS` comparisons. */
export function didYouMean(word: string, candidates: Iterable<string>): string | undefined {
  let limit = Math.max(1, Math.floor(word.length / 3));
  const lengths = limit;
  const wanted = word.slice(0, LONGEST).toLowerCase();
  let best: string | undefined;
  const longer: string[] = [];
  let pairs = 0;
  for (const candidate of candidates) {
    if (++pairs > MOST_PAIRS) break;
    if (isPartOf(wanted, candidate)) longer.push(candidate);
    if (Math.abs(candidate.length - word.length) > lengths) continue;
    const other = candidate.slice(0, LONGEST).toLowerCase();
    pairs += wanted.length * other.length;
    const distance = editDistance(wanted, other);
    if (distance > limit) continue;
    best = candidate;
    limit = distance - 1;
    if (distance === 0) break;
  }
  return best ?? (longer.length === 1 ? longer[0] : undefined);
}

const LEAST_PART = 4;

/** True if `whole` begins or ends with the words `part`, as `autoscaling_limit_min_cu` ends with `min_cu`. */
function isPartOf(part: string, whole: string): boolean {
  if (part.length < LEAST_PART || whole.length <= part.length || whole.length > LONGEST) return false;
  const text = whole.toLowerCase();
  return text.startsWith(`${part}_`) || text.endsWith(`_${part}`);
}

/** Counts the edits (insert, delete, replace, swap of neighbours) that turn `left` into `right`. */
function editDistance(left: string, right: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1];
      let cost = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1])
        cost = Math.min(cost, (beforePrevious[column - 2] ?? 0) + 1);
      current.push(cost);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[right.length] ?? 0;
}

export function nearHint<T>(
  word: string,
  candidates: Iterable<string>,
  otherwise: T,
  form: (near: string) => string = (near) => near,
): string | T {
  const near = didYouMean(word, candidates);
  return near === undefined ? otherwise : `Did you mean ${form(near)}?`;
}

export function plural(count: number, noun: string, nouns: string = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : nouns}`;
}

export function listOf(items: readonly string[], conjunction: string = 'and'): string {
  if (items.length < 2) return items[0] ?? '';
  return `${items.slice(0, -1).join(', ')} ${conjunction} ${items.at(-1)}`;
}

export function listOfFirst(items: readonly string[], most: number): string {
  const rest = items.length - most;
  return listOf(rest > 0 ? [...items.slice(0, most), `${rest} more`] : items);
}

export function bytesWords(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let size = bytes;
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit++;
  }
  return `${unit === 0 ? size : Number(size.toPrecision(2))} ${units[unit] ?? 'B'}`;
}
