// The record of a plan: its whole input, from which the same plan can be made again.
import { canonicalJson } from '../base/json.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { OperationHistory, OperationRecord } from '../model/live.ts';
import type { Plan } from '../model/outcome/plan.ts';
import type { PlanInput } from './input.ts';
import type { KindRules } from './kind-rules.ts';
import { makePlan } from './make-plan.ts';

export interface PlanRecord {
  readonly input: Omit<PlanInput, 'kinds' | 'made' | 'removals'>;
  /** Diagnostics of the files, which come before those of the plan. */
  readonly before: readonly Diagnostic[];
  /** Diagnostics of the compared files, which come after those of the plan. */
  readonly after: readonly Diagnostic[];
}

export function planOfRecord({ input, before, after }: PlanRecord, kinds: readonly KindRules[]): Plan {
  const plan = makePlan({ ...input, kinds });
  return { ...plan, diagnostics: [...before, ...plan.diagnostics, ...after] };
}

/** The record with shortened logs, if it makes the same plan; else the whole record. */
export function shortRecord(record: PlanRecord, kinds: readonly KindRules[]): PlanRecord {
  const { live } = record.input;
  if (live.histories.size === 0) return record;
  const histories = new Map([...live.histories].map(([id, history]) => [id, shortened(history)]));
  const short = { ...record, input: { ...record.input, live: { ...live, histories } } };
  return shownBy(planOfRecord(short, kinds)) === shownBy(planOfRecord(record, kinds)) ? short : record;
}

/** Keeps the newest operation of each resource, action and status, and the oldest of all, which shows how far back the log goes. */
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

function shownBy({ changes, steps, upkeep, unread, diagnostics, summary }: Plan): string {
  return canonicalJson({ changes, steps, upkeep, unread, diagnostics, summary });
}
