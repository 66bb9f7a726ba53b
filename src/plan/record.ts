// What a plan was made from. Whoever holds it can make the plan again: what is shown has to follow from it.
import { canonicalJson } from '../base/json.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { OperationHistory, OperationRecord } from '../model/live.ts';
import type { Plan } from '../model/outcome/plan.ts';
import type { PlanInput } from './input.ts';
import type { KindRules } from './kind-rules.ts';
import { makePlan } from './make-plan.ts';

export interface PlanRecord {
  readonly input: Omit<PlanInput, 'kinds' | 'made'>;
  /** Diagnostics of the files: they stand before those of the plan. */
  readonly before: readonly Diagnostic[];
  /** Diagnostics of what the plan was compared with: they stand after those of the plan. */
  readonly after: readonly Diagnostic[];
}

/** The plan, with all that is to be said of it. */
export function planOfRecord({ input, before, after }: PlanRecord, kinds: readonly KindRules[]): Plan {
  const plan = makePlan({ ...input, kinds });
  return { ...plan, diagnostics: [...before, ...plan.diagnostics, ...after] };
}

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

function shownBy({ changes, steps, upkeep, unread, diagnostics, summary }: Plan): string {
  return canonicalJson({ changes, steps, upkeep, unread, diagnostics, summary });
}
