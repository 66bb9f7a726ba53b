// The verdict of a kind on a declaration. While nobody knows the time it has all that any time would ask for, so that guards can hold that back.
import type { Intent, KindRules, Verdict } from '../kind-rules.ts';
import type { Scope } from '../scope.ts';

/** By then every time has come that a file can name. */
const END_OF_TIMES_MS = Date.UTC(9999, 11, 31);

/** Guards hold back what this adds: whether it is wanted depends on the time alone. */
export function verdictAtAnyTime(
  { rules, isTimeUnknown }: Pick<Scope, 'rules' | 'isTimeUnknown'>,
  input: Parameters<KindRules['verdict']>[0],
): Verdict {
  const now = rules.verdict(input);
  if (!isTimeUnknown) return now;
  const then = rules.verdict({ ...input, context: { ...input.context, nowMs: END_OF_TIMES_MS } });
  const known = new Set(now.intents.map(keyOf));
  const more = then.intents.filter((intent) => !known.has(keyOf(intent)));
  const isUnjudged = (now.unread ?? []).length === 0 && (then.unread ?? []).length > 0;
  return {
    ...now,
    intents: [...now.intents, ...more.map((intent) => ({ ...intent, reasons: [UNKNOWN] }))],
    ...(isUnjudged ? { unread: then.unread ?? [], diagnostics: then.diagnostics } : {}),
  };
}

const UNKNOWN = 'the time at the service is not known';

function keyOf({ action, target }: Intent): string {
  return `${action} ${target?.id ?? ''}`;
}
