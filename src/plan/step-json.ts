// One step as JSON, and back.
import type { Json, JsonObject } from '../base/json.ts';
import type { PlanExpectation, PlanStep } from '../model/generated/types.ts';
import type { Expectation, Pool, Step } from '../model/plan.ts';

export function stepToJson(step: Step): JsonObject {
  return {
    id: step.id,
    address: step.address,
    kind: step.kind,
    action: step.action,
    project_id: step.projectId,
    method: step.method,
    path: step.path,
    body: step.body,
    needs: step.needs,
    expects: expectationToJson(step.expects),
    achieves: step.achieves,
    options: step.options,
  };
}

export function expectationToJson(expects: Expectation): JsonObject {
  if (expects.state === 'absent') return { state: 'absent', joins: poolToJson(expects.joins) };
  const { state, id, attributes, fingerprint, joins } = expects;
  const { lasting, passing, restsOn } = fingerprint;
  return {
    state,
    id,
    attributes,
    fingerprint: { lasting, passing, rests_on: restsOn },
    joins: joins === null ? null : poolToJson(joins),
  };
}

function poolToJson({ where, known }: Pool): Json {
  return { where, known };
}

export function stepFromJson(json: PlanStep): Step {
  return {
    id: json.id,
    address: json.address,
    kind: json.kind,
    action: json.action,
    projectId: json.project_id,
    method: json.method,
    path: json.path,
    body: json.body as JsonObject | null,
    needs: json.needs,
    expects: expectationFromJson(json.expects),
    achieves: json.achieves as JsonObject | null,
    options: json.options as JsonObject,
  };
}

function expectationFromJson({ state, id, attributes, fingerprint, joins }: PlanExpectation): Expectation {
  const pool = joins === null ? null : { where: joins.where as JsonObject, known: joins.known };
  if (state === 'absent') return { state, joins: pool ?? { where: {}, known: [] } };
  return {
    state,
    id: id ?? '',
    attributes: (attributes ?? {}) as JsonObject,
    fingerprint: {
      lasting: (fingerprint?.lasting ?? {}) as JsonObject,
      passing: (fingerprint?.passing ?? {}) as JsonObject,
      restsOn: fingerprint?.rests_on ?? [],
    },
    joins: pool,
  };
}
