// The drift report as one list of findings, which all renderers of drift use.
import { isoTime } from '../../base/time/clock.ts';
import { groupBy } from '../../base/group-by.ts';
import { digestOf, type Json } from '../../base/json.ts';
import type { Address } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { countsUnlisted, type DriftReport } from '../../model/outcome/drift.ts';
import type { Change, UnmanagedResource } from '../../model/outcome/plan.ts';
import type { SourceRange } from '../../model/source.ts';
import { impactWords } from '../messages/impacts.ts';
import { removedWords, unplannedWords } from './plan-rows.ts';
import { listOf, plural } from '../../base/text/words.ts';
import { sentence, shown, valueText } from '../text/escape.ts';

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
  readonly kind: FindingClass;
  readonly address: Address;
  readonly message: string;
  readonly source: SourceRange | null;
  readonly change: Change | null;
  /** True if this finding alone means that the account and the files differ. */
  readonly drift: boolean;
  /** The same in every run: made of class, address and paths, but not of values. */
  readonly fingerprint: string;
}

/** Facts about a run that compared the account with the files. */
export interface DriftFacts {
  readonly nowMs: number;
  /** Null if unknown, as in the report of an earlier version. */
  readonly seconds: number | null;
  readonly requests: number | null;
  readonly matching: readonly Address[];
  readonly files: readonly string[];
  /** The problems of a run that ended without a report. */
  readonly problems: readonly Diagnostic[];
}

const GAPS: Readonly<Partial<Record<FindingClass, string>>> = { unread: 'read', unplanned: 'compared' };

export function isGap({ kind }: Pick<Finding, 'kind'>): boolean {
  return GAPS[kind] !== undefined;
}

export function findingsOf(report: DriftReport): Finding[] {
  return [
    ...report.changed.map((change) => ofChange('changed', change, changedWords(change))),
    ...report.missing.map((change) => ofChange('missing', change, 'declared, but it does not exist')),
    ...report.unmanaged.map((resource): Finding => ({
      ...findingOf('unmanaged', resource.address, unmanagedWords(resource)),
      drift: countsUnlisted(resource),
    })),
    ...report.held.map((change) => ofChange('held', change, heldTexts(change).join('; '))),
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
  /** The changes to show in detail; empty if a sentence for each finding is enough. */
  readonly changes: readonly Change[];
}

export function findingSections(report: DriftReport): readonly FindingSection[] {
  const groups = groupBy(findingsOf(report), (finding) => finding.kind);
  // The class `expired` is omitted when empty, because it concerns only members of sets.
  return FINDING_CLASSES.filter((kind) => kind !== 'expired' || groups.has(kind)).map((kind) => ({
    kind,
    findings: groups.get(kind) ?? [],
    changes: kind === 'changed' || kind === 'missing' ? report[kind] : [],
  }));
}

export function driftVerdict(report: DriftReport): string {
  const { status } = report;
  const found = findingSections(report).filter(({ findings }) => findings.length > 0);
  const wordsOf = (isMeant: (section: FindingSection) => boolean): string =>
    listOf(found.filter(isMeant).map(({ kind, findings }) => `${findings.length} ${kind.replaceAll('_', ' ')}`));
  const all = wordsOf(() => true);
  if (status === 'drifted') return `Drift: ${all}.`;
  if (status === 'in_sync')
    return all === '' ? 'No drift. Your infrastructure matches the configuration.' : `No drift; ${all}.`;
  const known = wordsOf((one) => !isGap(one));
  const gaps = found
    .filter(isGap)
    .map(({ kind, findings: { length } }) => `${plural(length, 'part')} could not be ${GAPS[kind] ?? ''}`);
  return `Incomplete: ${listOf(gaps)}${known === '' ? '' : `; found ${known}`}.`;
}

function findingOf(kind: FindingClass, address: Address, message: string, paths: readonly string[] = []): Finding {
  const fingerprint = digestOf([kind, address, paths.toSorted()]).slice('sha256:'.length);
  return { kind, address, message, source: null, change: null, drift: false, fingerprint };
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
    removedWords(change),
    ...(parts.length === 0 ? [sentence(reasons.join('; ') || action)] : parts),
    rest > 0 ? `${rest} more` : '',
    likelyWords(change),
  ]
    .filter(isSaid)
    .join('; ');
}

function sidesText(live: Json, file: Json): string {
  return `live ${valueText(live, 60)}, file ${valueText(file, 60)}`;
}

function unmanagedWords({ described = '', pruned }: UnmanagedResource): string {
  return `in no file${pruned ? ', and to be pruned' : ''}${described === '' ? '' : `: ${sentence(described)}`}`;
}

/** When and by what a value changed, if known: `changed about 2026-11-20 01:00:00 UTC by apply_config (7f3a6c1e-…)`. */
export function likelyWords({ changedAt, lastOperation }: Change): string {
  const at = changedAt ?? lastOperation?.at ?? null;
  const operation = changedAt === undefined ? lastOperation : null;
  if (at === null && operation === null) return '';
  const ms = at === null ? NaN : Date.parse(at);
  const time = Number.isNaN(ms) ? '' : ` about ${isoTime(ms).slice(0, 19).replace('T', ' ')} UTC`;
  const by =
    operation === null ? '; no operation recorded' : ` by ${shown(operation.action, 60)} (${shown(operation.id, 60)})`;
  return `changed${time}${by}`;
}

/** The differences that a hold accepts: `autoscaling_limit_max_cu live 16, file 8, until 2026-12-01 (INC-4211)`. */
export function heldTexts({ held }: Change): readonly string[] {
  return held.map(({ path, live, wanted, untilMs, reason }) => {
    const because = reason === '' ? '' : ` (${sentence(reason)})`;
    return `${shown(path, 100)} ${sidesText(live, wanted)}, until ${isoTime(untilMs).slice(0, 10)}${because}`;
  });
}

function dueWords(change: Change): string {
  const why = change.reasons.map(sentence).join('; ');
  const parts = [`${change.action} is due`, why, impactWords(change).join('; ')];
  return `${parts.filter(isSaid).join('; ')} → trueup apply --due`;
}
