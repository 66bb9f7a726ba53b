// A store in memory: for tests, simulations and --ephemeral.
import type { OperationRecord } from '../resources/operation/record.ts';
import type { LedgerEntry, PastPlace, PastQuery } from '../core/store.ts';
import type { Store } from '../resources/engine/engine.ts';

export function createMemoryStore(): Store {
  const byProject = new Map<string, OperationRecord[]>();
  const byId = new Map<string, OperationRecord>();
  const ledger: LedgerEntry[] = [];
  const upsert = (record: OperationRecord): void => {
    const list = byProject.get(record.projectId) ?? [];
    byProject.set(record.projectId, list);
    byId.set(record.id, record);
    // The list is sorted by time and sequence number. The search starts at the end, near which most operations belong.
    let at = list.length;
    while (at > 0 && isBefore(record, list[at - 1] as OperationRecord)) at--;
    if (at > 0 && list[at - 1]?.seq === record.seq) list[at - 1] = record;
    else list.splice(at, 0, record);
  };
  const commit: Store['commit'] = (batch) => {
    for (const { table, record } of batch.changes)
      if (table === 'operations' && record !== undefined) upsert(record as OperationRecord);
    for (const entry of batch.ledger) ledger.push(entry);
  };
  return {
    load: () => ({ meta: undefined, tables: [] }),
    commit,
    replace: (batch) => {
      byProject.clear();
      byId.clear();
      ledger.length = 0;
      commit(batch);
    },
    complete: () => undefined,
    past: (query) => page(query, byProject),
    pastOne: (id) => byId.get(id),
    ledger: (after, limit) => ledger.slice(after, after + limit),
    close: () => undefined,
  };
}

function isBefore(a: PastPlace, b: PastPlace): boolean {
  return a.createdMs < b.createdMs || (a.createdMs === b.createdMs && a.seq < b.seq);
}

function page(query: PastQuery, byProject: ReadonlyMap<string, OperationRecord[]>): OperationRecord[] {
  const list =
    query.projectId === undefined
      ? [...byProject.values()].flat().sort((a, b) => (isBefore(a, b) ? -1 : 1))
      : (byProject.get(query.projectId) ?? []);
  const result: OperationRecord[] = [];
  for (let at = list.length - 1; at >= 0 && result.length < query.limit; at--) {
    const operation = list[at] as OperationRecord;
    if (query.before === undefined || isBefore(operation, query.before)) result.push(operation);
  }
  return result;
}
