// Writes the result of a run as JSON (`schemas/result.schema.json`).
import { defined } from '../../base/picked.ts';
import { isoTimeOrNull } from '../../base/time/clock.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { snaked } from '../../base/naming-case.ts';
import type { ResourceResult, RunResult, StepResult } from '../../model/outcome/result.ts';
import { diagnosticToJson } from './diagnostics-json.ts';

export function resultToJson(result: RunResult): JsonObject {
  return {
    format_version: '1.0',
    status: result.status,
    plan_hash: result.planHash,
    steps: result.steps.map(stepToJson),
    ...(result.upkeep.length === 0 ? {} : { upkeep: result.upkeep.map((one): Json => ({ ...one })) }),
    resources: resourcesToJson(Object.entries(result.resources)),
    counts: snaked(result.counts),
    requests: result.requests,
    seconds: result.seconds,
    diagnostics: result.diagnostics.map(diagnosticToJson),
    secrets_at_risk: result.secretsAtRisk.map((one): Json => defined(one)),
    without_primary: result.vacated.map(({ id }) => id),
  };
}

/** `{ADDRESS: {id, pinned}}`, with the columns and further members of each kind. */
export function resourcesToJson(resources: readonly (readonly [string, ResourceResult])[]): JsonObject {
  return Object.fromEntries(
    resources.map(([address, { id, columns, more = {}, pinned }]): [string, Json] => [
      address,
      { id, ...columns, ...more, pinned },
    ]),
  );
}

function stepToJson(step: StepResult): JsonObject {
  return {
    id: step.id,
    address: step.address,
    action: step.action,
    outcome: step.outcome,
    resource_id: step.resourceId,
    operations: step.operations.map(snaked),
    started_at: isoTimeOrNull(step.startedAtMs),
    elapsed_seconds: step.elapsedMs === null ? null : Math.round(step.elapsedMs) / 1000,
    attempts: step.attempts,
    message: step.message,
    ...(step.hint === undefined ? {} : { hint: step.hint }),
  };
}
