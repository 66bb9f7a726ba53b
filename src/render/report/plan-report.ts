// Makes the report of a plan: what an apply does, what is blocked, held or due, and the comparison with other files.
import { groupBy } from '../../base/group-by.ts';
import { compareText } from '../../base/json.ts';
import { roundsOf } from '../../base/rounds.ts';
import type { Comparison } from '../../model/outcome/guard.ts';
import type { Change, ExceededLimit, Plan } from '../../model/outcome/plan.ts';
import { blockLine, blockWords, limitSentence } from '../messages/blocks.ts';
import { outagesOf } from '../messages/impacts.ts';
import { UPKEEP_TITLE, upkeepDeed, upkeepWhy } from '../messages/events.ts';
import { dangerSentence, gapSentences, verdictLine } from '../messages/problems.ts';
import { nameText, sentence, shown } from '../text/escape.ts';
import { heldTexts } from '../view/findings.ts';
import { guardTexts, guardChangeGroups, guardChangeTexts } from '../view/guard-texts.ts';
import { contextRows, type PlanContext, planRows, unplannedWords, type PlanRows } from '../view/plan-rows.ts';
import { changeViews } from './change-view.ts';
import type { Names } from './differences.ts';
import { item, line, reportOf, section, type Item, type Line, type Report, type Section } from './report.ts';
import { plural } from '../../base/text/words.ts';

/** With `comparison`, separates changes that these files cause from changes that were already pending. */
export function planReport(plan: Plan, context: PlanContext, comparison: Comparison | null = null): Report {
  const rows = planRows(plan);
  const names = plan.names ?? {};
  return reportOf('plan', line(verdictLine(rows), { tone: rows.inSync ? 'good' : 'plain' }), {
    context: contextRows(plan, context),
    sections: [
      ...(comparison === null
        ? [section('', { changes: changeViews(rows.changes, { names, effects: 'apart' }), isReviewed: true })]
        : comparedSections(rows, comparison, names)),
      section(UPKEEP_TITLE, {
        items: rows.upkeep.map((one) => item(`${upkeepDeed(one)}: ${upkeepWhy(one)}`, one.address)),
      }),
      ...blockedSections(rows, names),
      section('Held', {
        items: rows.held.flatMap((one) => heldTexts(one).map((text) => item(text, one.address))),
      }),
      section('Due', {
        changes: changeViews(rows.due, {
          names,
          effects: 'all',
          more: ([{ reasons }]) => [
            line(`${reasons.map(sentence).join('; ')} → trueup apply --due`, { label: 'due', tone: 'warn' }),
          ],
        }),
      }),
      section('Guards in force', { items: guardTexts(rows).map((text) => item(text)), isDetail: rows.inSync }),
      section('Unchanged, but to note', {
        items: rows.noted.map(({ address, notes }) => item(notes.map((note) => sentence(note)).join('; '), address)),
      }),
      section('Not read', { items: rows.unread.map(({ what, reason }) => item(sentence(reason), what)), tone: 'warn' }),
      section('Not planned', {
        items: rows.unplanned.map((one) => item(sentence(unplannedWords(one)), one.project)),
        tone: 'bad',
      }),
      section('Not managed by these files (left alone)', {
        items: rows.unmanaged.map(({ address, described = '' }) => item(sentence(described), address)),
      }),
      section('Steps', { items: stepItems(plan), isDetail: true }),
    ],
    diagnostics: rows.diagnostics,
    warning: warningItems(rows.changes),
    figures: Object.entries(rows.counts),
    summary: summaryLines(rows, comparison),
  });
}

function warningItems(changes: readonly Change[]): Item[] {
  const outages = outagesOf(changes).map(({ change: { address }, words }) => item(words, address));
  const danger = dangerSentence(changes);
  return [...outages, ...(danger === '' ? [] : [item(danger)])];
}

const WAITING_NAMED = 6;

function addressList(changes: readonly Change[]): string {
  const names = changes
    .map(({ address }) => address)
    .sort(compareText)
    .map((one) => nameText(one));
  const rest = names.length - WAITING_NAMED;
  return rest > 1 ? `${names.slice(0, WAITING_NAMED).join(', ')} and ${rest} more` : names.join(', ');
}

/** Each blocked change with ways to lift its blocks, and the number of changes that only wait for it. */
function blockedSections(rows: PlanRows, names: Names): Section[] {
  const waiting = new Map(rows.blocked.filter(onlyWaits).map((change) => [change.address, change]));
  const roots = rows.blocked.filter((change) => !waiting.has(change.address));
  const byRoot = groupBy([...waiting.values()], ({ address }) => rootOf(address, waiting));
  const isLimit = new Set<string>(rows.limitsExceeded.map(({ limit }) => limit));
  const own = new Set(roots.map(({ address }) => address));
  const blockLines = (group: readonly [Change, ...Change[]]): Line[] =>
    group[0].blockedBy.flatMap((block) => {
      if (isLimit.has(block)) return [];
      return [line(blockLine(blockWords(block, group, rows)), { label: block, tone: 'warn' })];
    });
  const waitingLines = (group: readonly Change[]): Line[] => {
    const after = group.flatMap(({ address }) => byRoot.get(address) ?? []);
    return after.length === 0 ? [] : [line(addressList(after), { label: `${after.length} more wait for it` })];
  };
  const elsewhere = [...byRoot].filter(([root]) => !own.has(root));
  return [
    section('Blocked', {
      tone: 'bad',
      isReviewed: true,
      items: [
        ...rows.limitsExceeded.map((limit) => item(limitText(limit, rows))),
        ...elsewhere.map(([, inner]) => waitingItem(inner, rows)),
      ],
      changes: changeViews(roots, {
        names,
        effects: 'all',
        more: (group) => [...blockLines(group), ...waitingLines(group)],
      }),
    }),
    section('Blocked by these', {
      changes: changeViews([...waiting.values()], { names, effects: 'all', more: blockLines }),
      isDetail: true,
      isReviewed: true,
    }),
  ];
}

