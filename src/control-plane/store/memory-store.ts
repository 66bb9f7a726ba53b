// A store in memory: for tests, simulations and --ephemeral.
import type { OperationRecord } from '../resources/operation/record.ts';
import type { LedgerEntry, PastPlace, PastQuery } from '../core/store.ts';
import type { Store } from '../resources/engine/engine.ts';

export function createMemoryStore(): Store {
  const operations = new Map<string, OperationRecord>();
  const ledger: LedgerEntry[] = [];
  const commit: Store['commit'] = (batch) => {
    for (const { table, id, record } of batch.changes)
      if (table === 'operations' && record !== undefined) operations.set(id, record as OperationRecord);
    for (const entry of batch.ledger) ledger.push(entry);
  };
  return {
    load: () => ({ meta: undefined, tables: [] }),
    commit,
    replace: (batch) => {
      operations.clear();
      ledger.length = 0;
      commit(batch);
    },
    complete: () => undefined,
    past: (query) => page(query, [...operations.values()]),
    pastOne: (id) => operations.get(id),
    ledger: (after, limit) => ledger.slice(after, after + limit),
    close: () => undefined,
  };
}

function page({ projectId, before, limit }: PastQuery, operations: readonly OperationRecord[]): OperationRecord[] {
  const isMeant = (one: OperationRecord): boolean =>
    (projectId === undefined || one.projectId === projectId) && (before === undefined || isBefore(one, before));
  return operations
    .filter(isMeant)
    .sort((a, b) => (isBefore(a, b) ? 1 : -1))
    .slice(0, limit);
}

function isBefore(a: PastPlace, b: PastPlace): boolean {
  return a.createdMs < b.createdMs || (a.createdMs === b.createdMs && a.seq < b.seq);
}
