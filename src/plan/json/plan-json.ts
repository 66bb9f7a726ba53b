// Writes a plan, and the digest of its files, as JSON (`schemas/plan.schema.json`): a Terraform plan with trueup's members under `trueup`.
import { digestOf, type Json, type JsonObject, canonicalJson, compareText } from '../../base/json.ts';
import type { Comparison } from '../../model/outcome/guard.ts';
import { hasErrors, type Diagnostic } from '../../model/diagnostic.ts';
import type { PlanFile } from '../../model/generated/types.ts';
import { isWhole, type Plan } from '../../model/outcome/plan.ts';
import type { LiveState } from '../../model/live.ts';
import type { PlanRecord } from '../make-plan.ts';
import { planJson, type OrderedChange } from './forms.ts';
import { present } from '../../base/picked.ts';
import type { DesiredProject, DesiredResource, DesiredState, SafetyLimits } from '../../model/desired.ts';

/** The version of the members under `trueup`; trueup refuses a plan with a newer version. */
export const VERSION = 2;

/** Some tools refuse a plan without a version of Terraform. */
const TERRAFORM_VERSION = '1.9.0';

interface PlanStamp {
  /** ISO 8601. */
  readonly timestamp: string;
  readonly toolVersion: string;
  /** Null for a plan that does not expire. */
  readonly expiresInMs: number | null;
  readonly comparison?: Comparison | null;
  /** Only for a saved plan: apply compares the present files with these. */
  readonly files?: PlannedFiles;
  readonly record: PlanRecord;
}

export interface PlannedFiles {
  /** As the user named them: files, folders, or `-`. */
  readonly paths: readonly string[];
  readonly overlays?: readonly string[];
  /** The digest of the files' texts, in the order of reading. */
  readonly digest: string;
}

export function planToJson(plan: Plan, stamp: PlanStamp): JsonObject {
  const { timestamp, toolVersion, expiresInMs, comparison, files, record } = stamp;
  const errored = hasErrors(plan.diagnostics);
  const details = planJson.write(
    {
      ...plan,
      version: VERSION,
      toolVersion,
      desiredDigest: desiredDigestOf(record.input.desired),
      histories: plan.options.noHistory ? 'not_read' : 'read',
      expiresAtMs: expiresInMs === null ? null : Date.parse(timestamp) + expiresInMs,
      files,
      comparison: comparison ?? undefined,
      madeFrom: { ...recordMembers(record), expiresInMs },
    },
    'PlanDetails',
  );
  const whole: JsonObject = {
    format_version: '1.2',
    terraform_version: TERRAFORM_VERSION,
    timestamp,
    applyable: !errored && plan.steps.length > 0,
    complete: !errored && isWhole(plan) && plan.summary.blocked === 0,
    errored,
    planned_values: { root_module: { resources: plannedValues(plan) } },
    resource_changes: ordered(plan).map((change) => planJson.write(change, 'PlanChange')),
    trueup: details,
  };
  return { ...whole, trueup: { ...details, plan_digest: digestOf(whole) } };
}

function ordered({ changes, steps }: Plan): readonly OrderedChange[] {
  const removals = steps.filter(
    ({ achieves, needs, address }) => achieves === null && needs.includes(`create:${address}`),
  );
  const madeFirst = new Set(removals.map(({ address }) => address));
  return changes.map((change) => (madeFirst.has(change.address) ? { ...change, isMadeFirst: true } : change));
}

function plannedValues(plan: Plan): Json[] {
  return plan.changes.flatMap(({ address, kind, name, after }) =>
    after === null
      ? []
      : [{ address, mode: 'managed', type: kind, name, provider_name: 'trueup', schema_version: 0, values: after }],
  );
}

/** Returns the members of the record, except `baseUrl` and `store`, which are members of the plan itself. */
function recordMembers({ input, before, after }: PlanRecord): object {
  const { desired, live, nowMs, clockDoubt, noHistory = false, problems = [] } = input;
  return {
    nowMs,
    clockDoubt: clockDoubt ?? undefined,
    options: { ...input, noHistory },
    desired,
    reading: live,
    said: { before, reading: problems, after },
  };
}

export function recordFromJson(
  json: PlanFile['trueup']['made_from'],
  service: { readonly baseUrl: string; readonly store?: string },
): PlanRecord {
  const { options, said, reading: live, ...record } = planJson.read(json, 'PlanRecord') as ReadRecord;
  const { before, reading: problems, after } = said;
  return { input: { ...service, clockDoubt: null, ...record, ...options, live, problems }, before, after };
}

interface ReadRecord extends Pick<PlanRecord['input'], 'desired' | 'nowMs' | 'clockDoubt'> {
  readonly options: Pick<PlanRecord['input'], 'consent' | 'allow' | 'due' | 'target' | 'exclude' | 'noHistory'>;
  readonly reading: LiveState;
  readonly said: Readonly<Record<'before' | 'reading' | 'after', readonly Diagnostic[]>>;
}

/** Returns the digest of what the files mean, without source ranges and without the operator's limits (`--safety`). */
export function desiredDigestOf(state: DesiredState): string {
  const { expect, projects, resources, accountPrune, projectsComplete, safety } = state;
  return digestOf({
    expect: expect === null ? null : { ...expect, source: undefined },
    projects: sortedBy(projects, ({ label }) => label).map(projectMeaning),
    resources: sortedBy(resources, ({ address }) => address).map(resourceMeaning),
    accountPrune: sortedBy(accountPrune, (kind) => kind),
    projectsComplete,
    safety: sortedBy(safety.filter(({ isOperators }) => isOperators !== true).map(limitsMeaning), canonicalJson),
  });
}

function sortedBy<T>(items: readonly T[], key: (item: T) => string): readonly T[] {
  return items.toSorted((a, b) => compareText(key(a), key(b)));
}

function projectMeaning({ sets, retention, ...project }: DesiredProject): unknown {
  const meanings = sets?.map((set) => ({ ...set, template: set.template.map(resourceMeaning) }));
  const rules = retention?.map((rule) => ({ ...rule, template: resourceMeaning(rule.template) }));
  return { ...project, source: undefined, sources: undefined, ...present({ sets: meanings, retention: rules }) };
}

function limitsMeaning(limits: SafetyLimits): unknown {
  return { ...limits, source: undefined };
}

function resourceMeaning(resource: DesiredResource): unknown {
  const { kind, address, pin, absent, isNew, movedFrom, spec, lifecycle, options } = resource;
  const hold = lifecycle.hold.map((one) => ({ ...one, source: undefined }));
  return { kind, address, pin, absent, isNew, movedFrom, spec, lifecycle: { ...lifecycle, hold }, options };
}
