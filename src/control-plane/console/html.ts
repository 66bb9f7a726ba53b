// HTML as a value: a tagged template that escapes whatever is put into it, so that a hostile name stays text.
import { inert } from '../../base/inert.ts';
import { escapeMarkup } from '../../base/markup.ts';

/** Markup known to be safe. Only `html` makes it, and nothing that came from outside can pass for it. */
export class Markup {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

export type Part = string | number | Markup | readonly Markup[] | null;

const MAX_TEXT = 500;

/** Text and numbers are made inert and escaped, `Markup` goes in as it is, `null` as nothing. */
export function html(literals: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let text = literals[0] ?? '';
  parts.forEach((part, at) => {
    text += textOf(part) + (literals[at + 1] ?? '');
  });
  return new Markup(text);
}

function textOf(part: Part): string {
  if (part === null) return '';
  if (part instanceof Markup) return part.toString();
  if (Array.isArray(part)) return (part as readonly Markup[]).map(textOf).join('');
  return escapeMarkup(inert(String(part), MAX_TEXT));
}
