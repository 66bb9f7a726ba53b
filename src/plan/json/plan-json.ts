// The plan as JSON (`schemas/plan.schema.json`): a valid Terraform plan with what is ours under `trueup`.
import { isoTime } from '../../base/time/clock.ts';
import { digestOf, type Json, type JsonObject } from '../../base/json.ts';
import { cameled, snaked } from '../../base/naming-case.ts';
import type { Comparison } from '../../model/outcome/comparison.ts';
import { desiredDigestOf } from '../../model/desired.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import type { PlanFile } from '../../model/generated/types.ts';
import { isWhole, type Plan } from '../../model/outcome/plan.ts';
import type { Upkeep } from '../../model/outcome/upkeep.ts';
import { changeToJson, stepToJson } from './change-json.ts';
import { guardToJson } from '../guard/guards-in-force.ts';
import type { PlanRecord } from '../record.ts';
import { recordToJson } from './record-json.ts';
import { unmanagedToJson, unplannedToJson, unreadToJson } from './unlisted-json.ts';
import { warningToJson } from './warning-json.ts';

/** Version of our own part of the format; a plan with a newer one is refused. */
export const VERSION = 2;

/** For tools that ask which Terraform it is of. */
const TERRAFORM_VERSION = '1.9.0';

/** What a plan does not know of itself. */
export interface PlanStamp {
  /** ISO 8601. */
  readonly timestamp: string;
  readonly toolVersion: string;
  /** How long it may be applied; null for a plan that does not expire. */
  readonly expiresInMs: number | null;
  /** How the plan stands to other files, where that was asked. */
  readonly comparison?: Comparison | null;
  /** What the files were, where it is worth keeping: a saved plan is held against them. */
  readonly files?: PlannedFiles;
  /** What the plan was made from: whoever applies it makes it again. */
  readonly record: PlanRecord;
}

/** The files that a plan was made from. */
export interface PlannedFiles {
  /** As they were named: files, folders, or `-`. */
  readonly paths: readonly string[];
  /** Overlays, as they were named; left out where there are none. */
  readonly overlays?: readonly string[];
  /** Digest of their texts, in the order in which they are read. */
  readonly digest: string;
}

export function planToJson(plan: Plan, stamp: PlanStamp): JsonObject {
  const errored = hasErrors(plan.diagnostics);
  const details: JsonObject = {
    version: VERSION,
    tool_version: stamp.toolVersion,
    base_url: plan.baseUrl,
    ...(plan.store === undefined ? {} : { store: plan.store }),
    plan_hash: plan.planHash,
    desired_digest: desiredDigestOf(stamp.record.input.desired),
    summary: { ...plan.summary },
    steps: plan.steps.map(stepToJson),
    ...(plan.upkeep.length === 0 ? {} : { upkeep: plan.upkeep.map(upkeepToJson) }),
    unmanaged: plan.unmanaged.map(unmanagedToJson),
    unread: plan.unread.map(unreadToJson),
    unplanned: plan.unplanned.map(unplannedToJson),
    histories: plan.options.noHistory ? 'not_read' : 'read',
    options: snaked(plan.options),
    limits_exceeded: plan.limitsExceeded.map((limit): Json => ({ ...limit })),
    windows: plan.windows.map(({ project, windows, opensAt }) => ({
      project,
      windows: windows.map(snaked),
      ...(opensAt === undefined ? {} : { opens_at: opensAt }),
    })),
    guards: plan.guards.map(guardToJson),
    warnings: plan.diagnostics.map(warningToJson),
    expires_at: expiry(stamp),
    ...(stamp.files === undefined ? {} : { files: snaked(stamp.files) }),
    ...(stamp.comparison ? { compare: comparisonToJson(stamp.comparison) } : {}),
    made_from: { ...recordToJson(stamp.record), expires_in_ms: stamp.expiresInMs },
  };
  const whole: JsonObject = {
    format_version: '1.2',
    terraform_version: TERRAFORM_VERSION,
    timestamp: stamp.timestamp,
    applyable: !errored && plan.steps.length > 0,
    complete: !errored && isWhole(plan) && plan.summary.blocked === 0,
    errored,
    planned_values: { root_module: { resources: plannedValues(plan) } },
    resource_changes: plan.changes.map((change) => changeToJson(change, plan.steps)),
    trueup: details,
  };
  return { ...whole, trueup: { ...details, plan_digest: digestOf(whole) } };
}

/** What a reader needs of it: what an apply does is found out anew. */
function upkeepToJson({ address, kind, action, resourceId, projectId, reasons, sinks, isPending }: Upkeep): JsonObject {
  return {
    address,
    type: kind,
    action,
    resource_id: resourceId,
    project_id: projectId,
    reasons,
    sinks,
    pending: isPending,
  };
}

function expiry({ timestamp, expiresInMs }: PlanStamp): string | null {
  return expiresInMs === null ? null : isoTime(Date.parse(timestamp) + expiresInMs);
}

function comparisonToJson(comparison: Comparison): JsonObject {
  return { ...snaked(comparison), guards_changed: comparison.guardsChanged.map((one): Json => ({ ...one })) };
}

function plannedValues(plan: Plan): Json[] {
  return plan.changes.flatMap(({ address, kind, name, after }) =>
    after === null
      ? []
      : [{ address, mode: 'managed', type: kind, name, provider_name: 'trueup', schema_version: 0, values: after }],
  );
}

export function comparisonFromJson(json: PlanFile['trueup']['compare']): Comparison | null {
  if (json === undefined) return null;
  return {
    ...cameled(json),
    guardsChanged: json.guards_changed.map((one) => ({ ...one, before: one.before as Json, after: one.after as Json })),
  };
}
