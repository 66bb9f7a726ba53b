// Resources that a killed run made and could not report any more: the next run reports them, so that their ids can still be written down.
import type { Json, JsonObject } from '../../base/json.ts';
import { isWhatReplyTold } from '../../kinds/shared/made-by.ts';
import type { LiveResource } from '../../model/live.ts';
import type { ApplyParts } from '../parts.ts';
import type { ApplyRequest } from '../types.ts';

/**
 * Tells what the plan takes for the very addresses for which a run without an end made it: the id and the time of its making must be what the
 * reply told then. The journal decides nothing by this: the plan has matched them already.
 */
export async function tellMadeBefore(
  { workspace }: ApplyParts,
  { plan, onMade }: ApplyRequest,
  live: readonly LiveResource[],
): Promise<void> {
  if (onMade === undefined) return;
  const found = new Map(live.map((one) => [`${one.kind} ${one.id}`, one]));
  for (const orphan of await workspace.orphans()) {
    const { kind, address, id } = orphan;
    if (orphan['killed'] !== true || typeof id !== 'string') continue;
    const change = plan.changes.find((one) => one.kind === kind && one.address === address && one.resourceId === id);
    const resource = found.get(`${String(kind)} ${id}`);
    const stays = change !== undefined && change.action !== 'replace' && change.after !== null;
    if (!stays || resource === undefined) continue;
    if (isWhatReplyTold(timesOf(orphan), resource.createdAtMs) === 'yes') onMade(change.address, id);
  }
}

function timesOf({ at_ms: atMs, made_at_ms: madeAtMs }: JsonObject): Parameters<typeof isWhatReplyTold>[0] {
  return { atMs: numberOf(atMs), madeAtMs: numberOf(madeAtMs) };
}

function numberOf(value: Json | undefined): number | null {
  return typeof value === 'number' ? value : null;
}
