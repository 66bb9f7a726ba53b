// Turns a plan into drift, a report of differences, and converts the report to JSON (`schemas/drift.schema.json`).
import { compareText, type JsonObject } from '../base/json.ts';
import { defined } from '../base/picked.ts';
import type { DesiredState } from '../model/desired.ts';
import {
  countsUnlisted,
  type DriftReport,
  type DriftStatus,
  type NotCompared,
  type UnlistedResource,
} from '../model/outcome/drift.ts';
import { isWhole, type Change, type Plan } from '../model/outcome/plan.ts';
import { NOT_COMPARED } from './diff/difference.ts';
import { LAST_CHANGE_UNKNOWN } from './diff/history.ts';
import { planJson } from './json/forms.ts';

const INCOMPARABLE: ReadonlySet<string> = new Set([
  'crowded_place',
  NOT_COMPARED,
  'unknown_type',
  'unfinished',
  'sink_broken',
  'secret_missing',
]);

/** Actions that create a resource: the new resource has no live values to compare. */
const MAKING: ReadonlySet<Change['action']> = new Set(['create', 'replace']);

/** Reports the differences of a plan. `desired` gives the ignored paths; `untold` lists further parts that were not compared. */
export function driftOf(
  plan: Plan,
  desired: DesiredState | null = null,
  untold: readonly NotCompared[] = [],
): DriftReport {
  const differences = plan.changes.filter(({ action, due, origin }) => action !== 'none' && !due && origin !== 'prune');
  const lapsed = differences.flatMap(({ origin, address }) => (origin === 'expired' ? [address] : []));
  const isExpired = ({ address }: Change): boolean =>
    lapsed.some((above) => address === above || address.startsWith(`${above}/`));
  const present = differences.filter((change) => !isExpired(change));
  const missing = present.filter(({ action }) => action === 'create');
  const changed = present.filter(({ action }) => action !== 'create');
  const expired = differences.filter(isExpired);
  return {
    status: statusOf(plan, present),
    selection: { target: plan.options.target, exclude: plan.options.exclude },
    changed,
    missing,
    ...(expired.length === 0 ? {} : { expired }),
    unmanaged: unlisted(plan),
    held: plan.changes.filter(({ held }) => held.length > 0),
    notCompared: notCompared(plan, desired, untold),
    unread: plan.unread,
    unplanned: plan.unplanned,
    due: plan.changes.filter(({ due }) => due),
    ...defined({ names: plan.names }),
  };
}

function unlisted({ unmanaged, changes }: Plan): UnlistedResource[] {
  const pruned = new Map(changes.filter(({ origin }) => origin === 'prune').map((change) => [change.address, change]));
  return unmanaged.map((resource) => ({ ...resource, ...defined({ change: pruned.get(resource.address) }) }));
}

function statusOf(plan: Plan, differences: readonly Change[]): DriftStatus {
  if (!isWhole(plan)) return 'incomplete';
  return differences.length > 0 || plan.unmanaged.some(countsUnlisted) ? 'drifted' : 'in_sync';
}

function notCompared(plan: Plan, desired: DesiredState | null, untold: readonly NotCompared[]): NotCompared[] {
  const planned = new Set(plan.changes.map(({ address }) => address));
  const ignored = (desired?.resources ?? []).flatMap(({ address, lifecycle }) =>
    lifecycle.ignore.length === 0 || !planned.has(address)
      ? []
      : [{ address, paths: [...lifecycle.ignore].sort(), reason: 'lifecycle.ignore leaves this attribute to others' }],
  );
  const strange = plan.diagnostics.flatMap(({ code, severity, address, message, paths = [] }) =>
    severity === 'warning' && address !== undefined && INCOMPARABLE.has(code)
      ? [{ address, paths, reason: message }]
      : [],
  );
  const unreported = plan.changes.flatMap(({ address, notes }) =>
    notes
      .filter((note) => note.startsWith(LAST_CHANGE_UNKNOWN))
      .map((reason) => ({ address, paths: ['last_operation'], reason })),
  );
  const unmade = new Set(plan.changes.flatMap(({ address, action }) => (MAKING.has(action) ? [address] : [])));
  const places = untold.filter(({ address }) => planned.has(address) && !unmade.has(address));
  return [...ignored, ...strange, ...unreported, ...places].sort((a, b) => compareText(a.address, b.address));
}

interface DriftStamp {
  readonly timestamp: string;
  readonly toolVersion: string;
}

export function driftToJson(report: DriftReport, { timestamp, toolVersion }: DriftStamp): JsonObject {
  return {
    format_version: '1.0',
    timestamp,
    ...planJson.write({ ...report, ...report.selection, toolVersion }, 'DriftFile'),
  };
}