function onlyWaits({ blockedBy }: Change): boolean {
  return blockedBy.length === 1 && blockedBy[0] === 'dependency';
}

/** The address for which a chain of changes waits in the end: of a blocked change, or of one that is not in the plan. */
function rootOf(address: string, waiting: ReadonlyMap<string, Change>): string {
  const seen = new Set<string>();
  let at = address;
  for (;;) {
    const next = waiting.get(at)?.waitsFor;
    if (next === undefined || seen.has(next)) return at;
    seen.add(next);
    at = next;
  }
}

function waitingItem(changes: readonly [Change, ...Change[]], rows: PlanRows): Item {
  return item(`${addressList(changes)}: ${blockLine(blockWords('dependency', changes, rows))}`);
}

function limitText(limit: ExceededLimit, rows: PlanRows): string {
  const counted = rows.blocked.filter(({ address }) => limit.addresses.includes(address));
  const [first, ...others] = counted;
  const lift = first === undefined ? '' : ` → ${blockWords(limit.limit, [first, ...others], rows).lift}`;
  return `${limitSentence(limit)}${lift}`;
}

function stepItems({ steps }: Plan): Item[] {
  // Steps in a cycle, which only an edited plan can have, come last.
  const { rounds, left } = roundsOf(steps);
  return [...rounds.flat(), ...left].map(({ id, method, path, needs }, at) => {
    const after = needs.length === 0 ? '' : ` (after ${needs.map((one) => shown(one)).join(', ')})`;
    return item(`${at + 1}. ${shown(id)}: ${method} ${shown(path, 300)}${after}`);
  });
}

function summaryLines(rows: PlanRows, comparison: Comparison | null): Line[] {
  const { counts } = rows;
  const { blocked, held, due } = counts;
  return [
    ...(comparison === null ? [] : [line(comparedSentence(rows, comparison))]),
    ...gapSentences(counts).map((text) => line(text, { tone: 'warn' })),
    ...(blocked > 0 ? [line(`${blocked}.`, { label: 'Blocked' })] : []),
    ...(held > 0 ? [line(`${held}.`, { label: 'Held' })] : []),
    ...(due > 0 ? [line(`${due}.`, { label: 'Due' })] : []),
  ];
}

/** Sections of the compared changes. A change that the comparison does not mention counts as caused by these files. */
function comparedSections({ changes, blocked, due }: PlanRows, comparison: Comparison, names: Names): Section[] {
  const pending = new Set(comparison.alreadyPending);
  const groups = guardChangeGroups(comparison);
  const having = (title: string, isMember: (change: Change) => boolean): Section => {
    const elsewhere = [
      ...blocked.filter(isMember).map(({ address, action }) => item(`${action} (blocked, see below)`, address)),
      ...due.filter(isMember).map(({ address, action }) => item(`${action} (due, see below)`, address)),
    ];
    const views = changeViews(changes.filter(isMember), { names, effects: 'apart' });
    return section(title, { items: elsewhere, changes: views, isReviewed: true });
  };
  const own = having('From this change', ({ address }) => !pending.has(address));
  return [
    section('Guards changed', {
      items: guardChangeTexts(comparison).map((text) => item(text)),
      shorter: [groups.map(({ text }) => item(text)), groups.map(({ brief }) => item(brief))],
    }),
    own.items.length + own.changes.length === 0 ? { ...own, items: [item('nothing')] } : own,
    having('Already pending (without this change)', ({ address }) => pending.has(address)),
    section('No longer managed (live, and left alone)', {
      items: comparison.noLongerManaged.map((address) => item('', address)),
    }),
  ];
}

/** The counts of a comparison in one line, or the reason why the other files cannot be planned. */
function comparedSentence(
  { changes, blocked, due, diagnostics }: PlanRows,
  { alreadyPending, noLongerManaged, guardsChanged }: Comparison,
): string {
  const unusable = diagnostics.find(({ code }) => code === 'base_unusable');
  if (unusable !== undefined) return `Not compared: ${sentence(unusable.message)}`;
  const pending = new Set(alreadyPending);
  const all = [...changes, ...blocked, ...due];
  const before = all.filter(({ address }) => pending.has(address)).length;
  const guards = guardsChanged.length === 0 ? '' : `, ${plural(guardsChanged.length, 'guard')} changed`;
  return (
    `By origin: ${all.length - before} from this change, ${before} already pending, ` +
    `${noLongerManaged.length} no longer managed${guards}.`
  );
}
