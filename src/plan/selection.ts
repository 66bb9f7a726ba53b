// Decides what is planned: the selected parts (`--target`, `--exclude`), except unread parts and projects with errors.
import { compareText } from '../base/json.ts';
import { addressesIn, type KindName, type ResourceId } from '../model/desired.ts';
import { coversAddress, scopeOf } from '../model/address.ts';
import type { Diagnostic, Unplanned } from '../model/diagnostic.ts';
import type { LiveProject, Unread } from '../model/live.ts';
import type { PlanInput, Selection, Selects } from './input.ts';
import { groupBy } from '../base/group-by.ts';
import { referencesOf } from '../model/attributes.ts';
import { PROJECT } from '../model/kind.ts';
import type { KindRules } from './kind-rules.ts';

export function selectionOf({ target, exclude }: Selection): Selects {
  const matches = (globs: readonly string[], addresses: readonly string[]): boolean =>
    globs.some((glob) => addresses.some((address) => coversAddress(glob, address)));
  return (addresses) => (target.length === 0 || matches(target, addresses)) && !matches(exclude, addresses);
}

/** Keeps diagnostics of selected addresses, of whole projects, and without an address. */
export function selectDiagnostics(diagnostics: readonly Diagnostic[], selects: Selects): Diagnostic[] {
  return diagnostics.filter(({ address }) => address === undefined || address.endsWith('/*') || selects([address]));
}

/** Moves the diagnostics of each project or section with an error to `unplanned`. Moves nothing if all of `asked` have an error. */
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

export interface Gaps {
  /** Projects (by label and id) and sections that were not read at all. */
  readonly whole: ReadonlySet<string>;
  readonly unlogged: ReadonlySet<string>;
  /** True if the scope cannot be planned: its list, or the list of a kind that it refers to, was not read. */
  isUnread(rules: KindRules, projectId: string | null, parentId: ResourceId | null): boolean;
  /** True if a list below the resource was not read, so that trueup does not know the resource's contents. */
  mayHide(kind: KindName, projectId: string | null, id: ResourceId): boolean;
}

export function gapsOf(unread: readonly Unread[], kinds: readonly KindRules[]): Gaps {
  const whole = unread.filter(({ part, kind }) => part === undefined && kind === undefined);
  const lists = groupBy(
    unread.filter(({ kind }) => kind !== undefined),
    ({ projectId }) => projectId ?? '',
  );
  const rulesOf = new Map(kinds.map((one) => [one.kind, one]));
  return {
    whole: new Set(whole.flatMap(({ what, projectId }) => [what, projectId ?? what])),
    unlogged: new Set(unread.flatMap(({ part, projectId }) => (part === undefined ? [] : [projectId ?? '']))),
    isUnread(rules, projectId, parentId) {
      const own = lists.get(projectId ?? '') ?? [];
      const isAmong = (one: KindName, isSibling: boolean): boolean =>
        own.some((list) => list.kind === one && (!isSibling || (list.parentId ?? null) === parentId));
      return (
        isAmong(rules.kind, true) ||
        Object.values(referencesOf(rules)).some((rule) => isAmong(rule.kind, rule.among === 'siblings'))
      );
    },
    mayHide(kind, projectId, id) {
      return (lists.get(projectId ?? '') ?? []).some((list) => {
        if (kind === PROJECT) return true;
        if (list.parentId !== undefined) return list.parentId === id;
        const rules = rulesOf.get(list.kind ?? '');
        return (
          rules !== undefined &&
          (rules.parent === kind || Object.values(referencesOf(rules)).some((rule) => rule.kind === kind))
        );
      });
    },
  };
}
