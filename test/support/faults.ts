// Rules of the local server's faults that many tests need.
import type { FaultRule } from '../../src/control-plane/index.ts';

/** Such requests are always answered with `status`, and the service has done nothing. */
export function refuses(when: NonNullable<FaultRule['when']>, status: number, body: string = '{}'): FaultRule {
  return { when, times: 'always', fault: { kind: 'reply', commit: false, status, body } };
}
