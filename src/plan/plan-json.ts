// The plan as JSON (`schemas/plan.schema.json`): a valid Terraform plan with what is ours under `trueup`; and back, if untouched.
import { digestOf, isJsonObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Comparison } from '../model/comparison.ts';
import { hasErrors } from '../model/diagnostic.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { PlanFile, PlanWarning } from '../model/generated/types.ts';
import { PlanFile as isPlanFile } from '../model/generated/validators.js';
import type { Plan } from '../model/plan.ts';
import { changeFromJson, changeToJson, sourceFromJson, sourceToJson } from './change-json.ts';
import { planHashOf } from './plan-hash.ts';
import { stepFromJson, stepToJson } from './step-json.ts';
import { unknownTimeZone, windowsFromJson, windowsToJson } from './windows-json.ts';
import { unmanagedFromJson, unmanagedToJson, unreadFromJson, unreadToJson } from './unlisted-json.ts';

/** Version of our own part of the format; a plan with a newer one is refused. */
const VERSION = 1;

/** What a plan does not know of itself. Times are ISO 8601. */
export interface PlanStamp {
  readonly timestamp: string;
  readonly toolVersion: string;
  /** Null for a plan that does not expire. */
  readonly expiresAt: string | null;
  /** For tools that ask which Terraform it is of. */
  readonly terraformVersion?: string;
  /** How the plan stands to another branch's files, where that was asked. */
  readonly comparison?: Comparison | null;
  /** What the files were, where it is worth keeping: a saved plan is held against them. */
  readonly files?: PlannedFiles;
}

/** The files that a plan was made from. */
export interface PlannedFiles {
  /** As they were named: files, folders, or `-`. */
  readonly paths: readonly string[];
  /** Of their texts, in the order in which they are read. */
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
    desired_digest: plan.desiredDigest,
    summary: { ...plan.summary },
    steps: plan.steps.map(stepToJson),
    unmanaged: plan.unmanaged.map(unmanagedToJson),
    unread: plan.unread.map(unreadToJson),
    limits_exceeded: plan.limitsExceeded.map((limit): Json => ({ ...limit })),
    windows: plan.windows.map(windowsToJson),
    warnings: plan.diagnostics.map(warningToJson),
    expires_at: stamp.expiresAt,
    ...(stamp.files === undefined ? {} : { files: { paths: stamp.files.paths, digest: stamp.files.digest } }),
    ...(stamp.comparison ? { compare: comparisonToJson(stamp.comparison) } : {}),
  };
  const whole: JsonObject = {
    format_version: '1.2',
    terraform_version: stamp.terraformVersion ?? '1.9.0',
    timestamp: stamp.timestamp,
    applyable: !errored && plan.steps.length > 0,
    complete: !errored && plan.unread.length === 0 && plan.summary.blocked === 0,
    errored,
    planned_values: { root_module: { resources: plannedValues(plan) } },
    resource_changes: plan.changes.map((change) => changeToJson(change, plan.steps)),
    trueup: details,
  };
  return { ...whole, trueup: { ...details, plan_digest: digestOf(whole) } };
}

function comparisonToJson({ fromThisChange, alreadyPending, noLongerManaged }: Comparison): JsonObject {
  return { from_this_change: fromThisChange, already_pending: alreadyPending, no_longer_managed: noLongerManaged };
}

function plannedValues(plan: Plan): Json[] {
  return plan.changes.flatMap(({ address, kind, name, after }) =>
    after === null
      ? []
      : [{ address, mode: 'managed', type: kind, name, provider_name: 'trueup', schema_version: 0, values: after }],
  );
}

function warningToJson({ severity, code, message, hint, address, range, related }: Diagnostic): JsonObject {
  return {
    severity,
    code,
    message,
    ...(hint === undefined ? {} : { hint }),
    ...(address === undefined ? {} : { address }),
    ...(range === undefined ? {} : { source: sourceToJson(range) }),
    ...(related === undefined
      ? {}
      : { related: related.map((place): Json => ({ message: place.message, source: sourceToJson(place.range) })) }),
  };
}

/** A saved plan that may be applied, or why it may not. */
export type SavedPlan =
  | {
      readonly plan: Plan;
      readonly expiresAtMs: number | null;
      readonly madeAtMs: number;
      /** Null when it was made without one. */
      readonly comparison: Comparison | null;
      /** Null when it does not say. */
      readonly files: PlannedFiles | null;
    }
  | { readonly problem: string };

/** Reads a saved plan; one that was edited, or is of a newer format, is a problem in words. */
export function planFromJson(json: Json): SavedPlan {
  const details = isJsonObject(json) ? json['trueup'] : undefined;
  if (!isJsonObject(json) || !isJsonObject(details)) return { problem: 'it is not a plan made by trueup' };
  const version = details['version'];
  if (typeof version === 'number' && version > VERSION)
    return { problem: `it is of format ${version}, and this version of trueup reads up to ${VERSION}` };
  const { plan_digest: digest, ...rest } = details;
  if (digest !== digestOf({ ...json, trueup: rest }))
    return { problem: 'it was changed after it was made (its plan_digest does not fit)' };
  if (!isSavedPlan(json)) return { problem: 'it is not a plan that this version of trueup can read' };
  const plan = restore(json);
  if (planHashOf(plan.steps, plan.changes) !== plan.planHash)
    return { problem: 'it was changed after it was made (its plan_hash does not fit)' };
  const timeZone = unknownTimeZone(plan.windows);
  if (timeZone !== null)
    return { problem: `this machine does not know the time zone ${timeZone} of its safety windows` };
  const expiresAt = json.trueup.expires_at;
  return {
    plan,
    expiresAtMs: expiresAt === null ? null : Date.parse(expiresAt),
    madeAtMs: Date.parse(json.timestamp),
    comparison: comparisonFromJson(json.trueup.compare),
    files: json.trueup.files ?? null,
  };
}

function comparisonFromJson(json: PlanFile['trueup']['compare']): Comparison | null {
  if (json === undefined) return null;
  return {
    fromThisChange: json.from_this_change,
    alreadyPending: json.already_pending,
    noLongerManaged: json.no_longer_managed,
  };
}

function isSavedPlan(json: unknown): json is PlanFile {
  return isPlanFile(json);
}

function restore(json: PlanFile): Plan {
  const { trueup } = json;
  return {
    baseUrl: trueup.base_url,
    ...(trueup.store === undefined ? {} : { store: trueup.store }),
    changes: json.resource_changes.map(changeFromJson),
    steps: trueup.steps.map(stepFromJson),
    summary: trueup.summary,
    unmanaged: trueup.unmanaged.map(unmanagedFromJson),
    unread: trueup.unread.map(unreadFromJson),
    limitsExceeded: trueup.limits_exceeded,
    windows: trueup.windows.map(windowsFromJson),
    diagnostics: trueup.warnings.map(warningFromJson),
    desiredDigest: trueup.desired_digest,
    planHash: trueup.plan_hash,
  };
}

function warningFromJson({ severity, code, message, hint, address, source, related }: PlanWarning): Diagnostic {
  const range = sourceFromJson(source);
  const places = (related ?? []).flatMap((place) => {
    const at = sourceFromJson(place.source);
    return at === null ? [] : [{ message: place.message, range: at }];
  });
  return {
    severity,
    code,
    message,
    ...(hint === undefined ? {} : { hint }),
    ...(address === undefined ? {} : { address }),
    ...(range === null ? {} : { range }),
    ...(related === undefined ? {} : { related: places }),
  };
}
