// Sorts a plan into rows for every renderer, and makes the context rows that people read before they consent.
import { groupBy } from '../../base/group-by.ts';
import { canonicalJson, compareText } from '../../base/json.ts';
import { picked } from '../../base/picked.ts';
import { asPart } from '../../model/address.ts';
import { hasErrors, type Unplanned } from '../../model/diagnostic.ts';
import {
  halfReplaced,
  isWhole,
  type Change,
  type Plan,
  type PlanOptions,
  type PlanSummary,
} from '../../model/outcome/plan.ts';
import { nameText, sentence, shown } from '../text/escape.ts';
import { isDangerous } from '../messages/impacts.ts';
import { layerText } from '../report/differences.ts';
import type { ContextRow } from '../report/report.ts';

type Counted = 'restart' | 'blocked' | 'held' | 'due' | 'unread' | 'unplanned' | 'unchanged';
type Tally = 'add' | 'change' | 'destroy';

/** The counts that other tools parse. Counts of actions omit blocked changes, and due changes that do not run. */
export type PlanCounts = Readonly<Record<Tally | Counted, number>>;

export interface PlanRows extends Plan {
  /** The changes that an apply would make now: dangerous ones first, then by address. */
  readonly changes: readonly Change[];
  readonly due: readonly Change[];
  readonly blocked: readonly Change[];
  /** Changes with a difference that a hold accepts, even if they have no step. */
  readonly held: readonly Change[];
  readonly noted: readonly Change[];
  readonly counts: PlanCounts;
  /** True if there is nothing to do, and nothing unknown that could hide work. */
  readonly inSync: boolean;
}

export function planRows(plan: Plan): PlanRows {
  // Due changes are a group of their own only if the plan does not run them.
  const waits = (change: Change): boolean => change.due && plan.summary.due > 0;
  const real = plan.changes.filter((change) => change.action !== 'none');
  const due = real.filter(waits);
  const blocked = real.filter((change) => !waits(change) && change.blockedBy.length > 0);
  const changes = real.filter((change) => !waits(change) && change.blockedBy.length === 0);
  const held = plan.changes.filter((change) => change.held.length > 0);
  const { summary, unread, unplanned } = plan;
  return {
    ...plan,
    changes: byDanger(changes),
    due: byDanger(due),
    blocked: byDanger(blocked),
    held: byDanger(held),
    noted: plan.changes.filter((change) => change.action === 'none' && change.notes.length > 0),
    unmanaged: plan.unmanaged.filter((resource) => !resource.pruned),
    counts: {
      ...changeCounts(summary, halfReplaced(plan).size),
      restart: changes.filter(restarts).length,
      ...picked(summary, ['blocked', 'held', 'due']),
      unread: unread.length,
      unplanned: unplanned.length,
      unchanged: summary.unchanged,
    },
    inSync: !hasErrors(plan.diagnostics) && changes.length + blocked.length + held.length === 0 && isWhole(plan),
  };
}

export function unplannedWords({ diagnostics }: Unplanned): string {
  return diagnostics.flatMap(({ severity, message }) => (severity === 'error' ? [message] : [])).join('; ');
}

/** A replacement counts as an addition and a removal. If its new resource exists already, only the removal counts. */
export function changeCounts(summary: PlanSummary, half: number = 0): Pick<PlanCounts, Tally> {
  const { create, rotate, replace, update, move, restart, revoke } = summary;
  return {
    add: create + rotate + replace - half,
    change: update + move + restart,
    destroy: summary.delete + revoke + replace,
  };
}

export function restarts(change: Change): boolean {
  return change.action === 'restart' || change.attributes.some((attribute) => attribute.restarts);
}

const REMOVALS = ['delete', 'revoke', 'replace'];
const DANGER_ORDER = [...REMOVALS, 'restart', 'dangerous', 'move', 'update'];

function dangerRank(change: Change): number {
  const at = DANGER_ORDER.indexOf(change.action);
  const least = isDangerous(change) ? DANGER_ORDER.indexOf('dangerous') : DANGER_ORDER.length;
  return at < 0 ? least : Math.min(at, least);
}

function byDanger(changes: readonly Change[]): Change[] {
  return changes.toSorted((a, b) => dangerRank(a) - dangerRank(b) || compareText(a.address, b.address));
}

/** The live name and id of a removed resource: `"important" (br-…)`; empty for other actions. */
export function removedWords({ action, before, resourceId }: Change): string {
  if (resourceId === null || !REMOVALS.includes(action)) return '';
  const name = before?.['name'];
  const id = nameText(resourceId, 80);
  return typeof name === 'string' ? `${JSON.stringify(sentence(name))} (${id})` : id;
}

/** Like `removedWords`, but empty if the address already contains the name. */
export function otherwiseNamed(change: Change): string {
  const name = change.before?.['name'];
  const isSaid = typeof name !== 'string' || change.address.split('/').at(-1) === asPart(name);
  return isSaid ? '' : removedWords(change);
}

/** Groups changes that differ only in address, id and match, so that a report describes them once. */
export function groupAlike(changes: readonly Change[]): [Change, ...Change[]][] {
  const groups = groupBy(changes, (change) =>
    canonicalJson({
      ...picked(change, ['action', 'impact', 'impactDetails', 'notes', 'sinks', 'reasons', 'blockedBy', 'held']),
      attributes: change.attributes.map(({ source, ...one }) => ({ ...one, layer: layerText(source) })),
      after: change.attributes.length === 0 && change.action === 'create' ? change.after : null,
      consents: (change.consents ?? []).map(({ word, given }) => [word, given]),
    }),
  );
  return [...groups.values()];
}

export interface PlanContext {
  /** The data folder of the local server, unless it is the default. */
  readonly local: string | null;
  readonly orgId: string | null;
  readonly files: readonly string[];
  readonly overlays: readonly string[];
}

const MOST_NAMED = 6;

export function contextRows(
  { baseUrl, store, planHash, options }: Plan,
  { local, orgId, files, overlays }: PlanContext,
): readonly ContextRow[] {
  const embedded = `the local server${local === null ? '' : ` in ${shown(local, 200)}`}`;
  const account = store === undefined ? shown(baseUrl, 300) : embedded;
  const on = overlays.length === 0 ? '' : `, with the overlay ${named(overlays)}`;
  return [
    ['Account', `${account}${orgId === null ? '' : `, organization ${shown(orgId, 100)}`}`],
    ...(files.length === 0 ? [] : [['Files', `${named(files)}${on}`] as const]),
    ...selectionRows(options),
    ['Hash', shown(planHash, 100)],
  ];
}

export function selectionRows({ target, exclude }: Pick<PlanOptions, 'target' | 'exclude'>): readonly ContextRow[] {
  if (target.length === 0 && exclude.length === 0) return [];
  const meant = target.length === 0 ? 'all' : named(target);
  return [['Targets', exclude.length === 0 ? meant : `${meant} but ${named(exclude)}`]];
}

function named(texts: readonly string[]): string {
  const names = texts.slice(0, MOST_NAMED).map((text) => (text === '-' ? 'standard input' : shown(text, 200)));
  return [...names, ...(texts.length > MOST_NAMED ? [`${texts.length - MOST_NAMED} more`] : [])].join(', ');
}
