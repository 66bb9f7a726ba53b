// Rules of the local server's faults that many tests need.
import type { Json } from '../../src/base/json.ts';
import type { FaultRule } from '../../src/control-plane/index.ts';

/** Such requests are always answered with `status`, and the service has done nothing. */
export function refuses(when: NonNullable<FaultRule['when']>, status: number, body: string = '{}'): FaultRule {
  return { when, times: 'always', fault: { kind: 'reply', commit: false, status, body } };
}

/** Replies at this path always show `value` at a place of theirs. */
export function shows(path: string, at: string, value: Json): FaultRule {
  return { when: { method: 'GET', path }, times: 'always', fault: { kind: 'rewrite', at, value } };
}

/** Such operations always fail, though what they were for is done. */
export function fails(action: string): FaultRule {
  return { when: { action }, times: 'always', fault: { on: 'operation', kind: 'fail', applied: true } };
}
