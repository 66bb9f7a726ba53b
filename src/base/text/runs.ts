// Long runs of characters in a text, found without looking at most of it.

/** Characters of ASCII, by their codes: 1 for each that is one of them. */
export type Characters = Uint8Array;

export function charactersWhere(isOne: (character: number) => boolean): Characters {
  return Uint8Array.from({ length: 128 }, (_, character) => (isOne(character) ? 1 : 0));
}

/** True if `text` has `length` of these characters in a row. Only every `length`-th place must be looked at. */
export function hasRun(text: string, length: number, characters: Characters): boolean {
  for (let end = length - 1; end < text.length;) {
    let at = end;
    while (at > end - length && characters[text.charCodeAt(at)] === 1) at--;
    if (at === end - length) return true;
    end = at + length;
  }
  return false;
}

/** A decimal digit. */
export function isDigit(character: number): boolean {
  return character >= 0x30 && character <= 0x39;
}

export const DIGITS: Characters = charactersWhere(isDigit);
