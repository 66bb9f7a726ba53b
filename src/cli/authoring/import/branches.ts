// Names for branches in a draft: labels of the files or of the draft, else names from Terraform.
import { compareText, type JsonObject } from '../../../base/json.ts';
import { writtenFormOf } from '../../../config/written-form.ts';
import type { Address } from '../../../model/address.ts';
import type { DesiredProject, DesiredState, ResourceId } from '../../../model/desired.ts';
import type { LiveResource } from '../../../model/live.ts';
import { isReference } from '../../../model/reference.ts';
import { openLabels } from './labels.ts';
import { wantedNames, type Names } from './names.ts';
import type { DraftEntry } from './scope.ts';

/** Labels by the id of their resource. */
export type BranchLabels = ReadonlyMap<ResourceId, string>;

/** The meanings of a project's labels in the files; empty for a project that the files lack. */
export function labelsOf({ projects }: DesiredState, project: string): DesiredProject['labels'] {
  return projects.find(({ label }) => label === project)?.labels ?? {};
}

/** The labels in the files: of an id, or of a declaration found among `live`. */
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

/** The labels that a draft gives to its entries. */
export function labelsInDraft(entries: readonly DraftEntry[]): BranchLabels {
  const labelled = entries.filter(({ kind }) => writtenFormOf(kind).hasLabels);
  return new Map(labelled.map(({ identity, label }) => [String(identity['id']), label]));
}

/** A label for each branch in use that `names` names. */
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

/** The labels that the entries use, as a project writes them; empty for none. */
export function pointedAt(labels: BranchLabels, entries: readonly DraftEntry[]): JsonObject {
  const used = new Set(entries.flatMap(({ identity }) => idOf(identity['branch_id'])));
  const branches = [...labels].flatMap(([id, label]) => (used.has(id) ? [[label, id] as const] : []));
  return branches.length === 0 ? {} : { branches: Object.fromEntries(branches.sort(([a], [b]) => compareText(a, b))) };
}

function idOf(value: unknown): readonly string[] {
  return typeof value === 'string' ? [value] : [];
}

/** Keys that take the id of a branch, each with the key that takes a label instead. */
const BY_LABEL: Readonly<Record<string, string>> = { branch_id: 'branch', from: 'from' };

/** The entry with labels instead of ids, as far as labels exist. */
export function withLabels(entry: DraftEntry, labels: BranchLabels): DraftEntry {
  const members = Object.entries(entry.identity).map(([key, value]) => {
    const written = BY_LABEL[key];
    const label = written === undefined ? undefined : labels.get(String(value));
    return label === undefined || written === undefined ? ([key, value] as const) : ([written, label] as const);
  });
  return { ...entry, identity: Object.fromEntries(members) };
}
