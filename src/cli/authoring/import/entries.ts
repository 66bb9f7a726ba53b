// The entries of one scope in a draft: the resources that a file can hold, with their labels.
import { isKnown } from '../../../model/attributes.ts';
import { writtenFormOf } from '../../../config/written-form.ts';
import { inert } from '../../../base/text/inert.ts';
import { confusableForm } from '../../../config/check/names.ts';
import type { WrittenAmong, WrittenEntry } from '../../../config/kind-section.ts';
import type { kinds } from '../../../kinds/index.ts';
import { addressOf, type Address } from '../../../model/address.ts';
import type { DesiredResource, DesiredState, KindName, ResourceId } from '../../../model/desired.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import { addressBelow, type Below } from '../../../model/kind.ts';
import type { LiveResource } from '../../../model/live.ts';
import { labelsOf, isKeyed, isWritableName, openLabels, type Labels } from './labels.ts';
import { wantedNames, type Names } from './names.ts';
import type { AttributeDetail, DraftEntry } from './scope.ts';

export type Kind = (typeof kinds)[number];

/** The parent of entries: the account, a project, or a resource that is declared or drafted. */
export interface Parent {
  /** Null for the account. */
  readonly kind: KindName | null;
  readonly address: Address | null;
  readonly within: readonly string[];
  readonly below: Below;
  readonly scope: string;
}

interface EntriesInput extends WrittenAmong {
  readonly desired: DesiredState;
  readonly detail: AttributeDetail;
  readonly names: Names;
  readonly warnings: Diagnostic[];
  readonly live: readonly LiveResource[];
  readonly unlisted: readonly LiveResource[];
}

/** Entries for the unlisted resources of a kind below one parent, by id. */
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
  const chosen = chosenLabels(writable, { kind, labels, names: input.names });
  const entryFor = (written: WrittenEntry): readonly [ResourceId, DraftEntry] => {
    const label = chosen.get(written.id) ?? written.name;
    return [written.id, entryOf(written, parent, { kind, label, detail: input.detail })];
  };
  return new Map(writable.map(entryFor));
}

function chosenLabels(
  writable: readonly WrittenEntry[],
  { kind, labels, names }: { readonly kind: Kind; readonly labels: Labels; readonly names: Names },
): ReadonlyMap<string, string> {
  const ids = writable.map(({ id }) => id);
  const wanted = wantedNames(ids, names);
  const choose = ({ id, name, label = name }: WrittenEntry): readonly [string, string] => [
    id,
    isKeyed(kind) ? name : labels.choose(wanted.get(id) ?? label, `${kind.kind.replaceAll('_', '-')}-${id}`),
  ];
  const inOrder = [true, false].flatMap((isFirst) => writable.filter(({ id }) => wanted.has(id) === isFirst));
  return new Map(inOrder.map(choose));
}

/** Why a live resource cannot be declared; null when it can. */
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

/** The longest name in the API; kinds with shorter names have their own check. */
const MAX_NAME_LENGTH = 256;

/** The reason why a name keeps its resource out of the file; without one, the name is taken. */
function nameTrouble(kind: Kind, name: string, names: Map<string, string>): string | null {
  if (isKeyed(kind) && name === '__proto__') return `a file cannot hold the name ${inert(JSON.stringify(name))}`;
  if (!isWritableName(name, MAX_NAME_LENGTH))
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

/** `what` is safe to print. */
export function leavingOut(address: Address, what: string, problem: string): Diagnostic {
  return { severity: 'warning', code: 'not_imported', message: `${what} is left out: ${problem}`, address };
}
