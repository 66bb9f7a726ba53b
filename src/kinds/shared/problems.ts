// Problems of entries that several kinds report alike.
import { repeatsIn } from '../../base/group-by.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { nameProblem } from '../../config/check/cross-checks.ts';
import type { EntryProblem } from '../../config/kind-section.ts';
import { errorAt, writtenAt, type DesiredResource } from '../../model/desired.ts';
import type { Address } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';

type More = Partial<Pick<EntryProblem, 'atKey' | 'related' | 'missing'>>;

export function error(
  path: EntryProblem['path'],
  code: string,
  message: string,
  hint?: EntryProblem['hint'],
  more: More = {},
): EntryProblem {
  return { severity: 'error', code, path, message, ...(hint === undefined ? {} : { hint }), ...more };
}

export function badName(name: Json | undefined, path: EntryProblem['path'], more: More = {}): EntryProblem | null {
  const problem = typeof name === 'string' ? nameProblem(name) : null;
  return problem === null ? null : error(path, 'bad_name', problem, undefined, more);
}

export function likeAnId(label: string, prefix: string): EntryProblem | null {
  if (!label.startsWith(prefix)) return null;
  const message = `a label cannot begin with \`${prefix}\`: trueup would read the label as an id`;
  return error([], 'reserved_label', message, 'Choose another label, and write its name in the API as `name:`.');
}

/** Returns a problem if the entry has none of the keys; the message names the first one. */
export function missingKey(value: JsonObject, keys: readonly [string, ...string[]], hint: string): EntryProblem | null {
  if (keys.some((key) => value[key] !== undefined)) return null;
  return error([], 'missing_key', `the key \`${keys[0]}\` is missing`, hint, { missing: true });
}

/** If `key` has the value `is` (any value, if `is` is undefined), the entry must not have `others`. Null and false count as no value. */
export type Exclusion = readonly [key: string, is: Json | undefined, others: readonly string[], why?: string];

export function contradictions(value: JsonObject, rows: readonly Exclusion[]): readonly EntryProblem[] {
  return rows.flatMap(([key, is, others, why]) => {
    const holds = is === undefined ? isWritten(value[key]) : value[key] === is;
    const other = holds ? others.find((one) => isWritten(value[one])) : undefined;
    if (other === undefined) return [];
    const shown = is === undefined ? key : `${key}: ${String(is)}`;
    const message = `\`${shown}\` and \`${other}\` contradict each other${why === undefined ? '' : `: ${why}`}`;
    const related = { message: `\`${key}\` is written here`, path: [key] };
    return [error([other], 'contradiction', message, 'Remove one of the two keys.', { atKey: true, related })];
  });
}

export function isWritten(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false;
}

export function sizesProblem(sizes: JsonObject, path: readonly string[]): EntryProblem | null {
  const { autoscaling_limit_min_cu: min, autoscaling_limit_max_cu: max } = sizes;
  if (typeof min !== 'number' || typeof max !== 'number' || min <= max) return null;
  const message = `the minimum size (${min}) is above the maximum size (${max})`;
  const related = { message: 'the maximum is written here', path: [...path, 'autoscaling_limit_max_cu'] };
  const hint = 'Lower the minimum, or raise the maximum.';
  return error([...path, 'autoscaling_limit_min_cu'], 'min_over_max', message, hint, { related });
}

interface Claim {
  /** The value that must be unique among the declarations of a scope, such as a name; null if there is none. */
  readonly of: (one: DesiredResource) => Json;
  readonly at: string;
  /** The code of the error; null if both declarations may have the value. */
  readonly code: (first: DesiredResource, other: DesiredResource) => string | null;
  readonly words: (first: Address, other: Address, of: DesiredResource) => string;
  readonly hint: string;
}

export function clashes(
  resources: readonly DesiredResource[],
  { of, at, code: codeOf, words, hint }: Claim,
): readonly Diagnostic[] {
  const keyOf = (one: DesiredResource): string | null => {
    const claim = of(one);
    return claim === null ? null : JSON.stringify([one.scope, claim]);
  };
  return repeatsIn(resources, keyOf).flatMap(([first, other]) => {
    const code = codeOf(first, other);
    if (code === null) return [];
    const related = [{ message: `${first.address} is declared here`, range: writtenAt(first, at) }];
    return [errorAt(other, at, code, words(first.address, other.address, other), hint, { related })];
  });
}
