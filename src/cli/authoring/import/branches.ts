// Branches by name in what is imported: the service lists computes with the ids of branches alone, others know their names.
import { compareText } from '../../../base/json.ts';
import { openLabels } from './labels.ts';
import { wishesFor, type Names } from './names.ts';
import type { DraftEntry, DraftScope } from './scope.ts';

/** The scope with a label for each branch that `names` names, and its entries written with those. */
export function withBranchLabels(scope: DraftScope, names: Names): DraftScope {
  const used = [...new Set(scope.entries.flatMap(({ identity }) => idOf(identity['branch_id'])))].sort();
  const wishes = wishesFor(used, names);
  const taken = openLabels([]);
  const labels = new Map(
    [...wishes].flatMap(([id, wish]) => {
      const label = taken.choose(wish, id);
      // A label of that form would be read as an id.
      return label.startsWith('br-') ? [] : [[id, label] as const];
    }),
  );
  if (labels.size === 0) return scope;
  const branches = Object.fromEntries([...labels].map(([id, label]) => [label, id] as const).sort(byLabel));
  return {
    ...scope,
    head: { ...scope.head, branches },
    entries: scope.entries.map((entry) => labelled(entry, labels)),
  };
}

function byLabel([a]: readonly [string, string], [b]: readonly [string, string]): number {
  return compareText(a, b);
}

function idOf(value: unknown): readonly string[] {
  return typeof value === 'string' ? [value] : [];
}

function labelled(entry: DraftEntry, labels: ReadonlyMap<string, string>): DraftEntry {
  const members = Object.entries(entry.identity).map(([key, value]) => {
    const label = key === 'branch_id' ? labels.get(String(value)) : undefined;
    return label === undefined ? ([key, value] as const) : (['branch', label] as const);
  });
  return { ...entry, identity: Object.fromEntries(members) };
}
