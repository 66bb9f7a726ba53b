// `--target` and `--exclude` where no plan is made: which projects they touch, and what of a draft they mean.
import { addressOf, matchesGlob, scopeOf } from '../../model/address.ts';
import type { LiveProject } from '../../model/live.ts';
import type { Selects } from '../../plan/input.ts';
import { selectDiagnostics, selectionOf } from '../../plan/selection.ts';
import type { Draft, DraftEntry } from '../authoring/import/scope.ts';
import type { Selection } from './shard.ts';

/** True for the names of a project, or of a section of the account, in which something may be meant. */
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

/** The part of the draft that is meant. */
export function selectedDraft({ scopes, warnings }: Draft, chosen: Selection): Draft {
  const selects = selectionOf(chosen);
  const own = scopes.map((scope) => {
    const names = scope.project === null ? [scope.label] : [scope.label, ...namesOf(scope.project)];
    const isMeant = ({ address, label, identity }: DraftEntry): boolean => {
      const inner = address.slice(address.indexOf('/') + 1);
      return selects(
        names.flatMap((name) => [addressOf(name, inner), addressOf(name, String(identity['id'] ?? label))]),
      );
    };
    const meant = scope.entries.filter(isMeant);
    // What is meant needs what it is below: that comes along.
    const isNeeded = ({ address }: DraftEntry): boolean => meant.some((one) => one.address.startsWith(`${address}/`));
    return { ...scope, entries: scope.entries.filter((entry) => meant.includes(entry) || isNeeded(entry)) };
  });
  return { scopes: own.filter(({ entries }) => entries.length > 0), warnings: selectDiagnostics(warnings, selects) };
}
