// The drift report as one list of findings: what every renderer of drift reads.
import { isoTime } from '../../base/time/clock.ts';
import { groupBy } from '../../base/group-by.ts';
import { digestOf } from '../../base/json.ts';
import type { Address } from '../../model/address.ts';
import { countsUnlisted, type DriftReport } from '../../model/outcome/drift.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { Change, UnmanagedResource } from '../../model/outcome/plan.ts';
import type { SourceRange } from '../../model/source.ts';
import { impactWords } from '../messages/impacts.ts';
import { unplannedWords } from './plan-rows.ts';
import { nameText, sentence, shown } from '../text/escape.ts';
import { valueText } from '../text/value.ts';

export type FindingClass =
  'changed' | 'missing' | 'unmanaged' | 'held' | 'due' | 'not_compared' | 'unread' | 'unplanned';

/** The titles of the sections for people, in their order. */
export const FINDING_TITLES: Readonly<Record<FindingClass, string>> = {
  changed: 'Changed',
  missing: 'Missing',
  unmanaged: 'Unmanaged',
  held: 'Held',
  due: 'Due',
  not_compared: 'Not compared',
  unread: 'Not read',
  unplanned: 'Not planned',
};

export const FINDING_CLASSES = Object.keys(FINDING_TITLES) as readonly FindingClass[];

export interface Finding {
  readonly class: FindingClass;
  readonly address: Address;
  readonly resourceId: ResourceId | null;
  /** A single inert sentence. */
  readonly message: string;
  readonly source: SourceRange | null;
  readonly change: Change | null;
  /** True when this finding makes the account differ from the files. */
  readonly drift: boolean;
  /** The same for the same finding in every run: class, address and paths, not the values. */
  readonly fingerprint: string;
}

/** All findings: by class, then in the report's own order. */
export function findingsOf(report: DriftReport): Finding[] {
  const ofChange = (kind: FindingClass, drift: boolean, change: Change, words: string): Finding => ({
    class: kind,
    address: change.address,
    resourceId: change.resourceId,
    message: words,
    source: change.source,
    change,
    drift,
    fingerprint: fingerprint(
      kind,
      change.address,
      (kind === 'held' ? change.held : change.attributes).map(({ path }) => path),
    ),
  });
  return [
    ...report.changed.map((change) => ofChange('changed', true, change, changedWords(change))),
    ...report.missing.map((change) => ofChange('missing', true, change, 'declared, but it does not exist')),
    ...report.unmanaged.map((resource): Finding => ({
      ...bare('unmanaged', resource.address, unmanagedWords(resource)),
      resourceId: resource.id,
      drift: countsUnlisted(resource),
    })),
    ...report.held.map((change) => ofChange('held', false, change, heldWords(change))),
    ...report.due.map((change) => ofChange('due', false, change, dueWords(change))),
    ...report.notCompared.map(({ address, paths, reason }) =>
      bare('not_compared', address, `${paths.length === 0 ? '' : `${shown(paths.join(', '))}: `}${sentence(reason)}`),
    ),
    ...report.unread.map(({ what, reason }) => bare('unread', what, `could not be read: ${sentence(reason)}`)),
    ...report.unplanned.map((one): Finding => ({
      ...bare('unplanned', one.project, `could not be compared: ${sentence(unplannedWords(one))}`),
      source: one.diagnostics.find(({ severity }) => severity === 'error')?.range ?? null,
    })),
  ];
}

function unmanagedWords({ described = '', pruned }: UnmanagedResource): string {
  return `in no file${pruned ? ', and to be pruned' : ''}${described === '' ? '' : `: ${sentence(described)}`}`;
}

/** The findings of one class. */
export interface FindingSection {
  readonly kind: FindingClass;
  readonly findings: readonly Finding[];
  /** The changes that are shown difference by difference; empty if a sentence for each finding is enough. */
  readonly changes: readonly Change[];
}

/** A section for each class, also for a class without findings. */
export function findingSections(report: DriftReport): readonly FindingSection[] {
  const groups = groupBy(findingsOf(report), (finding) => finding.class);
  return FINDING_CLASSES.map((kind) => ({
    kind,
    findings: groups.get(kind) ?? [],
    changes: kind === 'changed' || kind === 'missing' ? report[kind] : [],
  }));
}

function bare(kind: FindingClass, address: Address, message: string): Finding {
  return {
    class: kind,
    address,
    resourceId: null,
    message,
    source: null,
    change: null,
    drift: false,
    fingerprint: fingerprint(kind, address, []),
  };
}

function fingerprint(kind: FindingClass, address: Address, paths: readonly string[]): string {
  return digestOf([kind, address, paths.toSorted()]).slice('sha256:'.length);
}

function changedWords(change: Change): string {
  const parts = change.attributes.slice(0, 5).map(({ path, before, after }) => {
    return `${shown(path, 100)} live ${valueText(before, 60)}, file ${valueText(after, 60)}`;
  });
  const rest = change.attributes.length - parts.length;
  const words = [...parts, ...(rest > 0 ? [`${rest} more`] : [])];
  return [
    words.length === 0 ? sentence(change.reasons.join('; ') || change.action) : words.join('; '),
    likelyWords(change),
  ]
    .filter((part) => part !== '')
    .join('; ');
}

/** The likely time of the change, as the report shows it; null if nothing shows one. */
export function likelyAt({ changedAt, lastOperation }: Change): string | null {
  return changedAt ?? lastOperation?.at ?? null;
}

/** When and by which operation it likely came about; empty when the log does not tell. */
function likelyWords(change: Change): string {
  if (change.changedAt !== undefined) return `likely since ${shown(change.changedAt, 40)}; no operation recorded`;
  if (change.lastOperation === null) return '';
  const { id, action, at } = change.lastOperation;
  return `likely since ${shown(action, 60)} (${shown(id, 60)})${at === null ? '' : ` at ${shown(at, 40)}`}`;
}

function heldWords(change: Change): string {
  return change.held
    .map(({ path, live, wanted, untilMs, reason }) => {
      const because = reason === '' ? '' : ` (${sentence(reason)})`;
      return `${shown(path, 100)} live ${valueText(live, 60)}, file ${valueText(wanted, 60)}, held until ${isoTime(untilMs).slice(0, 10)}${because}`;
    })
    .join('; ');
}

function dueWords(change: Change): string {
  const why = change.reasons.map(sentence).join('; ');
  const impact = impactWords(change).join('; ');
  return `${[`${change.action} is due`, why, impact].filter((part) => part !== '').join('; ')} → trueup apply --due`;
}

export function findingName(finding: Finding): string {
  return nameText(finding.address);
}
