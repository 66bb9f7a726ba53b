// Phrases as sentences: a capital at the beginning where the first word is no name, and a full stop at the end.
const PLAIN_WORD = /^[a-z]+(?:[,;:]?$|[,;:]? )/;

/** `cannot be undone` → `Cannot be undone.` */
export function asSentence(text: string): string {
  const begun = PLAIN_WORD.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return /[.:!?…]$/.test(begun) ? begun : `${begun}.`;
}
