// Branches by name in what is imported: by the labels of those that are imported too, else by what others call them.
import { compareText } from '../../../base/json.ts';
import { openLabels } from './labels.ts';
import { wantedNames, type Names } from './names.ts';
import type { DraftEntry, DraftScope } from './scope.ts';

/** The scope with its entries naming branches by label, as far as they have one. */
export function withBranchLabels(scope: DraftScope, names: Names): DraftScope {
  const imported = scope.entries.filter(({ section }) => section.hasLabels === true);
  if (imported.length > 0) {
    const labels = new Map(imported.map(({ identity, label }) => [String(identity['id']), label]));
    return { ...scope, entries: scope.entries.map((entry) => labelled(entry, labels)) };
  }
  const labels = givenLabels(scope, names);
  if (labels.size === 0) return scope;
  const branches = Object.fromEntries(
    [...labels].map(([id, label]) => [label, id] as const).sort(([a], [b]) => compareText(a, b)),
  );
  return {
    ...scope,
    head: { ...scope.head, branches },
    entries: scope.entries.map((entry) => labelled(entry, labels)),
  };
}

/** A label for each branch that `names` names, by id. */
function givenLabels(scope: DraftScope, names: Names): ReadonlyMap<string, string> {
  const used = [...new Set(scope.entries.flatMap(({ identity }) => idOf(identity['branch_id'])))].sort();
  const taken = openLabels([]);
  return new Map(
    [...wantedNames(used, names)].flatMap(([id, wantedLabel]) => {
      const label = taken.choose(wantedLabel, id);
      // A label of that form would be read as an id.
      return label.startsWith('br-') ? [] : [[id, label] as const];
    }),
  );
}

function idOf(value: unknown): readonly string[] {
  return typeof value === 'string' ? [value] : [];
}

/** What names a branch by its id, and the key that takes a label instead. */
const BY_LABEL: Readonly<Record<string, string>> = { branch_id: 'branch', from: 'from' };

function labelled(entry: DraftEntry, labels: ReadonlyMap<string, string>): DraftEntry {
  const members = Object.entries(entry.identity).map(([key, value]) => {
    const written = BY_LABEL[key];
    const label = written === undefined ? undefined : labels.get(String(value));
    return label === undefined || written === undefined ? ([key, value] as const) : ([written, label] as const);
  });
  return { ...entry, identity: Object.fromEntries(members) };
}
