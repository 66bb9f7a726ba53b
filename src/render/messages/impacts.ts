// Describes the effects of a change on clients and access, and the reasons for the change.
import { isJsonObject, objectOf, type Json } from '../../base/json.ts';
import { listOf } from '../../base/text/words.ts';
import type { ImpactTraits } from '../../model/generated/impacts.ts';
import { IMPACTS, traitsOf, type Impact } from '../../model/outcome/impact.ts';
import type { Change } from '../../model/outcome/plan.ts';
import { sentence, shown, valueText } from '../text/escape.ts';

type Impacts = Pick<Change, 'impact' | 'impactDetails'>;

interface Effect {
  readonly words: string;
  /** The fixed words for the impact; absent if the text comes from outside. */
  readonly name?: string | undefined;
  readonly outage?: ImpactTraits['outage'] | undefined;
}

/** The effects of a change: outages first, then other effects with words of their own, with fixed words, and with numbers. */
export function effectsIn({ impact, impactDetails }: Impacts): readonly Effect[] {
  const others = impact.filter((word) => word !== 'none' && !IMPACTS.includes(word));
  const known = IMPACTS.filter((word) => word !== 'none' && impact.includes(word));
  const outages = known.filter(isOutage).map((word) => {
    const [name, own] = [wordsFor(word), wordsIn(impactDetails[word])];
    return { name, words: own ?? name, outage: traitsOf(word)?.outage };
  });
  const details = Object.entries(impactDetails);
  const numbers = details.flatMap(([key, value]) => (wordsIn(value) === null ? [detailWords(key, value)] : []));
  return [
    ...outages,
    ...details.flatMap(([key, value]) => (isOutage(key) ? [] : (wordsIn(value) ?? []))).map((words) => ({ words })),
    ...[...known, ...others]
      .filter((word) => !isOutage(word) && !Object.hasOwn(impactDetails, word))
      .map((word) => ({ name: traitsOf(word)?.words, words: wordsFor(word) })),
    ...(numbers.length === 0 ? [] : [{ words: numbers.join(', ') }]),
  ];
}

export function impactWords(change: Impacts): string[] {
  return effectsIn(change).map(({ words }) => words);
}

/** The outages of these changes, the worst first. Omits changes of access, whose effect is shown with the change. */
export function outagesOf(changes: readonly Change[]): readonly { readonly change: Change; readonly words: string }[] {
  const rows = IMPACTS.filter((word) => traitsOf(word)?.outage === 'alone').flatMap((word, at) =>
    changes
      .filter(({ impact }) => impact.includes(word))
      .map((change) => {
        const detail = change.impactDetails[word];
        const endsByItself = typeof objectOf(detail)['until'] === 'string';
        return { change, words: wordsIn(detail) ?? wordsFor(word), rank: at + (endsByItself ? 0.5 : 0) };
      }),
  );
  return rows.sort((a, b) => a.rank - b.rank);
}

function isOutage(word: Impact): boolean {
  return traitsOf(word)?.outage !== undefined;
}

function wordsFor(impact: Impact): string {
  return traitsOf(impact)?.words ?? shown(impact, 40).replaceAll('_', ' ');
}

/** The words that a change itself has for an impact; null without such words. */
function wordsIn(detail: Json | undefined): string | null {
  const { words } = objectOf(detail);
  return typeof words === 'string' ? shown(words, 400) : null;
}

/** A number that the impact changes: `cache 12 → 24 GB`, `RAM 4 → 8 GB`. */
function detailWords(key: string, value: Json): string {
  const gigabytes = key.endsWith('_gb');
  const name = (gigabytes ? key.slice(0, -3) : key).replaceAll('_', ' ').replace(/^ram$/, 'RAM');
  return `${shown(name, 60)} ${sides(value)}${gigabytes ? ' GB' : ''}`;
}

function sides(value: Json): string {
  if (isJsonObject(value) && Object.hasOwn(value, 'before') && Object.hasOwn(value, 'after')) {
    const { before, after } = value;
    return `${before === null ? 'unknown' : valueText(before)} → ${after === null ? 'unknown' : valueText(after)}`;
  }
  return valueText(value);
}

/** True for a removal, a restart, a change with consents, and a change with a dangerous effect. */
export function isDangerous(change: Change): boolean {
  if (change.action === 'delete' || change.action === 'replace' || change.action === 'revoke') return true;
  if (change.action === 'restart' || (change.consents ?? []).length > 0) return true;
  return change.impact.some((impact) => traitsOf(impact)?.isDangerous === true);
}

export function reasonWords(change: Change, reason: string): string {
  switch (reason) {
    case 'replace_because_cannot_update':
      return `${listOf(change.replacePaths.map((path) => shown(path, 100)))} cannot be changed in place`;
    case 'last_operation_failed':
      return 'the last change of the resource failed at the service (last_operation_failed)';
    default:
      return sentence(reason);
  }
}
