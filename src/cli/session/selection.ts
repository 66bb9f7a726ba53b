// `--target`, `--exclude`, `--shard`: finds the projects that these flags concern, and the entries of an import to keep.
import { addressOf, matchesGlob, scopeOf } from '../../model/address.ts';
import type { LiveProject } from '../../model/live.ts';
import type { Selection, Selects } from '../../plan/input.ts';
import { selectDiagnostics, selectionOf as selectsOf } from '../../plan/selection.ts';
import type { Draft, DraftEntry } from '../authoring/import/scope.ts';
import { createHash } from 'node:crypto';
import { kinds } from '../../kinds/index.ts';
import type { DesiredState } from '../../model/desired.ts';
import type { Shard } from '../program/flags.ts';

/** The sections of the account-wide kinds, whose addresses begin with them. So no project can have one as its label. */
export const topSections: readonly string[] = kinds.flatMap(({ parent, section }) =>
  parent === null ? [section] : [],
);

/** Tests whether the flags may select resources in the project or account section that has these names. */
export function touches({ target, exclude }: Selection): Selects {
  const isMeant = (glob: string, name: string): boolean => matchesGlob(scopeOf(glob), name);
  const isWhole = (glob: string): boolean => /\/\*+$/.test(glob) || !glob.includes('/');
  return (names) =>
    (target.length === 0 || target.some((glob) => names.some((name) => isMeant(glob, name)))) &&
    !exclude.some((glob) => isWhole(glob) && names.some((name) => isMeant(glob, name)));
}

export function namesOf({ id, name, label }: LiveProject): readonly string[] {
  return [id, name, label];
}

export function selectedDraft({ scopes, warnings }: Draft, chosen: Selection): Draft {
  const selects = selectsOf(chosen);
  const own = scopes.map((scope) => {
    const names = scope.project === null ? [scope.label] : [scope.label, ...namesOf(scope.project)];
    const isMeant = ({ address, label, identity }: DraftEntry): boolean => {
      const inner = address.slice(address.indexOf('/') + 1);
      return selects(
        names.flatMap((name) => [addressOf(name, inner), addressOf(name, String(identity['id'] ?? label))]),
      );
    };
    const meant = scope.entries.filter(isMeant);
    // A selected entry needs the entries of its parents.
    const isNeeded = ({ address }: DraftEntry): boolean => meant.some((one) => one.address.startsWith(`${address}/`));
    return { ...scope, entries: scope.entries.filter((entry) => meant.includes(entry) || isNeeded(entry)) };
  });
  return { scopes: own.filter(({ entries }) => entries.length > 0), warnings: selectDiagnostics(warnings, selects) };
}

export function selectionOf(
  { target, exclude, shard }: Selection & { readonly shard: Shard | null },
  desired: DesiredState,
): Selection {
  if (shard === null) return { target, exclude };
  const scopes = [
    ...desired.projects.map(({ label, id }) => ({ scope: label, key: id ?? label })),
    ...topSections.map((section) => ({ scope: section, key: section })),
  ];
  const others = scopes.filter(({ key }) => shardOf(key, shard.count) !== shard.index);
  return { target, exclude: [...exclude, ...others.map(({ scope }) => `${scope}/*`)] };
}

/** The shard (from 1) of a project, by its id or else its label, or of a section. All machines compute the same. */
export function shardOf(key: string, count: number): number {
  return (createHash('sha256').update(key).digest().readUIntBE(0, 6) % count) + 1;
}
