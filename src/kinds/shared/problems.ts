// Problems of entries that several kinds report alike.
import { repeatsIn } from '../../base/group-by.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { nameProblem } from '../../config/check/names.ts';
import type { EntryProblem } from '../../config/kind-section.ts';
import { normaliseAt, type KindTraits } from '../../model/attributes.ts';
import type { DesiredResource } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { SourceRange } from '../../model/source.ts';

export function error(
  path: EntryProblem['path'],
  code: string,
  message: string,
  more: Partial<Pick<EntryProblem, 'hint' | 'atKey' | 'related' | 'missing'>> = {},
): EntryProblem {
  return { severity: 'error', code, path, message, ...more };
}

export function badName(
  name: Json | undefined,
  path: EntryProblem['path'],
  more: Parameters<typeof error>[3] = {},
): EntryProblem | null {
  const problem = typeof name === 'string' ? nameProblem(name) : null;
  return problem === null ? null : error(path, 'bad_name', problem, more);
}

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

export function besideAbsence(key: string): EntryProblem {
  return contradiction('state', key, { value: 'absent' });
}

export function sizesProblem(sizes: JsonObject, path: readonly string[]): EntryProblem | null {
  const { autoscaling_limit_min_cu: min, autoscaling_limit_max_cu: max } = sizes;
  if (typeof min !== 'number' || typeof max !== 'number' || min <= max) return null;
  const message = `the minimum size (${min}) is above the maximum size (${max})`;
  return error([...path, 'autoscaling_limit_min_cu'], 'min_over_max', message, {
    hint: 'Lower the minimum, or raise the maximum.',
    related: { message: 'the maximum is written here', path: [...path, 'autoscaling_limit_max_cu'] },
  });
}

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
    const key = kind.attributes[name]?.file ?? name;
    const written = value[key];
    if (written === undefined) continue;
    const normal = normaliseAt(kind, name, written);
    if ('value' in normal) spec[name] = normal.value;
    else problems.push(error([key, ...(normal.at ?? [])], 'wrong_value', normal.problem));
  }
}

/** The position of the key in the file, or of its first member; without both, the position of the declaration. */
export function writtenAt({ sources, source }: Pick<DesiredResource, 'sources' | 'source'>, key: string): SourceRange {
  const path = Object.keys(sources)
    .filter((one) => one === key || one.startsWith(`${key}.`))
    .sort()[0];
  return (path === undefined ? undefined : sources[path]) ?? source;
}

export function diagnosed(
  desired: Pick<DesiredResource, 'address' | 'sources' | 'source'>,
  key: string,
  own: Pick<Diagnostic, 'code' | 'message'> & Partial<Pick<Diagnostic, 'severity' | 'hint' | 'related'>>,
): Diagnostic {
  return { severity: 'warning', ...own, address: desired.address, range: writtenAt(desired, key) };
}

interface Claim {
  /** The value that must be unique among the declarations of a scope, such as a name; null if there is none. */
  readonly of: (one: DesiredResource) => Json;
  readonly at: string;
  readonly hint: string;
  /** Null if both declarations may have the value. */
  readonly problem: (first: DesiredResource, other: DesiredResource) => Pick<Diagnostic, 'code' | 'message'> | null;
}

export function clashes(
  resources: readonly DesiredResource[],
  { of, at, hint, problem }: Claim,
): readonly Diagnostic[] {
  const keyOf = (one: DesiredResource): string | null => {
    const claim = of(one);
    return claim === null ? null : JSON.stringify([one.scope, claim]);
  };
  return repeatsIn(resources, keyOf).flatMap(([first, other]) => {
    const found = problem(first, other);
    if (found === null) return [];
    const related = [{ message: `${first.address} is declared here`, range: writtenAt(first, at) }];
    return [diagnosed(other, at, { severity: 'error', ...found, hint, related })];
  });
}
