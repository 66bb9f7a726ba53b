// A change, or a group of similar changes, in a form that every renderer prints: first lines, differences, notes.
import { IMPACTS, traitsOf } from '../../model/outcome/impact.ts';
import { type Change, tallyOf } from '../../model/outcome/plan.ts';
import { consentWords } from '../messages/blocks.ts';
import { effectsIn, isDangerous, reasonWords } from '../messages/impacts.ts';
import { nameText, sentence, shown, asSentence } from '../text/escape.ts';
import { ACTIONS } from '../text/style.ts';
import { groupAlike, otherwiseNamed, restarts } from '../view/plan-rows.ts';
import { differencesOf, isCreation, type Names } from './differences.ts';
import { line, type ChangeView, type Head, type Line } from './report.ts';

type Group = readonly [Change, ...Change[]];

export interface ViewOptions {
  readonly names: Names;
  /** `apart`: outages are in a section of their own. `none`: the lines of `more` describe the effects. */
  readonly effects: 'all' | 'apart' | 'none';
  readonly more?: (group: Group) => readonly Line[];
}

export function changeViews(changes: readonly Change[], options: ViewOptions): ChangeView[] {
  return groupAlike(changes).map((group) => viewOf(group, options));
}

function viewOf(group: Group, { names, effects: wanted, more }: ViewOptions): ChangeView {
  const [change] = group;
  const effects = wanted === 'none' ? [] : effectsOf(change, wanted === 'apart');
  const notes = change.notes.map((note) => asSentence(sentence(note)));
  // A single note is in one paragraph with the effects; several notes get a paragraph each.
  const paragraphs = notes.length > 1 ? [effects.join(' '), ...notes] : [[...effects, ...notes].join(' ')];
  const tone = isDangerous(change) ? 'bad' : 'plain';
  return {
    group,
    heads: group.map(headOf),
    hasBefore: !isCreation(change),
    rows: differencesOf(change, names),
    lines: [
      ...(change.sinks ?? []).map((sink) => line(`→ ${sentence(sink)}`)),
      ...paragraphs.flatMap((text) => (text === '' ? [] : [line(text, { tone })])),
      ...circumstances(change),
      ...(more?.(group) ?? []),
      ...group.flatMap((one) => originLines(one, group.length > 1)),
    ],
  };
}

function headOf(change: Change): Head {
  const { address, resourceId } = change;
  return {
    symbol: ACTIONS[tallyOf(change)].symbol,
    address: nameText(address),
    deed: deedOf(change),
    worst: worstOf(change),
    what: otherwiseNamed(change) || (resourceId === null ? '' : nameText(resourceId, 80)),
  };
}

export function effectsOf(change: Change, areOutagesApart: boolean): string[] {
  const worst = worstImpact(change);
  const isSaid =
    worst !== undefined && traitsOf(worst)?.headline === worstOf(change) && change.impactDetails[worst] === undefined;
  const rest = isSaid ? { ...change, impact: change.impact.filter((word) => word !== worst) } : change;
  const effects = effectsIn(rest).filter(({ outage }) => !areOutagesApart || outage !== 'alone');
  return effects.map(({ words }) => asSentence(words));
}

function worstImpact({ impact }: Change): string | undefined {
  return IMPACTS.find((word) => impact.includes(word) && traitsOf(word)?.headline !== undefined);
}

export function deedOf(change: Change): string {
  const worst = worstOf(change);
  return worst === '' ? change.action : `${change.action}, ${worst}`;
}

/** The worst effect of a change on clients or data: `RESTARTS`, `DELETES DATA`. */
function worstOf(change: Change): string {
  const worst = worstImpact(change);
  if (worst === undefined) return '';
  const isRestart = traitsOf(worst)?.isDisruptive === true && change.action !== 'restart' && restarts(change);
  return isRestart ? 'RESTARTS' : (traitsOf(worst)?.headline ?? '');
}

/** Reasons that the symbol or the differences already show, so that brief reports omit them. */
const PLAIN_REASONS: ReadonlySet<string> = new Set([
  'attributes differ',
  'the file moves the resource',
  'the resource does not exist',
  'no file lists the resource',
  'state: absent',
]);

/** The match, the reasons and the consents of a change. Brief reports omit consents, and usual matches and reasons. */
function circumstances(change: Change): Line[] {
  const { action, matchedBy, pinned, reasons, due } = change;
  const isMatchPlain = pinned !== false && (action !== 'move' || matchedBy === 'pinned id');
  const because = (due ? [] : reasons).map((reason) =>
    line(asSentence(reasonWords(change, reason)), { tone: 'faint', isDetail: PLAIN_REASONS.has(reason) }),
  );
  return [
    ...(matchedBy === '' || change.resourceId === null
      ? []
      : [line(`Matched by: ${sentence(matchedBy)}.`, { tone: 'faint', isDetail: isMatchPlain })]),
    ...because,
    ...consentWords(change).map((words) => line(`Consent: ${words}.`, { tone: 'faint', isDetail: true })),
  ];
}

function originLines(change: Change, isNamed: boolean): Line[] {
  const { source, origin, lastOperation, changedAt } = change;
  const parts = [
    source === null ? '' : `from ${nameText(source.file)}:${source.start.line} (${shown(origin)})`,
    lastOperation === null
      ? ''
      : `last operation ${shown(lastOperation.action)} ${shown(lastOperation.id)}${lastOperation.at === null ? '' : ` at ${shown(lastOperation.at)}`}`,
    changedAt === undefined ? '' : `last changed ${shown(changedAt)}; no operation recorded`,
  ].filter((part) => part !== '');
  const label = isNamed ? nameText(change.address) : '';
  return parts.map((text) => line(asSentence(text), { label, tone: 'faint', isDetail: true }));
}
