// Problems that several kinds tell in one form: of an entry, its attributes and its times, and of two declarations that clash.
import type { Json, JsonObject } from '../../base/json.ts';
import type { EntryProblem } from '../../config/kind-section.ts';
import { normaliseAt, type KindTraits } from '../../model/attributes.ts';
import type { DesiredResource } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';

export function error(
  path: EntryProblem['path'],
  code: string,
  message: string,
  more: Partial<Pick<EntryProblem, 'hint' | 'atKey' | 'related' | 'missing'>> = {},
): EntryProblem {
  return { severity: 'error', code, path, message, ...more };
}

/** Two keys of an entry that contradict each other: `one` with its value, where that matters, and the `other`. */
export function contradiction(
  one: string,
  other: string,
  { value, why }: Partial<Record<'value' | 'why', string>> = {},
): EntryProblem {
  const shown = value === undefined ? one : `${one}: ${value}`;
  const message = `\`${shown}\` and \`${other}\` contradict each other${why === undefined ? '' : `: ${why}`}`;
  const related = { message: `\`${one}\` is written here`, path: [one] };
  return error([other], 'contradiction', message, { hint: 'Remove one of the two keys.', atKey: true, related });
}

/** An attribute of a resource that is to be absent. */
export function besideAbsence(key: string): EntryProblem {
  return contradiction('state', key, { value: 'absent' });
}

/** A minimum above the maximum; both stand below `path`. */
export function sizesProblem(sizes: JsonObject, path: readonly string[]): EntryProblem | null {
  const { autoscaling_limit_min_cu: min, autoscaling_limit_max_cu: max } = sizes;
  if (typeof min !== 'number' || typeof max !== 'number' || min <= max) return null;
  const message = `the minimum size (${min}) is above the maximum size (${max})`;
  return error([...path, 'autoscaling_limit_min_cu'], 'min_over_max', message, {
    hint: 'Make the minimum at most the maximum.',
    related: { message: 'the maximum is written here', path: [...path, 'autoscaling_limit_max_cu'] },
  });
}

/** Puts the attributes that are written into the spec, in their normal form. */
export function addAttributes(
  spec: Record<string, Json>,
  {
    value,
    kind,
    names,
  }: { readonly value: JsonObject; readonly kind: Pick<KindTraits, 'attributes'>; readonly names: readonly string[] },
  problems: EntryProblem[],
): void {
  for (const name of names) {
    const written = value[name];
    if (written === undefined) continue;
    const normal = normaliseAt(kind, name, written);
    if ('value' in normal) spec[name] = normal.value;
    else problems.push(error([name, ...(normal.at ?? [])], 'wrong_value', normal.problem));
  }
}

interface Clash {
  /** The attribute by which they clash. */
  readonly at: string;
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

export function clashOf(
  first: DesiredResource,
  other: DesiredResource,
  { at, code, message, hint }: Clash,
): Diagnostic {
  return {
    severity: 'error',
    code,
    message,
    hint,
    address: other.address,
    range: other.sources[at] ?? other.source,
    related: [{ message: `${first.address} is declared here`, range: first.sources[at] ?? first.source }],
  };
}
