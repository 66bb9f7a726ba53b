// One step as JSON: what is done, and what must hold right before it.
import type { Json, JsonObject } from '../base/json.ts';
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
