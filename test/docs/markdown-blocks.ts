// The fenced code blocks of a document.

export interface Block {
  readonly language: string;
  /** What stands after the language: the name of a file. */
  readonly name: string;
  readonly body: string;
  /** With its fences. */
  readonly whole: string;
}

/** In order; a block within a block is part of its text. */
export function blocksOf(text: string): readonly Block[] {
  return [...text.matchAll(/^(`{3,})(\S+)(?: (\S+))?\n([\s\S]*?)^\1$/gm)].map(
    ([whole, , language = '', name = '', body = '']) => ({ language, name, body, whole }),
  );
}
