// The effects of a change on clients and access, in words and numbers, and the reasons for the change.
import { isJsonObject, type Json } from '../../base/json.ts';
import { listOf } from '../../base/text/words.ts';
import { IMPACTS, traitsOf, type Impact } from '../../model/outcome/impact.ts';
import type { Change } from '../../model/outcome/plan.ts';
import { sentence, shown, asSentence, valueText } from '../text/escape.ts';

const OUTAGES: readonly Impact[] = IMPACTS.filter((word) => traitsOf(word)?.outage !== undefined);

function isOutage(word: Impact): boolean {
  return OUTAGES.includes(word);
}

export function impactWords(change: Pick<Change, 'impact' | 'impactDetails'>): string[] {
  return [...outageWords(change), ...effectWords(change), ...sentenceWords(change), ...numberWords(change)];
}

/** The effects in sentences; `areOutagesApart` omits outages that have a section of their own. */
export function effectSentences(change: Change, areOutagesApart: boolean): string[] {
  const numbers = numberWords(change).join(', ');
  const outages = outageWords(change, (word) => !areOutagesApart || traitsOf(word)?.outage === 'with_change');
  const all = [...outages, ...sentenceWords(change), ...effectWords(change), numbers];
  return all.filter((words) => words !== '').map(asSentence);
}

function wordsFor(impact: Impact): string {
  return traitsOf(impact)?.words ?? shown(impact, 40).replaceAll('_', ' ');
}

export function outageWords(
  change: Pick<Change, 'impact' | 'impactDetails'>,
  isMeant: (word: Impact) => boolean = () => true,
): string[] {
  return OUTAGES.filter((word) => change.impact.includes(word) && isMeant(word)).map((word) => {
    const words = wordsIn(change.impactDetails[word]);
    return words === null ? wordsFor(word) : shown(words, 400);
  });
}

export function outageNames({ impact }: Pick<Change, 'impact'>): string[] {
  return OUTAGES.filter((word) => impact.includes(word)).map(wordsFor);
}

/** The outages that these changes cause: lasting ones first, then short ones. Network access is shown with its change instead. */
export function outagesOf(changes: readonly Change[]): readonly { readonly change: Change; readonly words: string }[] {
  const rows = OUTAGES.filter((word) => traitsOf(word)?.outage === 'alone').flatMap((word) =>
    changes.flatMap((change) =>
      outageWords({ impact: change.impact.filter((one) => one === word), impactDetails: change.impactDetails }).map(
        (words) => ({
          change,
          words,
          rank: OUTAGES.indexOf(word) + (endsByItself(change.impactDetails[word]) ? 0.5 : 0),
        }),
      ),
    ),
  );
  return rows.sort((a, b) => a.rank - b.rank);
}

function endsByItself(detail: Json | undefined): boolean {
  return isJsonObject(detail) && typeof detail['until'] === 'string';
}

function wordsIn(detail: Json | undefined): string | null {
  const words = isJsonObject(detail) ? detail['words'] : undefined;
  return typeof words === 'string' ? words : null;
}

export function effectWords(change: Pick<Change, 'impact' | 'impactDetails'>): string[] {
  const others = change.impact.filter((impact) => traitsOf(impact) === undefined);
  return [...IMPACTS, ...others]
    .filter(
      (impact) =>
        impact !== 'none' &&
        change.impact.includes(impact) &&
        !isOutage(impact) &&
        !Object.hasOwn(change.impactDetails, impact),
    )
    .map(wordsFor);
}

export function sentenceWords({ impactDetails }: Pick<Change, 'impactDetails'>): string[] {
  return Object.entries(impactDetails).flatMap(([key, detail]) => {
    const words = isOutage(key) ? null : wordsIn(detail);
    return words === null ? [] : [shown(words, 400)];
  });
}

export function numberWords(change: Pick<Change, 'impactDetails'>): string[] {
  return Object.entries(change.impactDetails).flatMap(([key, value]) =>
    wordsIn(value) === null ? [detailWords(key, value)] : [],
  );
}

/** A number of the impact: `cache 12 → 24 GB`, `RAM 4 → 8 GB`. */
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

/** True when the change disconnects clients or removes something for good. */
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
