// Signs saved plans with the key of TRUEUP_PLAN_KEY, and checks their signatures.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { Secret } from '../../base/secret.ts';
import { UsageError } from '../process/exit-code.ts';
import { keyInEnvironment } from '../process/files.ts';
import type { Io } from '../process/io.ts';

/** The key from TRUEUP_PLAN_KEY or TRUEUP_PLAN_KEY_FILE; null if both are unset. Throws UsageError for an invalid key. */
export function planKeyOf(io: Pick<Io, 'env' | 'cwd'>): Secret | null {
  const found = keyInEnvironment(io, 'TRUEUP_PLAN_KEY', 'plan key');
  if (found === null) return null;
  const key = found.text.replace(/\r?\n$/, '');
  if (key === '') throw new UsageError('the plan key is empty');
  return new Secret(key);
}

export function signedPlan(json: JsonObject, key: Secret): JsonObject {
  const { trueup } = json;
  return isJsonObject(trueup) ? { ...json, trueup: { ...trueup, signature: signatureOf(json, key) } } : json;
}

/** Throws UsageError for a plan that is not signed with the key. */
export function requireSignature(json: Json, shown: string, key: Secret): void {
  const details = isJsonObject(json) ? json['trueup'] : undefined;
  if (!isJsonObject(json) || !isJsonObject(details)) throw new UsageError(`${shown}: the file is not a plan of trueup`);
  const { signature, ...rest } = details;
  const hint = 'Run trueup plan again where TRUEUP_PLAN_KEY is set to the same key.';
  if (typeof signature !== 'string')
    throw new UsageError(`${shown} is not signed, and TRUEUP_PLAN_KEY requires a signature`, hint, 'plan_unsigned');
  const given = Buffer.from(signature);
  const made = Buffer.from(signatureOf({ ...json, trueup: rest }, key));
  if (given.length !== made.length || !timingSafeEqual(given, made))
    throw new UsageError(
      `${shown} is not signed with this TRUEUP_PLAN_KEY, or was changed after it was signed`,
      hint,
      'plan_altered',
    );
}

function signatureOf(whole: JsonObject, key: Secret): string {
  return `hmac-sha256:${createHmac('sha256', key.reveal()).update(canonicalJson(whole)).digest('hex')}`;
}
