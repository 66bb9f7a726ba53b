// Finds the projects and sections that a selection of addresses touches, so that only those are read.
import {
  setAddress,
  coversAddress,
  matchesGlob,
  retentionAddress,
  scopeOf,
  type Address,
} from '../../model/address.ts';
import type { DesiredProject, DesiredResource } from '../../model/desired.ts';
import { referencesIn } from '../../model/reference.ts';
import type { Selection } from '../../plan/input.ts';
import { selectionOf } from '../../plan/selection.ts';

/**
 * Returns a test whether the selection may contain an address of a scope (a project label or a section). It does if a target matches a
 * declared address there, or matches no declared address at all but could match an unlisted one there. An exclusion of the whole scope wins.
 */
export function touching(declared: readonly Address[], { target, exclude }: Selection): (scope: string) => boolean {
  const targets = target.map((glob) => ({ glob, named: scopesNamed(glob, declared) }));
  return (scope) => {
    const whole = [`${scope}/\u0001`, `${scope}/\u0001\u0001`];
    if (exclude.some((glob) => whole.every((address) => coversAddress(glob, address)))) return false;
    if (targets.length === 0) return true;
    return targets.some(({ glob, named }) => (named.size === 0 ? couldName(glob, scope) : named.has(scope)));
  };
}

function scopesNamed(glob: string, declared: readonly Address[]): ReadonlySet<string> {
  const named = declared.filter((address) => coversAddress(glob, address));
  return new Set(named.map(scopeOf));
}

/** A star also matches the slash of a two-part address, so every scope that begins like `glob` before its first star counts. */
function couldName(glob: string, scope: string): boolean {
  const [head = ''] = glob.split('*');
  return matchesGlob(scopeOf(glob), scope) || (head !== glob && matchesGlob(`${head}*`, scope));
}

export function templatesFor(
  { target, exclude }: Selection,
  project: Pick<DesiredProject, 'label' | 'sets' | 'retention'> | undefined,
): readonly DesiredResource[] {
  const { label = '', sets = [], retention = [] } = project ?? {};
  const mayName = (rule: Address): boolean =>
    selectionOf({ target, exclude })([rule]) || target.some((glob) => glob.startsWith(`${rule}/`));
  return [
    ...sets.flatMap(({ name, template }) => (mayName(setAddress(label, name)) ? template : [])),
    ...retention.flatMap(({ name, template }) => (mayName(retentionAddress(label, name)) ? template : [])),
  ];
}

export function neededFor(selection: Selection, declared: readonly DesiredResource[]): readonly DesiredResource[] {
  const selects = selectionOf(selection);
  const byAddress = new Map(declared.map((one) => [one.address, one]));
  const needed = new Set(declared.filter(({ address }) => selects([address])));
  for (const { parent, spec } of needed)
    for (const address of [parent ?? '', ...referencesIn(spec)]) {
      const one = byAddress.get(address);
      if (one !== undefined) needed.add(one);
    }
  return [...needed];
}
