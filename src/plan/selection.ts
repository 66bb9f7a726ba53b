// Selects what to plan by `--target` and `--exclude`, and leaves out projects that cannot be planned.
import { compareText } from '../base/json.ts';
import { warningAt, addressesIn } from '../model/desired.ts';
import { coversAddress, scopeOf } from '../model/address.ts';
import type { Diagnostic, Unplanned } from '../model/diagnostic.ts';
import type { LiveProject } from '../model/live.ts';
import type { Change } from '../model/outcome/plan.ts';
import type { PlanInput, Selection, Selects } from './input.ts';
import type { Matching } from './match/matching.ts';
import { groupBy } from '../base/group-by.ts';

export function selectionOf({ target, exclude }: Selection): Selects {
  const matches = (globs: readonly string[], addresses: readonly string[]): boolean =>
    globs.some((glob) => addresses.some((address) => coversAddress(glob, address)));
  return (addresses) => (target.length === 0 || matches(target, addresses)) && !matches(exclude, addresses);
}

/** Keeps diagnostics of selected addresses, of whole projects, and without an address. */
export function selectDiagnostics(diagnostics: readonly Diagnostic[], selects: Selects): Diagnostic[] {
  return diagnostics.filter(({ address }) => address === undefined || address.endsWith('/*') || selects([address]));
}

export function waitingForParents(
  matchings: readonly Matching[],
  changes: readonly Change[],
  selects: Selects,
): readonly Diagnostic[] {
  const told = new Set(changes.flatMap(({ address, action }) => (action === 'none' ? [] : [address])));
  return matchings.flatMap(({ scope: { parent }, bindings }) => {
    if (parent?.id !== null || selects([parent.address])) return [];
    const waiting = bindings.filter(({ desired: { address } }) => selects([address]) && !told.has(address));
    return waiting.map(({ desired }) => {
      const message = `${desired.address} is left out: its parent ${parent.address} does not exist and is not selected`;
      const hint = `Select the parent, too: --target ${parent.address}.`;
      return warningAt(desired, '', 'parent_not_selected', message, hint);
    });
  });
}

/** Sets projects and sections with an error apart, unless all selected ones have one. An error without an address stays with the rest. */
export function setUnplannedApart(
  diagnostics: readonly Diagnostic[],
  asked: ReadonlySet<string>,
  projects: readonly LiveProject[],
): { readonly unplanned: readonly Unplanned[]; readonly diagnostics: readonly Diagnostic[] } {
  const byScope = groupBy(diagnostics, ({ address = '' }) => scopeOf(address));
  const failed = [...byScope].filter(([name, own]) => name !== '' && own.some(({ severity }) => severity === 'error'));
  const names = new Set(failed.map(([name]) => name));
  if ([...asked].every((name) => names.has(name))) return { unplanned: [], diagnostics };
  const ids = new Map(projects.map(({ label, id }) => [label, id]));
  return {
    unplanned: failed
      .map(([project, own]) => ({ project, projectId: ids.get(project) ?? null, diagnostics: own }))
      .sort((a, b) => compareText(a.project, b.project)),
    diagnostics: diagnostics.filter((diagnostic) => !names.has(scopeOf(diagnostic.address ?? ''))),
  };
}

export function askedScopes({ desired, kinds }: PlanInput, selects: Selects): ReadonlySet<string> {
  const pruned = kinds.flatMap(({ kind, section }) => (desired.accountPrune.includes(kind) ? [section] : []));
  const whole = [...desired.projects.map(({ label }) => label), ...pruned];
  return new Set([
    ...addressesIn(desired)
      .filter((address) => selects([address]))
      .map(scopeOf),
    ...whole.filter((scope) => selects([`${scope}/*`])),
  ]);
}
