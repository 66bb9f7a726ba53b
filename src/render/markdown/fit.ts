// Choosing the fullest rendering that stays within a limit of characters.

/** The first of the renderings, from fullest to barest, that fits; the barest when none does. */
export function firstThatFits(renderings: readonly (() => string)[], maxChars: number): string {
  let text = '';
  for (const rendering of renderings) {
    text = rendering();
    if (text.length <= maxChars) return text;
  }
  return text;
}

/** The text with the most items (at most `most`) that fits; `make(0)` when not even one does. Longer for every item more. */
export function mostThatFit(make: (items: number) => string, most: number, maxChars: number): string {
  let low = 0;
  let high = most;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (make(middle).length <= maxChars) low = middle;
    else high = middle - 1;
  }
  return make(low);
}
