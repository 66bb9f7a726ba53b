// Declares what loading files needs from a kind: its place in the file, its keys, and its checks.
import type { JsonObject } from '../base/json.ts';
import type { Address } from '../model/address.ts';
import { type KindTraits, writableOf, type Attribute, type Attributes } from '../model/attributes.ts';
import type { DesiredProject, DesiredResource, ResourceId } from '../model/desired.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { LiveResource } from '../model/live.ts';

/** A problem of an entry. `path` leads from the entry to the value, such as `['lifecycle', 'via']`, and is empty for the entry itself. */
export interface EntryProblem extends Pick<Diagnostic, 'severity' | 'code' | 'message'> {
  /** May be a function, if the hint takes time to find. */
  readonly hint?: string | (() => string);
  readonly path: readonly (string | number)[];
  readonly atKey?: boolean;
  readonly related?: { readonly message: string; readonly path: readonly (string | number)[] };
  /** True if a part of the entry is missing. Such a problem is not reported if validation refused another part of the entry. */
  readonly missing?: boolean;
}

/** An entry, merged from files, overlays and profiles. An attribute with `null` is left out, unless null clears the attribute. */
export interface Entry {
  readonly name: string;
  readonly value: JsonObject;
  readonly project: DesiredProject | null;
  readonly projects: readonly string[];
  /** The address of the declared parent; null directly below a project or the account. */
  readonly parent: Address | null;
}

export interface EntryMeaning {
  /** The managed attributes in units of the service; an absent resource has only its identifying attributes. */
  readonly spec: JsonObject;
  readonly options: JsonObject;
  /** The former slot, or the former name, of the resource; null if the entry gives none. */
  readonly movedFrom?: string | null;
  /** `lifecycle.via`: the slot through which a move may pass if moves form a cycle. */
  readonly via?: string | null;
  /** Maps attributes to their paths in the entry. Default: `WrittenForm.places` of the kind. */
  readonly places?: Readonly<Record<string, string>>;
  readonly problems: readonly EntryProblem[];
}

export interface WrittenEntry {
  readonly id: ResourceId;
  /** The proposed label. The caller chooses another one if the label is taken or is not allowed. */
  readonly name: string;
  /** The label to propose instead of `name`, because trueup would read `name` in a file as an id. */
  readonly label?: string;
  /** True if `name` is the name in the API, so that an entry with another label must also write the name. */
  readonly isApiName: boolean;
  /** The keys that identify the resource, the id first. */
  readonly identity: JsonObject;
  readonly attributes: JsonObject;
  /** True if `attributes` omits the service's defaults. An import then writes all of `attributes`, whatever detail the user asked for. */
  readonly isConcise?: true;
}

export interface WrittenAmong {
  readonly around: readonly LiveResource[];
  readonly labels: ReadonlyMap<ResourceId, string>;
}

export interface CheckContext {
  readonly all: readonly DesiredResource[];
  readonly projects: readonly DesiredProject[];
}

export interface KindSection extends KindTraits {
  meaning(entry: Entry): EntryMeaning;
  check(resources: readonly DesiredResource[], context: CheckContext): readonly Diagnostic[];
  written(wanted: readonly LiveResource[], among: WrittenAmong): readonly WrittenEntry[];
}

export interface WrittenForm {
  /** Maps attributes to their paths in the file, only if the path differs from the attribute's name. */
  readonly places: Readonly<Record<string, string>>;
  readonly keys: ReadonlySet<string>;
  readonly clearing: readonly string[];
  readonly hasLabels: boolean;
  /** `by`: the attribute whose value chooses the profile · `usual`: its default · `attributes`: those a profile may set. Null without profiles. */
  readonly profile: { readonly by: string; readonly usual: string; readonly attributes: readonly string[] } | null;
}

type OfKind = Pick<KindTraits, 'attributes'>;

const known = new WeakMap<Attributes, WrittenForm>();

export function writtenFormOf(kind: OfKind): WrittenForm {
  const form = known.get(kind.attributes) ?? formOf(kind);
  known.set(kind.attributes, form);
  return form;
}

function formOf(kind: OfKind): WrittenForm {
  const rows = Object.entries(kind.attributes);
  const [by, chooser] = rows.find(([, { hasProfiles }]) => hasProfiles === true) ?? [];
  const isShared = ({ isIdentity, isName, change }: Attribute): boolean =>
    isIdentity !== true && isName !== true && change !== 'never';
  const shared = writableOf(kind).filter((path) => isShared(kind.attributes[path] as Attribute));
  return {
    places: Object.fromEntries(rows.flatMap(([path, { file }]) => (file === undefined ? [] : [[path, file]]))),
    keys: new Set(rows.flatMap(([path, { file = path }]) => file.split('.').slice(0, 1))),
    clearing: rows.flatMap(([, { clearedBy = [] }]) => clearedBy),
    hasLabels: rows.some(([, { hasLabels }]) => hasLabels === true),
    profile: by === undefined ? null : { by, usual: chooser?.values?.[0] ?? '', attributes: shared },
  };
}
