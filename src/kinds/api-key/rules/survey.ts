// What is worth saying of all keys of the account together: those that nobody uses, and too many of them.
import { inert } from '../../../base/text/inert.ts';
import { listOf, plural } from '../../../base/text/words.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { LiveResource } from '../../../model/live.ts';
import { keyWords, liveKey, type LiveKey } from '../live-key.ts';

/** Fewer than 10,000 keys are recommended (api-rules 13.1). */
const RECOMMENDED_KEYS = 10_000;
const NEAR = 0.9;
/** A key that nobody used for so long is unused. */
const UNUSED_MS = 90 * 86_400_000;
/** A key that was just made had no time to be used. */
const GRACE_MS = 86_400_000;
const SHOWN = 5;

/** `live` sorted as the plan sorts it. */
export function surveyKeys(live: readonly LiveResource[], nowMs: number): readonly Diagnostic[] {
  const keys = live.map(liveKey);
  const unused = keys.filter((key) => isUnused(key, nowMs));
  // Where the service shows no use at all, it does not count uses.
  const isCounted = keys.some((key) => key.lastUsedAtMs !== null);
  return [
    ...(unused.length > 0 && isCounted ? [unusedKeys(unused, nowMs)] : []),
    ...(keys.length >= RECOMMENDED_KEYS * NEAR ? [manyKeys(keys.length)] : []),
  ];
}

/** Never used, or not for 90 days. */
function isUnused({ lastUsedAtMs, createdAtMs }: LiveKey, nowMs: number): boolean {
  if (lastUsedAtMs !== null) return nowMs - lastUsedAtMs >= UNUSED_MS;
  return createdAtMs === null || nowMs - createdAtMs >= GRACE_MS;
}

function unusedKeys(unused: readonly LiveKey[], nowMs: number): Diagnostic {
  const shown = unused.slice(0, SHOWN).map((key) => `${inert(JSON.stringify(key.name), 80)} (${keyWords(key, nowMs)})`);
  const more = unused.length > SHOWN ? [`${unused.length - SHOWN} more`] : [];
  return {
    severity: 'warning',
    code: 'unused_keys',
    message: `${plural(unused.length, 'key')} not used within 90 days: ${listOf([...shown, ...more])}`,
    hint: 'Revoke a key that is not needed: write state: absent.',
  };
}

function manyKeys(count: number): Diagnostic {
  return {
    severity: 'warning',
    code: 'many_keys',
    message: `the account has ${count} keys; the service recommends fewer than ${RECOMMENDED_KEYS}`,
    hint: 'Revoke keys that are not needed; trueup keys shows their age and last use.',
  };
}
