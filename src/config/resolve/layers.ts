// Layers of attributes: an entry, its profile, and the profile of its project. The nearest value wins.
import { writableOf } from '../../model/attributes.ts';
import type { KindSection } from '../kind-section.ts';
import { writtenFormOf } from '../written-form.ts';
import { isNull, mapWith, type MapNode, type TreeEntry, type TreeNode } from '../yaml/source-tree.ts';

export type Profiles = ReadonlyMap<string, TreeEntry>;

/** Each attribute keeps the name of its profile, which messages show. */
export function namedProfiles(profiles: Profiles): Profiles {
  const named = [...profiles].map(([profile, entry]): [string, TreeEntry] => {
    if (entry.value.kind !== 'map') return [profile, entry];
    const entries = [...entry.value.entries].map(([name, one]): [string, TreeEntry] => [
      name,
      { ...one, from: { ...one.from, profile } },
    ]);
    return [profile, { ...entry, value: mapWith(entry.value, new Map(entries)) }];
  });
  return new Map(named);
}

/** Layers set only attributes that a profile may set; the nearest layer comes first. */
export function layered(own: MapNode, layers: readonly MapNode['entries'][], settable: readonly string[]): MapNode {
  return layers.reduce((near, far) => joined(near, far, (name) => settable.includes(name)), own);
}

/** Maps are joined member by member; any other value, `null` included, hides the values beneath. */
function over(near: TreeNode, far: TreeNode): TreeNode {
  return near.kind === 'map' && far.kind === 'map' ? joined(near, far.entries) : near;
}

function joined(near: MapNode, far: MapNode['entries'], isTaken: (name: string) => boolean = () => true): MapNode {
  const entries = new Map(near.entries);
  for (const [name, entry] of far) {
    if (!isTaken(name)) continue;
    const nearer = entries.get(name);
    entries.set(name, nearer === undefined ? entry : { ...nearer, value: over(nearer.value, entry.value) });
  }
  return mapWith(near, entries);
}

/** An attribute that is `null` is not managed, unless null clears it. */
export function withoutNulls(map: MapNode, kind: KindSection): MapNode {
  let entries: Map<string, TreeEntry> | undefined;
  const { clearing } = writtenFormOf(kind);
  for (const [name, entry] of map.entries) {
    const { value: written } = entry;
    if (clearing.includes(name) || (!writableOf(kind).includes(name) && !isNull(written))) continue;
    const value = isNull(written) ? undefined : pruned(written);
    if (value === written) continue;
    entries ??= new Map(map.entries);
    if (value === undefined) entries.delete(name);
    else entries.set(name, { ...entry, value });
  }
  return entries === undefined ? map : mapWith(map, entries);
}

function pruned(node: TreeNode): TreeNode {
  if (node.kind !== 'map') return node;
  const entries = new Map<string, TreeEntry>();
  let same = true;
  for (const [name, entry] of node.entries) {
    const { value: written } = entry;
    const value = isNull(written) ? undefined : pruned(written);
    if (value !== written) same = false;
    if (value !== undefined) entries.set(name, { ...entry, value });
  }
  return same ? node : mapWith(node, entries);
}
