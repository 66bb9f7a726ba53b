// HTML as a value: a tagged template that escapes whatever is put into it.
import { escapeMarkup } from '../../base/text/inert.ts';
import { shown } from '../text/escape.ts';

/** Markup that is known to be safe; only this module makes it. */
export interface Markup {
  readonly markup: string;
}

type Part = string | number | Markup | readonly Markup[] | null;

/** Text and numbers are made inert and escaped; `Markup` goes in as it is, `null` as nothing. */
export function html(literals: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let markup = literals[0] ?? '';
  parts.forEach((part, at) => {
    markup += partMarkup(part) + (literals[at + 1] ?? '');
  });
  return { markup };
}

function partMarkup(part: Part): string {
  if (part === null) return '';
  if (typeof part === 'object')
    return Array.isArray(part) ? joined(part as readonly Markup[]) : (part as Markup).markup;
  return escapeMarkup(shown(String(part), 1000));
}

function joined(parts: readonly Markup[]): string {
  return parts.map(({ markup }) => markup).join('');
}
