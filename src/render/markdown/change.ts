// Changes as lines of a `diff` block: the sign stands in the first column, where readers of patches look for it.
import { tallyOf } from '../../model/outcome/event.ts';
import type { Change } from '../../model/outcome/plan.ts';
import { differencesOf } from '../view/differences.ts';
import { consentWords } from '../messages/consents.ts';
import { impactWords, reasonWords } from '../messages/impacts.ts';
import { groupAlike, otherwiseNamed, restarts } from '../view/plan-rows.ts';
import { ACTION_SYMBOLS } from '../text/style.ts';
import { actionWords } from './danger.ts';
import { nameText, sentence, shown } from '../text/escape.ts';
import { valueText } from '../text/value.ts';

/** All changes of one fence; alike ones share their details. `context`: lines around nested differences; null leaves differences out. */
export function diffLines(changes: readonly Change[], context: number | null): string[] {
  return groupAlike(changes).flatMap((group) => [
    ...group.map(headLine),
    ...(context === null ? [] : detailLines(group[0], context)),
  ]);
}

/** `! …` for what restarts (patches paint it orange); otherwise the plan's own symbol. */
function headLine(change: Change): string {
  const symbol = restarts(change) ? '!' : ACTION_SYMBOLS[tallyOf(change)];
  const id = otherwiseNamed(change) || (change.resourceId === null ? '' : nameText(change.resourceId, 80));
  const match = change.matchedBy === '' ? '' : ` (${sentence(change.matchedBy)})`;
  const sinks = (change.sinks ?? []).map((sink) => ` → ${sentence(sink)}`).join('');
  return `${symbol} ${nameText(change.address)} ${actionWords(change)}${id === '' ? '' : ` ${id}`}${match}${sinks}`;
}

function detailLines(change: Change, context: number): string[] {
  const { rows, nested } = differencesOf(change, context);
  const impact = impactWords(change);
  return [
    ...rows.flatMap((row) => [
      ...(row.isMade ? [] : [`-     ${shown(row.path, 100)}: ${valueText(row.before)}`]),
      `+     ${shown(row.path, 100)}: ${valueText(row.after)}${row.layer === '' ? '' : `  (${row.layer})`}`,
    ]),
    ...nested.flatMap(({ root, lines }) => [
      `      ${shown(root)}:`,
      ...lines.map(({ sign, text }) => `${sign}       ${shown(text)}`),
    ]),
    ...(impact.length === 0 ? [] : [`#     impact: ${impact.join('; ')}`]),
    ...consentWords(change).map((words) => `#     consent: ${words}`),
    ...change.notes.map((note) => `#     note: ${sentence(note)}`),
    ...change.reasons.map((reason) => `#     because: ${reasonWords(change, reason)}`),
  ];
}
