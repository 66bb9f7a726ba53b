// Repair of a change that failed: what the file manages is sent again, even where it already reads right.
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

export function repairOf(
  scope: Scope,
  { desired, live }: Binding,
  difference: Difference,
  failed: OperationRecord,
): Repair {
  const { rules } = scope;
  const heldPaths = difference.held.map(({ path }) => path);
  const leaves = managedLeaves(desired).filter(
    ({ path }) => rules.attribute(path).onChange === 'update' && !heldPaths.some((held) => coversPath(held, path)),
  );
  const why = failed.error === null ? '' : `: ${failed.error}`;
  const note = `its last ${failed.action} (${failed.id}) ended as ${failed.status}${why}`;
  const atRest = live !== null && rules.isAtRest?.(live) === true;
  let send: JsonObject = {};
  for (const { segments, value } of leaves) send = withValue(send, segments, value);
  return {
    send,
    restarts: !atRest && leaves.some(({ path }) => rules.attribute(path).restarts),
    notes: [
      leaves.length > 0 ? `${note}; what the file manages is sent again` : note,
      ...(atRest && leaves.length > 0 ? ['it is not running: sending it again drops nothing'] : []),
    ],
    diagnostics: leaves.length > 0 ? [] : [nothingToSend(desired, note)],
  };
}

function nothingToSend(desired: DesiredResource, note: string): Diagnostic {
  return {
    severity: 'warning',
    code: 'last_operation_failed',
    message: `${desired.address}: ${note}, but the file manages no attribute that could be sent again`,
    hint: 'manage an attribute of it, or change one by hand',
    address: desired.address,
    range: desired.source,
  };
}
