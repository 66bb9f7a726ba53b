// Which part of the files is planned: what `--target` and `--exclude` select, without the projects that cannot be planned.
import { compareText } from '../base/json.ts';
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

/** Keeps what is said of selected addresses, and what concerns a whole project or no address at all. */
export function selectDiagnostics(diagnostics: readonly Diagnostic[], selects: Selects): Diagnostic[] {
  return diagnostics.filter(({ address }) => address === undefined || address.endsWith('/*') || selects([address]));
}

/** What is selected below something that does not exist and is not selected itself, where no change says so. */
export function waitingForParents(
  matchings: readonly Matching[],
  changes: readonly Change[],
  selects: Selects,
): readonly Diagnostic[] {
  const told = new Set(changes.flatMap(({ address, action }) => (action === 'none' ? [] : [address])));
  return matchings.flatMap(({ scope: { parent }, bindings }) => {
    if (parent?.id !== null || selects([parent.address])) return [];
    const waiting = bindings.filter(({ desired: { address } }) => selects([address]) && !told.has(address));
    return waiting.map(({ desired: { address, source } }) => ({
      severity: 'warning' as const,
      code: 'parent_not_selected',
      message: `${address} is left out: its parent ${parent.address} does not exist and is not selected`,
      hint: `Select the parent, too: --target ${parent.address}.`,
      address,
      range: source,
    }));
  });
}

export interface Sorted {
  /** Each with all that is to be said of it; sorted by name. */
  readonly unplanned: readonly Unplanned[];
  /** What is to be said of everything else. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Sets the projects and sections of which something is in error apart. An error without an address is nobody's: it stays with the
 * rest. Where nothing else is asked for, there is no rest: then nothing is set apart, and the plan as a whole is in error.
 */
export function setUnplannedApart(
  diagnostics: readonly Diagnostic[],
  asked: ReadonlySet<string>,
  projects: readonly LiveProject[],
): Sorted {
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

/** The projects and sections that the user speaks of. */
export function askedScopes({ desired, kinds, target, exclude }: PlanInput): ReadonlySet<string> {
  const selects = selectionOf({ target, exclude });
  const pruned = kinds.flatMap(({ kind, section }) => (desired.accountPrune.includes(kind) ? [section] : []));
  const whole = [...desired.projects.map(({ label }) => label), ...pruned];
  return new Set([
    ...desired.resources.filter(({ address }) => selects([address])).map(({ scope }) => scope),
    ...whole.filter((scope) => selects([`${scope}/*`])),
  ]);
}
