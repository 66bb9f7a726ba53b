// Drafts the entries of one kind below one parent: resources that a file can hold, with readable labels that do not look alike.
import { isKnown, writableOf, type KindTraits } from '../../../model/attributes.ts';
import { writtenFormOf, type WrittenAmong, type WrittenEntry } from '../../../config/kind-section.ts';
import { inert } from '../../../base/text/inert.ts';
import { confusableForm, nameProblem } from '../../../config/check/cross-checks.ts';
import type { Kind } from '../../../kinds/index.ts';
import { addressOf, type Address } from '../../../model/address.ts';
import type { DesiredResource, DesiredState, KindName, ResourceId, DesiredProject } from '../../../model/desired.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import { addressBelow, type Below } from '../../../model/kind.ts';
import type { LiveResource } from '../../../model/live.ts';
import { topSections } from '../../session/selection.ts';
import { wantedNames, type Names } from './names.ts';
import type { AttributeDetail, DraftEntry } from './scope.ts';
import { looksSecret } from '../../../config/yaml/show.ts';
import { compareText, type JsonObject } from '../../../base/json.ts';
import { isReference } from '../../../model/values.ts';

export interface Parent {
  readonly kind: KindName | null;
  readonly address: Address | null;
  readonly within: readonly string[];
  readonly below: Below;
  readonly scope: string;
}

export interface EntriesInput extends WrittenAmong {
  readonly desired: DesiredState;
  readonly detail: AttributeDetail;
  readonly names: Names;
  readonly warnings: Diagnostic[];
  readonly live: readonly LiveResource[];
  readonly unlisted: readonly LiveResource[];
}

export function draftEntries(kind: Kind, parent: Parent, input: EntriesInput): ReadonlyMap<ResourceId, DraftEntry> {
  const { desired, warnings, live, unlisted } = input;
  if (unlisted.length === 0) return new Map();
  const isBelow = (one: DesiredResource): boolean =>
    one.scope === parent.scope &&
    (one.parent ?? null) === (parent.below.parentId === undefined ? null : parent.address);
  const declared = desired.resources.filter((one) => one.kind === kind.kind && isBelow(one));
  const isWritable = (id: ResourceId, problem: string | null): boolean => {
    if (problem !== null)
      warnings.push(leavingOut(addressOf(parent.address ?? kind.section, id), inert(id, 80), problem));
    return problem === null;
  };
  const wanted = unlisted.filter((one) => isWritable(one.id, leftOut(kind, one, live, declared)));
  const pointed = writtenFormOf(kind).hasLabels ? labelsOf(desired, parent.scope) : {};
  const labels = openLabels([...declared.map(({ name }) => name), ...Object.keys(pointed)]);
  const apiNames = new Map(declared.map(({ spec }) => [confusableForm(String(spec['name'])), String(spec['name'])]));
  const writable = kind
    .written(wanted, input)
    .filter(({ id, name, isApiName }) => isWritable(id, isApiName ? nameTrouble(kind, name, apiNames) : null));
  const prefix = kind.kind.replaceAll('_', '-');
  const unkeyed = isKeyed(kind) ? [] : writable;
  const chosen = chooseLabels(
    unkeyed.map(({ id, name, label = name }) => ({ id, name: label, fallback: `${prefix}-${id}` })),
    labels,
    input.names,
  );
  const entryFor = (written: WrittenEntry): readonly [ResourceId, DraftEntry] => {
    const label = chosen.get(written.id) ?? written.name;
    return [written.id, entryOf(written, parent, { kind, label, detail: input.detail })];
  };
  return new Map(writable.map(entryFor));
}

interface ToLabel {
  readonly id: string;
  readonly name: string;
  readonly fallback: string;
}

/** Chooses a label for each id. Resources with a Terraform name are first, so that no other resource takes that name. */
export function chooseLabels(items: readonly ToLabel[], labels: Labels, names: Names): ReadonlyMap<string, string> {
  const wanted = wantedNames(items, names);
  const inOrder = [true, false].flatMap((isFirst) => items.filter(({ id }) => wanted.has(id) === isFirst));
  return new Map(inOrder.map(({ id, name, fallback }) => [id, labels.choose(wanted.get(id) ?? name, fallback)]));
}

function leftOut(
  kind: Kind,
  live: LiveResource,
  all: readonly LiveResource[],
  declared: DesiredState['resources'],
): string | null {
  if (!isKnown(kind, live)) return 'this version of trueup does not know its type';
  const place = kind.place(live.spec);
  if (place === null) return null;
  if (all.some((other) => other.id !== live.id && kind.place(other.spec) === place))
    return `only one live resource can be ${place}, but the account has several`;
  const holder = declared.find(({ spec, absent }) => !absent && kind.place(spec) === place);
  return holder === undefined ? null : `the file already declares ${place} as ${holder.address}`;
}

/** The longest name in the API. Kinds with a smaller limit check it themselves. */
const MAX_NAME_LENGTH = 256;

