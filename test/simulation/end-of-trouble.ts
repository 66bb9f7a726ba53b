// What is left when the faults are off, as one text: from equal texts on, everything goes the same way.
import { hash } from 'node:crypto';
import type { Story } from './laws/story.ts';
import type { Schedule } from './schedule.ts';

/**
 * A digest of all that the runs after this moment depend on: the records of the control plane (its queue of due things is made
 * of them at any start), its log and ledger, the disk, the store of secrets, the time, the state of chance, the processes, and
 * what the laws make of the schedule. Null where a request is still on its way.
 */
export function endOfTrouble(schedule: Schedule, { site, leniency, runs }: Story): string | null {
  if (leniency.lateCommits || leniency.othersWrite) return null;
  const { live, meta, store } = site.plane.engine;
  const tables = Object.values(live);
  const parts = [
    [schedule.workload.name, schedule.seed, schedule.operationMs ?? null, leniency, site.slow, runs.length],
    [schedule.nature ?? [], schedule.repairs ?? null],
    [site.time.nowMs, site.draws(), site.lives.map(({ isDead }) => isDead)],
    [meta, tables.map((table) => [...table.values()])],
    [store.past({ limit: Number.MAX_SAFE_INTEGER }), store.ledger(0, Infinity)],
    [[...site.keyValues], [...site.consumers], [...site.vault]],
  ];
  const text = JSON.stringify(parts, (_name, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
  return hash('sha256', `${text}\n${site.disk.snapshot()}`);
}
