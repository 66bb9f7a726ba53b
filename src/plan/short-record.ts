// A record without what the plan did not use: operation logs hold thousands of entries, and a plan rests on a few of them.
import { canonicalJson } from '../base/json.ts';
import type { OperationHistory, OperationRecord } from '../model/live.ts';
import type { Plan } from '../model/plan.ts';
import type { KindRules } from './kind-rules.ts';
import { planOfRecord } from './record.ts';
import type { PlanRecord } from './record.ts';

/** The shortest record known to make the same plan; the whole one where a shorter one does not. */
export function shortRecord(record: PlanRecord, kinds: readonly KindRules[]): PlanRecord {
  const { live } = record.input;
  if (live.histories.size === 0) return record;
  const histories = new Map([...live.histories].map(([id, history]) => [id, shortened(history)]));
  const short = { ...record, input: { ...record.input, live: { ...live, histories } } };
  return shownBy(planOfRecord(short, kinds)) === shownBy(planOfRecord(record, kinds)) ? short : record;
}

/** The newest of each sort for each resource, and the oldest of all, which tells how far back the log was read. */
function shortened({ operations, complete }: OperationHistory): OperationHistory {
  const seen = new Set<string>();
  const isUsed = ({ resourceId, action, status }: OperationRecord, at: number): boolean => {
    const sort = `${resourceId ?? ''} ${action} ${status}`;
    const isFirst = !seen.has(sort);
    seen.add(sort);
    return isFirst || at === operations.length - 1;
  };
  return { operations: operations.filter(isUsed), complete };
}

function shownBy({ changes, steps, unread, diagnostics, summary }: Plan): string {
  return canonicalJson({ changes, steps, unread, diagnostics, summary });
}
