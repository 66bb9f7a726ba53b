// Labels in a draft: readable, valid and never alike; and the names of branches among them.
import { confusableForm, nameProblem } from '../../../config/check/names.ts';
import { looksSecret } from '../../../config/yaml/secret-text.ts';
import { writableOf, type KindTraits } from '../../../model/attributes.ts';
import { compareText, type JsonObject } from '../../../base/json.ts';
import { writtenFormOf } from '../../../config/written-form.ts';
import type { Address } from '../../../model/address.ts';
import type { DesiredProject, DesiredState, ResourceId } from '../../../model/desired.ts';
import type { LiveResource } from '../../../model/live.ts';
import { isReference } from '../../../model/reference.ts';
import { wantedNames, type Names } from './names.ts';
import type { DraftEntry } from './scope.ts';

/** Taken labels, in a form in which labels that look alike are equal. */
export interface Labels {
  /** A free label, as close to `wantedLabel` as can be, which is then taken; `fallback` where nothing of `wantedLabel` can stand in one. */
  choose(wantedLabel: string, fallback: string): string;
}

/** Names of the file format and of the language that a label cannot be. */
const RESERVED = ['api_keys', '__proto__'];
const MOST_CHARACTERS = 56;

export function openLabels(taken: Iterable<string>): Labels {
  const forms = new Set([...RESERVED, ...taken].map(confusableForm));
  const counters = new Map<string, number>();
  return {
    choose(wantedLabel, fallback) {
      const slug = slugOf(wantedLabel);
      const stem = slug === '' || looksSecret(slug) ? fallback : slug;
      // `replica-1` goes on as `replica-2`.
      const [, root = stem, digits] = /^(.*?)-([0-9]{1,6})$/.exec(stem) ?? [];
      let next = counters.get(root) ?? (digits === undefined ? 2 : Number(digits) + 1);
      let label = stem;
      while (forms.has(confusableForm(label))) label = `${root.slice(0, MOST_CHARACTERS)}-${next++}`;
      counters.set(root, next);
      forms.add(confusableForm(label));
      return label;
    },
  };
}

/** True where the key of an entry is its name in the API, because a file writes that name nowhere else. Other keys are labels. */
export function isKeyed(kind: KindTraits): boolean {
  return kind.key !== undefined && !writableOf(kind).includes(kind.key);
}

/** The letters, digits, `.`, `_` and `-` of a name, with one `-` for each run of other characters. */
function slugOf(name: string): string {
  if (/^[A-Za-z0-9._-]{1,64}$/.test(name)) return name;
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '');
  const slug = plain.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, MOST_CHARACTERS);
  return slug.replace(/^[-.]+|[-.]+$/g, '');
}

/** True for a text that a file can hold as a name. */
export function isWritableName(name: string, maxLength: number): boolean {
  return nameProblem(name) === null && name.length <= maxLength && !looksSecret(name);
}

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
