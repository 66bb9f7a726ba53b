// Notes that a run leaves on each branch that it creates, and on the first branch of a new project: no request changes them later.
import type { Json, JsonObject } from '../../base/json.ts';
import type { LiveResource } from '../../model/live.ts';
import type { Plan } from '../../model/outcome/plan.ts';

export const NOTES = { run: 'trueup.run', disposable: 'trueup.disposable', set: 'trueup.set' } as const;

export const DISPOSABLE = 'disposable';

export function isMadeDisposable({ marks }: Pick<LiveResource, 'marks'>): boolean {
  return marks?.['disposable'] === 'true';
}

const OURS = 'trueup.';

export function marksIn(notes: JsonObject): JsonObject {
  const own = Object.entries(notes).filter(([name]) => name.startsWith(OURS));
  return Object.fromEntries(own.map(([name, value]) => [name.slice(OURS.length), value]));
}

/** Enough digits of the hash to tell two plans apart. */
const HASH_DIGITS = 12;

export function runMark({ planHash }: Pick<Plan, 'planHash'>, runId: string): string {
  return `${planHash.replace(/^sha256:/, '').slice(0, HASH_DIGITS)}-${runId}`;
}

export function isOfSamePlan(note: Json, mark: string): boolean {
  return typeof note === 'string' && note.split('-')[0] === mark.split('-')[0];
}
