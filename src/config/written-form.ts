// How a file writes the attributes of a kind: under which keys, with which labels and profiles.
import { writableOf, type Attribute, type Attributes, type KindTraits } from '../model/attributes.ts';

export interface WrittenForm {
  /** By attribute, the path in the file that sets it, if the names differ. */
  readonly places: Readonly<Record<string, string>>;
  readonly keys: ReadonlySet<string>;
  readonly clearing: readonly string[];
  readonly hasLabels: boolean;
  /** `by`: the attribute that chooses a profile · `usual`: its default · `attributes`: those a profile may set. Null without profiles. */
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
