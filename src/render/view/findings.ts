// The drift report as one list of findings: the source of every renderer of drift.
import { isoTime } from '../../base/time/clock.ts';
import { groupBy } from '../../base/group-by.ts';
import { digestOf, type Json } from '../../base/json.ts';
import type { Address } from '../../model/address.ts';
import { countsUnlisted, type DriftReport } from '../../model/outcome/drift.ts';
import type { Change, UnmanagedResource } from '../../model/outcome/plan.ts';
import type { SourceRange } from '../../model/source.ts';
import { impactWords } from '../messages/impacts.ts';
import { unplannedWords } from './plan-rows.ts';
import { nameText, sentence, shown, valueText } from '../text/escape.ts';

export type FindingClass =
  'changed' | 'missing' | 'unmanaged' | 'held' | 'due' | 'not_compared' | 'unread' | 'unplanned' | 'expired';

export const FINDING_TITLES: Readonly<Record<FindingClass, string>> = {
  changed: 'Changed',
  missing: 'Missing',
  unmanaged: 'Unmanaged',
  held: 'Held',
  due: 'Due',
  not_compared: 'Not compared',
  unread: 'Not read',
  unplanned: 'Not planned',
  expired: 'Expired',
};

export const FINDING_CLASSES = Object.keys(FINDING_TITLES) as readonly FindingClass[];

export interface Finding {
  readonly class: FindingClass;
  readonly address: Address;
  readonly message: string;
  readonly source: SourceRange | null;
  readonly change: Change | null;
  /** True if this finding alone means that account and files differ. */
  readonly drift: boolean;
  /** Equal for the same finding in every run: made of class, address and paths, not of values. */
  readonly fingerprint: string;
}

export function isGap({ class: kind }: Pick<Finding, 'class'>): boolean {
  return kind === 'unread' || kind === 'unplanned';
}

export function findingsOf(report: DriftReport): Finding[] {
  return [
    ...report.changed.map((change) => ofChange('changed', change, changedWords(change))),
    ...report.missing.map((change) => ofChange('missing', change, 'declared, but it does not exist')),
    ...report.unmanaged.map((resource): Finding => ({
      ...findingOf('unmanaged', resource.address, unmanagedWords(resource)),
      drift: countsUnlisted(resource),
    })),
    ...report.held.map((change) => ofChange('held', change, heldWords(change))),
    ...report.due.map((change) => ofChange('due', change, dueWords(change))),
    ...report.notCompared.map(({ address, paths, reason }) =>
      findingOf('not_compared', address, [shown(paths.join(', ')), sentence(reason)].filter(isSaid).join(': ')),
    ),
    ...report.unread.map(({ what, reason }) => findingOf('unread', what, `could not be read: ${sentence(reason)}`)),
    ...report.unplanned.map((one): Finding => ({
      ...findingOf('unplanned', one.project, `could not be compared: ${sentence(unplannedWords(one))}`),
      source: one.diagnostics.find(({ severity }) => severity === 'error')?.range ?? null,
    })),
    ...(report.expired ?? []).map((change) =>
      ofChange('expired', change, 'ended by its TTL; the next apply re-creates it'),
    ),
  ];
}

export interface FindingSection {
  readonly kind: FindingClass;
  readonly findings: readonly Finding[];
  /** The changes to show with their differences; empty if one sentence per finding is enough. */
  readonly changes: readonly Change[];
}

export function findingSections(report: DriftReport): readonly FindingSection[] {
  const groups = groupBy(findingsOf(report), (finding) => finding.class);
  // Only members of sets expire and are re-created, so without such findings the class is omitted.
  return FINDING_CLASSES.filter((kind) => kind !== 'expired' || groups.has(kind)).map((kind) => ({
    kind,
    findings: groups.get(kind) ?? [],
    changes: kind === 'changed' || kind === 'missing' ? report[kind] : [],
  }));
}

export function findingName({ address }: Finding): string {
  return nameText(address);
}

function findingOf(kind: FindingClass, address: Address, message: string, paths: readonly string[] = []): Finding {
  const fingerprint = digestOf([kind, address, paths.toSorted()]).slice('sha256:'.length);
  return { class: kind, address, message, source: null, change: null, drift: false, fingerprint };
}

function ofChange(kind: FindingClass, change: Change, message: string): Finding {
  const differences = kind === 'held' ? change.held : change.attributes;
  const paths = differences.map(({ path }) => path);
  const drift = kind === 'changed' || kind === 'missing';
  return { ...findingOf(kind, change.address, message, paths), source: change.source, change, drift };
}

function isSaid(part: string): boolean {
  return part !== '';
}

const MOST_PATHS = 5;

function changedWords(change: Change): string {
  const { attributes, reasons, action } = change;
  const parts = attributes
    .slice(0, MOST_PATHS)
    .map(({ path, before, after }) => `${shown(path, 100)} ${sidesText(before, after)}`);
  const rest = attributes.length - parts.length;
  return [
    ...(parts.length === 0 ? [sentence(reasons.join('; ') || action)] : parts),
    rest > 0 ? `${rest} more` : '',
    likelyWords(change),
  ]
    .filter(isSaid)
    .join('; ');
}

export function sidesText(live: Json, file: Json): string {
  return `live ${valueText(live, 60)}, file ${valueText(file, 60)}`;
}

function unmanagedWords({ described = '', pruned }: UnmanagedResource): string {
  return `in no file${pruned ? ', and to be pruned' : ''}${described === '' ? '' : `: ${sentence(described)}`}`;
}

export function likelyAt({ changedAt, lastOperation }: Change): string | null {
  return changedAt ?? lastOperation?.at ?? null;
}

function likelyWords({ changedAt, lastOperation }: Change): string {
  if (changedAt !== undefined) return `likely since ${shown(changedAt, 40)}; no operation recorded`;
  if (lastOperation === null) return '';
  const { id, action, at } = lastOperation;
  return `likely since ${shown(action, 60)} (${shown(id, 60)})${at === null ? '' : ` at ${shown(at, 40)}`}`;
}

function heldWords({ held }: Change): string {
  return held
    .map(({ path, live, wanted, untilMs, reason }) => {
      const because = reason === '' ? '' : ` (${sentence(reason)})`;
      const day = isoTime(untilMs).slice(0, 10);
      return `${shown(path, 100)} ${sidesText(live, wanted)}, held until ${day}${because}`;
    })
    .join('; ');
}

function dueWords(change: Change): string {
  const why = change.reasons.map(sentence).join('; ');
  const parts = [`${change.action} is due`, why, impactWords(change).join('; ')];
  return `${parts.filter(isSaid).join('; ')} → trueup apply --due`;
}
