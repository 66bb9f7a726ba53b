// Opens a saved plan: makes the plan again from its record (files, flags, live state), and refuses the saved plan if any member differs.
import { digestOf, isJsonObject, objectOf, type Json, type JsonObject } from '../../base/json.ts';
import { defined, present } from '../../base/picked.ts';
import { inert } from '../../base/text/inert.ts';
import type { Comparison } from '../../model/outcome/guard.ts';
import type { PlanFile } from '../../model/generated/types.ts';
import { PlanFile as isPlanFile } from '../../model/generated/validators.js';
import type { Plan } from '../../model/outcome/plan.ts';
import type { KindRules } from '../kind-rules.ts';
import { planJson } from './forms.ts';
import { planToJson, recordFromJson, VERSION, type PlannedFiles } from './plan-json.ts';
import { planOfRecord, type PlanRecord } from '../make-plan.ts';

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
  const { plan_digest: digest, signature: _signature, ...rest } = details;
  const unsigned: JsonObject = { ...json, trueup: rest };
  if (digest !== digestOf(unsigned)) return altered('the plan was changed later (plan_digest does not match)');
  if (!isSavedPlan(json)) return refused('this version of trueup cannot read the plan');
  const opened = madeAgain(json, kinds);
  return opened?.digest === digest ? opened.plan : altered(alteredWords(json, toolVersion));
}

function refused(problem: string): PlanProblem {
  return { problem, code: 'usage' };
}

function altered(problem: string): PlanProblem {
  return { problem, code: 'plan_altered' };
}

function alteredWords({ trueup }: PlanFile, toolVersion: string): string {
  const words = 'the plan differs from the one that its recorded files, flags and live state give';
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
): { readonly plan: OpenedPlan; readonly digest: Json | undefined } | null {
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
    const opened = { plan, record, expiresAtMs, madeAtMs: Date.parse(timestamp), comparison, files };
    return { plan: opened, digest: objectOf(again['trueup'])['plan_digest'] };
  } catch {
    // The rules of kinds trust their input: a forged record can make any of them throw.
    return null;
  }
}
