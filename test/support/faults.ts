// Rules of the local server's faults that many tests need.
import type { Json } from '../../src/base/json.ts';
import type { FaultRule } from '../../src/control-plane/index.ts';

/** The fault strikes all that is so, each time. */
export const always = (when: NonNullable<FaultRule['when']>, fault: FaultRule['fault']): FaultRule => ({
  when,
  times: 'always',
  fault,
});

/** Such requests are always answered with `status`, and the service has done nothing. */
export function refuses(when: NonNullable<FaultRule['when']>, status: number, body: string = '{}'): FaultRule {
  return always(when, { kind: 'reply', commit: false, status, body });
}

/** Replies at this path always show `value` at a place of theirs. */
export function shows(path: string, at: string, value: Json): FaultRule {
  return always({ method: 'GET', path }, { kind: 'rewrite', at, value });
}

/** Such operations always fail, though what they were for is done. */
export function fails(action: string): FaultRule {
  return always({ action }, { on: 'operation', kind: 'fail', applied: true });
}
