// Soft-deletes projects and branches; lists, recovers and purges soft-deleted ones.
import { isoTime } from '../../../base/time/clock.ts';
import type { Engine } from '../engine/engine.ts';
import { presentBranch, type BranchRecord } from '../branch/record.ts';
import type { ComputeRecord } from '../compute/record.ts';
import { recoverableUntilMs, type ShelfRecord } from './record.ts';

export function shelve(engine: Engine, record: ShelfRecord): string {
  engine.put('shelf', record);
  return isoTime(recoverableUntilMs(record));
}

export function presentShelved(branch: BranchRecord, shelf: ShelfRecord): Record<string, unknown> {
  const recovery = { ...recoveryOf(shelf), deletion_method: shelf.method };
  return { ...presentBranch(branch), pending_state: 'storage_deleted', recovery };
}

export function recoveryOf(shelf: ShelfRecord): Record<string, string> {
  return { deleted_at: isoTime(shelf.deletedMs), recoverable_until: isoTime(recoverableUntilMs(shelf)) };
}

export function unshelve(engine: Engine, record: ShelfRecord, atMs: number): ComputeRecord[] {
  engine.remove('shelf', record.id);
  if (record.project !== undefined) engine.put('projects', { ...record.project, activityMs: atMs, updatedMs: atMs });
  const computes = record.computes.map((compute): ComputeRecord => {
    const { pendingState: _pending, ...rest } = compute;
    return { ...rest, currentState: 'idle', suspendedMs: record.deletedMs, updatedMs: atMs };
  });
  for (const branch of record.branches) engine.put('branches', branch);
  for (const compute of computes) engine.put('computes', compute);
  return computes;
}

/** Deletes a branch for good seven days after its deletion, or a project with its permissions and soft-deleted branches. */
export function purge(engine: Engine, id: string, atMs: number): void {
  const record = engine.live.shelf.get(id);
  if (record === undefined || recoverableUntilMs(record) > atMs) return;
  engine.remove('shelf', id);
  if (record.kind !== 'project') return;
  for (const other of engine.live.shelf.of.get(id)) engine.remove('shelf', other.id);
  for (const permission of engine.live.permissions.of.get(id)) engine.remove('permissions', permission.id);
}
