// Adds the attributes of profiles to an entry: from its own `use`, and from the `use` of its project. The nearest value wins.
import { nearHint } from '../../base/text/words.ts';
import { type KindSection, writtenFormOf } from '../kind-section.ts';
import type { Report } from '../report.ts';
import { show } from '../yaml/show.ts';
import {
  valueOf,
  isNull,
  mapWith,
  membersOf,
  textIn,
  type MapNode,
  type TreeEntry,
  type TreeNode,
} from '../yaml/source-tree.ts';

export type Profiles = ReadonlyMap<string, MapNode['entries']>;

/** Returns the attributes of each profile; every attribute keeps the name of its profile, which messages show. */
export function namedProfiles(profiles: TreeNode | undefined): Profiles {
  const named = [...membersOf(profiles)].map(([profile, { value }]) => {
    const members = [...membersOf(value)].map(
      ([name, one]) => [name, { ...one, from: { ...one.from, profile } }] as const,
    );
    return [profile, new Map(members)] as const;
  });
  return new Map(named);
}

interface ProfileContext {
  readonly projectUse: TreeNode | undefined;
  readonly profiles: Profiles;
  readonly kind: KindSection;
  readonly report: Report;
}

/** Adds the attributes of profiles to an entry. With `use: null`, an entry takes no profile, not even the profile of its project. */
export function withProfiles(own: MapNode, { projectUse, profiles, kind, report }: ProfileContext): MapNode {
  const use = valueOf(own, 'use');
  const { profile } = writtenFormOf(kind);
  if (profile === null || (use === undefined ? projectUse === undefined : isNull(use))) return own;
  const type = textIn(valueOf(own, profile.by)) ?? profile.usual;
  const forType = projectUse?.kind === 'map' ? valueOf(projectUse, type) : projectUse;
  return [use, forType].reduce<MapNode>((near, node) => {
    const members = [...(findProfile(node, profiles, report) ?? [])];
    return over(near, new Map(members.filter(([name]) => profile.attributes.includes(name))));
  }, own);
}

/** Adds what the nearer mapping lacks: mappings are merged, and any other nearer value, even `null`, hides the farther value. */
function over(near: MapNode, far: MapNode['entries']): MapNode {
  if (far.size === 0) return near;
  const entries = new Map<string, TreeEntry>(near.entries);
  for (const [name, entry] of far) {
    const nearer = entries.get(name);
    if (nearer === undefined) entries.set(name, entry);
    else if (nearer.value.kind === 'map')
      entries.set(name, { ...nearer, value: over(nearer.value, membersOf(entry.value)) });
  }
  return mapWith(near, entries);
}

export function findProfile(
  use: TreeNode | undefined,
  profiles: Profiles,
  report: Report,
): MapNode['entries'] | undefined {
  const name = textIn(use);
  if (use === undefined || name === null) return undefined;
  const found = profiles.get(name);
  if (found === undefined)
    report.add('unknown_profile', `there is no profile ${show(name)}`, use, {
      hint: () =>
        nearHint(name, profiles.keys(), 'Profiles are written at the top level: `profiles: { NAME: … }`.', show),
    });
  return found;
}
