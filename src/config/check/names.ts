// Checks of API names: refused characters, and names that readers would confuse.
import { repeatsIn } from '../../base/group-by.ts';
import type { Report } from '../report.ts';
import { codePoint, show } from '../yaml/show.ts';
import type { Span } from '../yaml/source-tree.ts';

// Controls, bidi controls, zero-width and other invisible characters, line separators, lone surrogates.
const INVISIBLE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e0fff}]|[\ud800-\udfff]/u;

export function nameProblem(name: string): string | null {
  if (name.trim() === '') return 'a name cannot be empty';
  const invisible = INVISIBLE.exec(name);
  if (invisible !== null) return `the name holds the invisible character ${codePoint(invisible[0])}`;
  if (name !== name.trim()) return 'the name begins or ends with a space';
  return null;
}

export function confusableForm(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

export function checkConfusable(names: readonly (readonly [string, { readonly key: Span }])[], report: Report): void {
  for (const [[first, { key }], [name, other]] of repeatsIn(names, ([one]) => confusableForm(one)))
    report.add('confusable_name', `${show(name)} and ${show(first)} look alike`, other.key, {
      hint: 'Names that differ only in case or in the form of their characters are refused: rename one.',
      related: [{ message: `${show(first)} is written here`, span: key }],
    });
}
