// What the live account keeps from being planned is a matter of its own project (or section): the others are planned without it.
import type { Diagnostic, Unplanned } from '../model/diagnostic.ts';
import type { LiveProject } from '../model/live.ts';
import { compareText } from '../base/json.ts';
import type { PlanInput } from './input.ts';
import { groupBy } from './scope.ts';
import { selectionOf } from './selection.ts';

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

/** The project or section that an address is in. */
export function scopeOf(address: string): string {
  const at = address.indexOf('/');
  return at < 0 ? address : address.slice(0, at);
}
