// Renders the old and the new value of a change so that their difference is visible.
import { diffArrays } from 'diff';
import { canonicalJson, isJsonArray, type Json } from '../../base/json.ts';
import { shown, valueText } from './escape.ts';

type Sides = readonly [before: string, after: string];

/** From this number on, unchanged entries in a row are counted and not listed. */
const COUNTED_FROM = 4;
/** Lists with more differences are shown whole. */
const MAX_EDITS = 1000;

/** Both values as `valueText` shows them. Lists count the entries that both have: `["198.51.100.7",…11 unchanged]`. */
export function sidesText(
  before: Json,
  after: Json,
  maxLength: number,
  names?: Readonly<Record<string, string>>,
): Sides {
  const whole: Sides = [valueText(before, maxLength, names), valueText(after, maxLength, names)];
  if (!isJsonArray(before) || !isJsonArray(after)) return whole;
  const parts = diffArrays(before.map(canonicalJson), after.map(canonicalJson), { maxEditLength: MAX_EDITS });
  if (parts === undefined) return whole;
  const side = (others: 'added' | 'removed'): string => {
    const own = parts.filter((part) => !part[others]);
    const texts = own.map(({ added, removed, value }) =>
      added || removed || value.length < COUNTED_FROM ? value.join(',') : `…${value.length} unchanged`,
    );
    return shown(`[${texts.join(',')}]`, maxLength);
  };
  return [side('added'), side('removed')];
}