/** The reason why a file must not hold the name. If there is none, returns null and adds the name to `names`. */
function nameTrouble(kind: Kind, name: string, names: Map<string, string>): string | null {
  if (isKeyed(kind) && name === '__proto__') return `a file cannot hold the name ${inert(JSON.stringify(name))}`;
  if (!isWritableName(name))
    return `the name ${inert(JSON.stringify(name), 80)} could be misread: write that entry by hand`;
  const form = confusableForm(name);
  const other = names.get(form);
  if (other !== undefined && other !== name)
    return `the name ${inert(JSON.stringify(name), 80)} could be confused with ${inert(JSON.stringify(other), 80)}`;
  names.set(form, name);
  return null;
}

function entryOf(
  written: WrittenEntry,
  parent: Parent,
  { kind, label, detail }: Pick<DraftEntry, 'kind' | 'label'> & Pick<EntriesInput, 'detail'>,
): DraftEntry {
  const { id, ...identity } = written.identity;
  const name = written.isApiName && label !== written.name ? { name: written.name } : {};
  return {
    kind,
    within: [...parent.within, kind.section],
    label,
    address: addressBelow(parent.address, kind, label),
    identity: { ...(id === undefined ? {} : { id }), ...name, ...identity },
    attributes: detail === 'full' || written.isConcise === true ? written.attributes : {},
  };
}

/** The warning about an omitted resource; `what` must be safe to print. */
export function leavingOut(address: Address, what: string, problem: string): Diagnostic {
  return { severity: 'warning', code: 'not_imported', message: `${what} is left out: ${problem}`, address };
}

/** Remembers the labels in use. Two labels that look alike count as the same. */
export interface Labels {
  /** Reserves and returns a free label like `wantedLabel`, or like `fallback` if `wantedLabel` is unusable or looks secret. */
  choose(wantedLabel: string, fallback: string): string;
}

const MOST_CHARACTERS = 56;

export function openLabels(taken: Iterable<string>): Labels {
  const forms = new Set([...topSections, '__proto__', ...taken].map(confusableForm));
  const counters = new Map<string, number>();
  return {
    choose(wantedLabel, fallback) {
      const slug = slugOf(wantedLabel);
      const stem = slug === '' || looksSecret(slug) ? fallback : slug;
      // If a label ends in a number, the next number makes it free: after `replica-1` comes `replica-2`.
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

/** True if an entry's key is the resource's name in the API; otherwise the key is a label and the name an attribute. */
export function isKeyed(kind: KindTraits): boolean {
  return kind.key !== undefined && !writableOf(kind).includes(kind.key);
}

/** Returns a valid label unchanged. Otherwise removes accents, replaces other characters by `-`, and limits the length. */
function slugOf(name: string): string {
  if (/^[A-Za-z0-9._-]{1,64}$/.test(name)) return name;
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '');
  const slug = plain.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, MOST_CHARACTERS);
  return slug.replace(/^[-.]+|[-.]+$/g, '');
}

export function isWritableName(name: string): boolean {
  return nameProblem(name) === null && name.length <= MAX_NAME_LENGTH && !looksSecret(name);
}

export type BranchLabels = ReadonlyMap<ResourceId, string>;

export function labelsOf({ projects }: DesiredState, project: string): DesiredProject['labels'] {
  return projects.find(({ label }) => label === project)?.labels ?? {};
}

/** The branch labels in the files by id: from labels with an id, and from declarations that match a live branch. */
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

/** Labels from `names` for branches to which resources of `live` refer. A branch without a name gets none. */
export function givenLabels(live: readonly LiveResource[], names: Names): BranchLabels {
  const used = [...new Set(live.flatMap(({ spec }) => idOf(spec['branch_id'])))].sort(compareText);
  const named = used.filter((id) => names.has(id)).map((id) => ({ id, name: id, fallback: id }));
  // A label that begins with `br-` would be read as an id.
  return new Map([...chooseLabels(named, openLabels([]), names)].filter(([, label]) => !label.startsWith('br-')));
}

export function pointedAt(labels: BranchLabels, entries: readonly DraftEntry[]): JsonObject {
  const used = new Set(entries.flatMap(({ identity }) => idOf(identity['branch_id'])));
  const branches = [...labels].flatMap(([id, label]) => (used.has(id) ? [[label, id] as const] : []));
  return branches.length === 0 ? {} : { branches: Object.fromEntries(branches.sort(([a], [b]) => compareText(a, b))) };
}

function idOf(value: unknown): readonly string[] {
  return typeof value === 'string' ? [value] : [];
}

/** Keys whose value is a branch id, each with the key that takes a branch label instead. */
const BY_LABEL: Readonly<Record<string, string>> = { branch_id: 'branch', from: 'from' };

export function withLabels(entry: DraftEntry, labels: BranchLabels): DraftEntry {
  const members = Object.entries(entry.identity).map(([key, value]) => {
    const written = BY_LABEL[key];
    const label = written === undefined ? undefined : labels.get(String(value));
    return label === undefined || written === undefined ? ([key, value] as const) : ([written, label] as const);
  });
  return { ...entry, identity: Object.fromEntries(members) };
}
