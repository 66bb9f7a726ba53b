// Secrets in a file: their sinks, and the times at which a new secret replaces an old one.
import { execNameProblem } from '../../apply/sinks/exec-sink.ts';
import { present } from '../../base/picked.ts';
import { fileNameProblem } from '../../apply/sinks/secret-folder.ts';
import { isJsonObject, numberOf, type Json, type JsonObject } from '../../base/json.ts';
import { isoTime, millisecondsOf } from '../../base/time/clock.ts';
import { formatDuration, humanDuration, parseDurationMs } from '../../base/time/duration.ts';
import { nameProblem } from '../../config/check/cross-checks.ts';
import type { EntryProblem } from '../../config/kind-section.ts';
import type { DesiredResource } from '../../model/desired.ts';
import { error } from './problems.ts';

const WITHIN_FOLDER =
  'Write a name within the secrets folder, such as ci-deploy.json; --secrets-dir chooses the folder.';

const DECLARED_NAME = 'Write a name that --sink NAME=PROGRAM declares, such as vault.';

/** Returns the sinks as a list of `{ file: NAME }` and `{ exec: NAME }`; `key` is the member of the entry that names them. */
export function targetsOf(value: JsonObject, key: string, problems: EntryProblem[]): readonly JsonObject[] {
  const written = value[key] ?? [];
  const list: readonly Json[] = Array.isArray(written) ? written : [written];
  return list.flatMap((sink, at): readonly JsonObject[] => {
    const [kind, target] = isJsonObject(sink) ? (Object.entries(sink)[0] ?? []) : [];
    if (kind === undefined || typeof target !== 'string') return [];
    const path = Array.isArray(written) ? [key, at, kind] : [key, kind];
    const problem = kind === 'file' ? sinkFileProblem(target) : execNameProblem(target);
    const hint = kind === 'file' ? WITHIN_FOLDER : DECLARED_NAME;
    if (problem !== null) problems.push(error(path, 'bad_sink', problem, hint));
    return [{ [kind]: kind === 'file' ? target.replace(/^(\.\/)+/, '') : target }];
  });
}

function sinkFileProblem(name: string): string | null {
  const unreadable = nameProblem(name);
  if (unreadable !== null) return unreadable;
  if (name.includes('\\')) return 'the name of a secret file must not hold a backslash';
  if (/^(\/|[A-Za-z]:)/.test(name)) return 'the path of a secret file must be relative to the secrets folder';
  if (/[~$]/.test(name)) return 'the name of a secret file must not hold `~` or `$`: trueup does not expand them';
  return fileNameProblem(name.replace(/^(\.\/)+/, ''));
}

const LEAST_MS = 3_600_000;

export function rotationIn(
  { every, not_before: notBefore }: JsonObject,
  what: string,
  problems: EntryProblem[],
): { readonly everyMs?: number; readonly notBeforeMs?: number } {
  const everyMs = parseDurationMs(every);
  const isTooOften = everyMs !== undefined && everyMs < LEAST_MS;
  const message = `${what} can be rotated once an hour at most`;
  if (isTooOften) problems.push(error(['rotate', 'every'], 'bad_duration', message, 'For example 90d.'));
  return present({ everyMs: isTooOften ? null : everyMs, notBeforeMs: millisecondsOf(notBefore) });
}

export interface Rotation {
  /** The age at which a new secret replaces the present one; null if the file sets no such age. */
  readonly everyMs: number | null;
  /** Once this time has passed, a secret from before this time is replaced. */
  readonly notBeforeMs: number | null;
}

export function rotationOf({ options: { rotate } }: Pick<DesiredResource, 'options'>): Rotation | null {
  if (!isJsonObject(rotate)) return null;
  return { everyMs: numberOf(rotate['everyMs']), notBeforeMs: numberOf(rotate['notBeforeMs']) };
}

/** Returns why a new secret is needed; null if none is needed or the age is unknown. `due`: only the age asks for a new secret. */
export function demandOf(
  setMs: number | null,
  rotation: Rotation | null,
  nowMs: number,
  { set, is }: { readonly set: string; readonly is: string },
): { readonly due: boolean; readonly reason: string } | null {
  if (setMs === null || rotation === null) return null;
  const { everyMs, notBeforeMs } = rotation;
  if (notBeforeMs !== null && nowMs >= notBeforeMs && setMs < notBeforeMs)
    return { due: false, reason: `${set} before ${isoTime(notBeforeMs)}` };
  if (everyMs === null || nowMs - setMs < everyMs) return null;
  const reason = `${is} ${humanDuration(nowMs - setMs)} old, and is rotated every ${formatDuration(everyMs)}`;
  return { due: true, reason };
}
