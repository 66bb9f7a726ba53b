// A text as one word of a shell's command line.

/** Quotes the text if needed, so that the shell gives none of its characters a meaning. */
export function shellWord(text: string): string {
  return /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
