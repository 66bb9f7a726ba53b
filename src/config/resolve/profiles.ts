// Adds the attributes of profiles to an entry: of its own `use`, and of the `use` of its project.
import { didYouMean } from '../../base/text/words.ts';
import type { KindSection } from '../kind-section.ts';
import type { Report } from '../report.ts';
import { writtenFormOf } from '../written-form.ts';
import { show } from '../yaml/show.ts';
import {
  entryOf,
  isNull,
  membersOf,
  textIn,
  type MapNode,
  type TreeEntry,
  type TreeNode,
} from '../yaml/source-tree.ts';
import { layered, type Profiles } from './layers.ts';

export interface ProfileInput {
  readonly own: MapNode;
  readonly projectUse: TreeNode | undefined;
  readonly profiles: Profiles;
  readonly kind: KindSection;
  readonly report: Report;
}

/** `use: null` at the entry takes no profile, and not that of the project either. */
export function withProfiles(input: ProfileInput): MapNode {
  const { own, projectUse, profiles, kind, report } = input;
  const use = entryOf(own, 'use')?.value;
  const { profile } = writtenFormOf(kind);
  if (profile === null || (projectUse === undefined && use === undefined)) return own;
  const key = textIn(entryOf(own, profile.by)?.value) ?? profile.usual;
  if (use !== undefined && isNull(use)) return own;
  const forType = projectUse?.kind === 'map' ? entryOf(projectUse, key)?.value : projectUse;
  const layers = [use, forType].map((node) => membersOf(findProfile(node, profiles, report)?.value));
  return layered(own, layers, profile.attributes);
}

/** Undefined, with a problem, if there is no such profile. */
export function findProfile(use: TreeNode | undefined, profiles: Profiles, report: Report): TreeEntry | undefined {
  const name = textIn(use);
  if (use === undefined || name === null) return undefined;
  const found = profiles.get(name);
  if (found !== undefined) return found;
  report.add('unknown_profile', `there is no profile ${show(name)}`, use, {
    hint() {
      const near = didYouMean(name, profiles.keys());
      return near === undefined
        ? 'Profiles are written at the top level: `profiles: { NAME: … }`.'
        : `Did you mean ${show(near)}?`;
    },
  });
  return undefined;
}
