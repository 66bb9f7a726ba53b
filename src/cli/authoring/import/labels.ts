// Labels for resources with another name, or none: readable, valid, and never alike.
import { confusableForm, nameProblem } from '../../../config/check/names.ts';
import { looksSecret } from '../../../config/yaml/secret-text.ts';
import { writableOf, type KindTraits } from '../../../model/attributes.ts';

/** Taken labels, in a form in which labels that look alike are equal. */
export interface Labels {
  /** A free label, as close to `wantedLabel` as can be, which is then taken; `fallback` where nothing of `wantedLabel` can stand in one. */
  choose(wantedLabel: string, fallback: string): string;
}

/** Names of the file format and of the language that a label cannot be. */
const RESERVED = ['api_keys', '__proto__'];
const MOST_CHARACTERS = 56;

export function openLabels(taken: Iterable<string>): Labels {
  const forms = new Set([...RESERVED, ...taken].map(confusableForm));
  const counters = new Map<string, number>();
  return {
    choose(wantedLabel, fallback) {
      const slug = slugOf(wantedLabel);
      const stem = slug === '' || looksSecret(slug) ? fallback : slug;
      // `replica-1` goes on as `replica-2`.
      const [, root = stem, digits] = /^(.*?)-([0-9]{1,6})$/.exec(stem) ?? [];
      let next = counters.get(root) ?? (digits === undefined ? 2 : Number(digits) + 1);
      let label = stem;
      while (forms.has(confusableForm(label))) label = `${root.slice(0, MOST_CHARACTERS)}-${next++}`;
      counters.set(root, next);
      forms.add(confusableForm(label));
      return label;
    },
  };
}

/** True where the key of an entry is its name in the API, because a file writes that name nowhere else. Other keys are labels. */
export function isKeyed(kind: KindTraits): boolean {
  return kind.key !== undefined && !writableOf(kind).includes(kind.key);
}

/** The letters, digits, `.`, `_` and `-` of a name, with one `-` for each run of other characters. */
function slugOf(name: string): string {
  if (/^[A-Za-z0-9._-]{1,64}$/.test(name)) return name;
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '');
  const slug = plain.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, MOST_CHARACTERS);
  return slug.replace(/^[-.]+|[-.]+$/g, '');
}

/** True for a text that a file can hold as a name. */
export function isWritableName(name: string, maxLength: number): boolean {
  return nameProblem(name) === null && name.length <= maxLength && !looksSecret(name);
}
