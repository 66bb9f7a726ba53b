// Repairs a failed change: every managed value is sent again, even if it reads right.
import { attributeAt } from '../../model/attributes.ts';
import type { JsonObject } from '../../base/json.ts';
import type { DesiredResource } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { OperationRecord } from '../../model/live.ts';
import { coversPath, withValue } from '../../model/paths.ts';
import type { Binding } from '../match/match-state.ts';
import { managedLeaves, type Difference } from './difference.ts';
import type { Scope } from '../scope.ts';

export interface Repair {
  /** Managed values to send again; empty when the file manages none that can be sent. */
  readonly send: JsonObject;
  readonly restarts: boolean;
  readonly notes: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

export function repairOf(scope: Scope, { desired }: Binding, difference: Difference, failed: OperationRecord): Repair {
  const { rules } = scope;
  const heldPaths = difference.held.map(({ path }) => path);
  const leaves = managedLeaves(desired).filter(
    ({ path }) =>
      path !== 'name' &&
      attributeAt(rules, path).change === 'update' &&
      !heldPaths.some((held) => coversPath(held, path)),
  );
  const note = failedWords(failed);
  let send: JsonObject = {};
  for (const { segments, value } of leaves) send = withValue(send, segments, value);
  return {
    send,
    restarts: leaves.some(({ path }) => attributeAt(rules, path).restarts),
    notes: [leaves.length > 0 ? `${note}; the managed attributes are sent again` : note],
    diagnostics: leaves.length > 0 ? [] : [nothingToSend(desired, note)],
  };
}

/** The note on a failure of an idle resource: its next start applies everything. */
export function appliedAtStart(failed: OperationRecord): string {
  return `${failedWords(failed)}; the next start applies the configured values`;
}

/** `the last apply_config (ID) ended as failed: WHY`. */
function failedWords({ id, action, status, error }: OperationRecord): string {
  return `the last ${action} (${id}) ended as ${status}${error === null ? '' : `: ${error}`}`;
}

function nothingToSend(desired: DesiredResource, note: string): Diagnostic {
  return {
    severity: 'warning',
    code: 'last_operation_failed',
    message: `${desired.address}: ${note}, and the file has no attribute of the resource to send again`,
    hint: 'Write an attribute of the resource in the file, or change an attribute by hand.',
    address: desired.address,
    range: desired.source,
  };
}
