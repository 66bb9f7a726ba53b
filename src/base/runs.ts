// Long runs of characters in a text, found without looking at most of it.

/** Whether `length` characters in a row are members: of any such run, a look back from each place that could end one is enough. */
export function hasRun(text: string, length: number, isMember: (character: number) => boolean): boolean {
  for (let end = length - 1; end < text.length;) {
    let at = end;
    while (at > end - length && isMember(text.charCodeAt(at))) at--;
    if (at === end - length) return true;
    end = at + length;
  }
  return false;
}

/** A decimal digit. */
export function isDigit(character: number): boolean {
  return character >= 0x30 && character <= 0x39;
}
