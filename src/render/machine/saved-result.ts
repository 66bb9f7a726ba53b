// Reads the result of a run from JSON (`schemas/result.schema.json`).
import type { JsonObject } from '../../base/json.ts';
import { cameled } from '../../base/naming-case.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { ResultStep, Result } from '../../model/generated/types.ts';
import { Result as validResult } from '../../model/generated/validators.js';
import type { RunResult, StepResult } from '../../model/outcome/result.ts';
import { diagnosticFromJson } from './diagnostics-json.ts';

/** Returns undefined if the JSON is not a result. */
export function resultFromJson(json: unknown): RunResult | undefined {
  if (!validResult(json)) return undefined;
  const value = json as Result;
  return {
    status: value.status,
    planHash: value.plan_hash,
    steps: value.steps.map(stepFromJson),
    upkeep: value.upkeep ?? [],
    resources: resourcesFromJson(value),
    counts: { satisfied: 0, ...cameled(value.counts) },
    diagnostics: value.diagnostics.map(diagnosticFromJson),
    requests: value.requests,
    seconds: value.seconds,
    secretsAtRisk: value.secrets_at_risk,
    vacated: (value.without_primary ?? []).map((id) => ({ id, diagnostic: vacatedIn(value, id) })),
  };
}

/** Members that all resources have as text or null become columns; other members are omitted. */
function resourcesFromJson({ resources }: Result): RunResult['resources'] {
  const all = Object.entries(resources).map(([address, one]) => [address, one as unknown as JsonObject] as const);
  const inAll = (member: string): boolean =>
    all.every(([, one]) => typeof one[member] === 'string' || one[member] === null);
  return Object.fromEntries(
    all.map(([address, { id, pinned, ...rest }]) => {
      const columns = Object.entries(rest).filter(([member]) => inAll(member)) as [string, string | null][];
      return [address, { id: String(id), columns: Object.fromEntries(columns), pinned: pinned !== false }];
    }),
  );
}

/** The result's diagnostic about the resource `id`, which lost its primary; a general one if the result has none. */
function vacatedIn({ diagnostics }: Result, id: string): Diagnostic {
  const said = diagnostics.find(({ code, summary }) => code === 'without_primary' && summary.includes(id));
  if (said !== undefined) return diagnosticFromJson(said);
  return { severity: 'warning', code: 'without_primary', message: `${id} had a primary when this run began` };
}

function stepFromJson({ operations, started_at: began, elapsed_seconds: elapsed, ...step }: ResultStep): StepResult {
  return {
    ...cameled(step),
    operations: operations.map(cameled),
    startedAtMs: began === null ? null : Date.parse(began),
    elapsedMs: elapsed === null ? null : Math.round(elapsed * 1000),
  };
}
