// Opens a saved plan: makes the plan again from its record (files, flags, live state), and refuses the saved plan if any member differs.
import { canonicalJson, digestOf, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { defined, present } from '../../base/picked.ts';
import { inert } from '../../base/text/inert.ts';
import type { Comparison } from '../../model/outcome/guard.ts';
import type { PlanFile, PlanWindows } from '../../model/generated/types.ts';
import { PlanFile as isPlanFile } from '../../model/generated/validators.js';
import type { Plan } from '../../model/outcome/plan.ts';
import type { KindRules } from '../kind-rules.ts';
import { planJson } from './forms.ts';
import { planToJson, recordFromJson, VERSION, type PlannedFiles } from './plan-json.ts';
import { planOfRecord, type PlanRecord } from '../make-plan.ts';
import { isTimeZone } from '../guard/limits.ts';

export interface OpenedPlan {
  readonly plan: Plan;
  readonly record: PlanRecord;
  readonly expiresAtMs: number | null;
  readonly madeAtMs: number;
  readonly comparison: Comparison | null;
  readonly files: PlannedFiles | null;
}

/** Says why a file is refused; `plan_altered` means that the plan was changed after trueup made it. */
interface PlanProblem {
  readonly problem: string;
  readonly code: 'usage' | 'plan_altered';
}

/** Opens a saved plan by making it again from its record. `toolVersion` is the version of this program. */
export function openPlan(
  json: Json,
  { kinds, toolVersion }: { readonly kinds: readonly KindRules[]; readonly toolVersion: string },
): OpenedPlan | PlanProblem {
  const details = isJsonObject(json) ? json['trueup'] : undefined;
  if (!isJsonObject(json) || !isJsonObject(details)) return refused('the file is not a plan of trueup');
  const { version } = details;
  if (typeof version === 'number' && version > VERSION)
    return refused(`the plan has format ${version}, but this version of trueup reads up to ${VERSION}`);
  if (version === 1)
    return refused('an older version of trueup made the plan and recorded too little to check the plan');
  const { plan_digest: digest, signature: _signature, ...rest } = details;
  const unsigned: JsonObject = { ...json, trueup: rest };
  if (digest !== digestOf(unsigned)) return altered('the plan was changed later (plan_digest does not match)');
  if (!isSavedPlan(json)) return refused('this version of trueup cannot read the plan');
  const zone = unknownTimeZone([...json.trueup.windows, ...json.trueup.made_from.desired.safety]);
  if (zone !== null)
    return refused(`this machine does not know the time zone ${inert(zone, 64)} of the safety windows`);
  const opened = madeAgain(json, kinds);
  const different = opened === null ? 'trueup.made_from' : firstDifference(opened.json, json);
  if (opened === null || different !== null) return altered(alteredWords(different ?? '', json, toolVersion));
  return opened.plan;
}

function unknownTimeZone(blocks: readonly PlanWindows[]): string | null {
  const zones = blocks.flatMap(({ windows }) => windows.map(({ time_zone: timeZone }) => timeZone));
  return zones.find((zone) => !isTimeZone(zone)) ?? null;
}

function refused(problem: string): PlanProblem {
  return { problem, code: 'usage' };
}

function altered(problem: string): PlanProblem {
  return { problem, code: 'plan_altered' };
}

function alteredWords(path: string, { trueup }: PlanFile, toolVersion: string): string {
  const words = `${inert(path, 200)} differs from the plan that its recorded files, flags and live state give`;
  return trueup.tool_version === toolVersion
    ? `${words}: the plan was changed after it was made`
    : `${words}: the plan was changed after it was made, or another version made it (${inert(trueup.tool_version, 32)}; this is ${toolVersion})`;
}

function isSavedPlan(json: unknown): json is PlanFile {
  return isPlanFile(json);
}

function madeAgain(
  { timestamp, trueup }: PlanFile,
  kinds: readonly KindRules[],
): { readonly plan: OpenedPlan; readonly json: JsonObject } | null {
  try {
    const { base_url: baseUrl, store, files = null, compare, expires_at: expiresAt } = trueup;
    const record = recordFromJson(trueup.made_from, { baseUrl, ...defined({ store }) });
    const plan = planOfRecord(record, kinds);
    const comparison = compare === undefined ? null : (planJson.read(compare, 'PlanComparison') as Comparison);
    const again = planToJson(plan, {
      timestamp,
      toolVersion: trueup.tool_version,
      expiresInMs: trueup.made_from.expires_in_ms,
      comparison,
      ...present({ files }),
      record,
    });
    const expiresAtMs = expiresAt === null ? null : Date.parse(expiresAt);
    return { plan: { plan, record, expiresAtMs, madeAtMs: Date.parse(timestamp), comparison, files }, json: again };
  } catch {
    // The rules of kinds trust their input: a forged record can make any of them throw.
    return null;
  }
}

/** Returns the path of the first member that differs, the signature aside; null if none does. */
function firstDifference(made: JsonObject, found: unknown): string | null {
  const { trueup, ...others } = found as JsonObject;
  const { signature: _signature, ...details } = trueup as JsonObject;
  const whole: JsonObject = { ...others, trueup: details };
  return canonicalJson(made) === canonicalJson(whole) ? null : pathOfDifference(made, whole);
}

function pathOfDifference(made: Json, found: Json): string {
  if (typeof made !== 'object' || typeof found !== 'object' || made === null || found === null) return '';
  const [one, other] = [made as JsonObject, found as JsonObject];
  // A digest differs whenever another member does, so digests come last, and the result names the cause.
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort(
    (a, b) => Number(isDigest(a)) - Number(isDigest(b)),
  );
  for (const name of names) {
    const [left, right] = [one[name], other[name]];
    if (left === undefined || right === undefined) return name;
    if (canonicalJson(left) === canonicalJson(right)) continue;
    const inner = pathOfDifference(left, right);
    return inner === '' ? name : `${name}.${inner}`;
  }
  return '';
}

function isDigest(name: string): boolean {
  return name === 'plan_digest' || name === 'plan_hash';
}
