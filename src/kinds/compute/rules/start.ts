// A start that failed: no difference, since the next access starts a compute again, but never passed over in silence.
import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { DesiredResource } from '../../../model/desired.ts';
import type { LiveResource } from '../../../model/live.ts';
import { hasFailed } from '../../../model/operations/status.ts';
import type { KindContext, KindRules } from '../../../plan/kind-rules.ts';
import { missingBranch, unseenBranch } from '../branches.ts';
import { restartVerdict } from './restart.ts';

/** What restarts ask for, what is to be said of its branch, and a warning where the newest start failed and it has not run since. */
export const computeVerdict: KindRules['verdict'] = (input) => {
  const { desired, live, context } = input;
  const { notes, diagnostics, ...verdict } = restartVerdict(input);
  const warning = live === null || desired.absent ? null : failedStart(desired, live, context);
  return {
    ...verdict,
    notes: [...notes, ...unseenBranch(desired, live, context)],
    diagnostics: [...diagnostics, ...missingBranch(desired, live, context), ...(warning === null ? [] : [warning])],
  };
};

/** States are never compared ("Compute current_state": idle becomes active on any access), so this can only be told. */
function failedStart(desired: DesiredResource, live: LiveResource, { history }: KindContext): Diagnostic | null {
  const newest = history?.operations.find(
    ({ resourceId, action }) => resourceId === live.id && action === 'start_compute',
  );
  if (newest === undefined || !hasFailed(newest)) return null;
  const state = live.observed['current_state'];
  if (state === 'active' || live.spec['disabled'] === true) return null;
  const why = newest.error === null ? '' : ` (${newest.error})`;
  return {
    severity: 'warning',
    code: 'start_failed',
    message: `the last start of ${desired.address} (start_compute ${newest.id}) ended as ${newest.status}${why}; its state is ${typeof state === 'string' ? state : 'not running'}`,
    hint: 'The next connection starts the compute again. If that start fails too, delete the compute and apply to re-create it, or ask the service.',
    address: desired.address,
    range: desired.source,
  };
}
