// Faults as they are typed: `KIND,MEMBER=VALUE,…`, a rule as JSON, or a whole plan as JSON.
import { isJsonObject, parseJson } from '../../base/json.ts';
import { FaultPlanError, isOfOperations, membersOfFault, requireFaultPlan } from './check-plan.ts';
import type { FaultPlan, FaultRule } from './plan.ts';

/** One plan from the texts: `latency,ms=200,times=always`, `fail,action=start_compute`, `{"rules": …}`. Throws FaultPlanError. */
export function faultPlanOf(texts: readonly string[]): FaultPlan {
  const plans = texts.map((text) =>
    requireFaultPlan(text.trimStart().startsWith('{') ? planOfJson(text) : planOf(text)),
  );
  const rules = plans.flatMap((plan) => plan.rules ?? []);
  const whole = Object.assign({}, ...plans) as FaultPlan;
  return rules.length === 0 ? whole : { ...whole, rules };
}

function planOfJson(text: string): unknown {
  try {
    const value = parseJson(text);
    return isJsonObject(value) && 'fault' in value ? { rules: [value] } : value;
  } catch {
    throw new FaultPlanError('the fault is not valid JSON');
  }
}

/** A word after the kind goes to the fault if it has such a member, `times` to the rule, and any other to what it is held against. */
function planOf(text: string): { readonly rules: readonly unknown[] } {
  const [kind = '', ...words] = text.split(',').map((word) => word.trim());
  const fault: Record<string, unknown> = { kind, ...(isOfOperations(kind) ? { on: 'operation' } : {}) };
  const when: Record<string, unknown> = {};
  const rule: Partial<Record<keyof FaultRule, unknown>> = {};
  const own = membersOfFault(kind);
  for (const word of words) {
    const [name = '', ...rest] = word.split('=');
    if (rest.length === 0) throw new FaultPlanError(`${JSON.stringify(word)}: expected MEMBER=VALUE after the kind`);
    const value = LISTS.has(name) ? rest.join('=').split('|') : valueOf(rest.join('='));
    if (own.includes(name)) fault[name] = value;
    else if (name === 'times') rule.times = value;
    else when[name] = value;
  }
  return { rules: [{ ...rule, ...(Object.keys(when).length === 0 ? {} : { when }), fault }] };
}

/** Members that are lists: their items have a `|` between them. */
const LISTS: ReadonlySet<string> = new Set(['projects']);

/** A number or truth value as itself, and all else as text. */
function valueOf(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}
