// Branches by name in what is imported: by the labels that the files have or get with it, else by what others call them.
import { compareText, type JsonObject } from '../../../base/json.ts';
import type { Address } from '../../../model/address.ts';
import type { DesiredProject, DesiredState, ResourceId } from '../../../model/desired.ts';
import type { LiveResource } from '../../../model/live.ts';
import { isReference } from '../../../model/reference.ts';
import { openLabels } from './labels.ts';
import { wantedNames, type Names } from './names.ts';
import type { DraftEntry } from './scope.ts';

/** Labels by the id of what they stand for. */
export type BranchLabels = ReadonlyMap<ResourceId, string>;

/** What the labels of a project stand for in the files; empty for a project of which they do not speak. */
export function labelsOf({ projects }: DesiredState, project: string): DesiredProject['labels'] {
  return projects.find(({ label }) => label === project)?.labels ?? {};
}

/** The labels that stand in the files: for an id, or for what is declared and found among `live`. */
export function labelsInFiles(
  labels: DesiredProject['labels'],
  live: readonly LiveResource[],
  declaredAs: (live: LiveResource) => Address | null,
): BranchLabels {
  const ids = new Map(live.map((one) => [declaredAs(one), one.id]));
  return new Map(
    Object.entries(labels).flatMap(([label, meant]) => {
      const id = isReference(meant) ? ids.get(meant.ref) : meant;
      return id === undefined ? [] : [[id, label] as const];
    }),
  );
}

/** The labels that a draft gives to what it declares. */
export function labelsInDraft(entries: readonly DraftEntry[]): BranchLabels {
  const labelled = entries.filter(({ section }) => section.hasLabels === true);
  return new Map(labelled.map(({ identity, label }) => [String(identity['id']), label]));
}

/** A label for each branch that something is on and that `names` names. */
export function givenLabels(live: readonly LiveResource[], names: Names): BranchLabels {
  const used = [...new Set(live.flatMap(({ spec }) => idOf(spec['branch_id'])))].sort(compareText);
  const taken = openLabels([]);
  return new Map(
    [...wantedNames(used, names)].flatMap(([id, wantedLabel]) => {
      const label = taken.choose(wantedLabel, id);
      // A label of that form would be read as an id.
      return label.startsWith('br-') ? [] : [[id, label] as const];
    }),
  );
}

/** The labels that the entries use, as a project writes them; nothing where they use none. */
export function pointedAt(labels: BranchLabels, entries: readonly DraftEntry[]): JsonObject {
  const used = new Set(entries.flatMap(({ identity }) => idOf(identity['branch_id'])));
  const branches = [...labels].flatMap(([id, label]) => (used.has(id) ? [[label, id] as const] : []));
  return branches.length === 0 ? {} : { branches: Object.fromEntries(branches.sort(([a], [b]) => compareText(a, b))) };
}

function idOf(value: unknown): readonly string[] {
  return typeof value === 'string' ? [value] : [];
}

/** What names a branch by its id, and the key that takes a label instead. */
const BY_LABEL: Readonly<Record<string, string>> = { branch_id: 'branch', from: 'from' };

/** The entry with labels in the place of ids, as far as there are any. */
export function withLabels(entry: DraftEntry, labels: BranchLabels): DraftEntry {
  const members = Object.entries(entry.identity).map(([key, value]) => {
    const written = BY_LABEL[key];
    const label = written === undefined ? undefined : labels.get(String(value));
    return label === undefined || written === undefined ? ([key, value] as const) : ([written, label] as const);
  });
  return { ...entry, identity: Object.fromEntries(members) };
}
