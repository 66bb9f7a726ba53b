// One step as JSON: what is done, and what must hold right before it.
import type { JsonObject } from '../../base/json.ts';
import { snaked } from '../../base/naming-case.ts';
import type { Expectation, Step } from '../../model/outcome/plan.ts';

export function stepToJson(step: Step): JsonObject {
  return { ...snaked(step), expects: expectationToJson(step.expects) };
}

export function expectationToJson(expects: Expectation): JsonObject {
  if (expects.state === 'absent') return { state: 'absent', joins: { ...expects.joins } };
  const { fingerprint, joins, ...rest } = expects;
  return { ...rest, fingerprint: snaked(fingerprint), joins: joins === null ? null : { ...joins } };
}
