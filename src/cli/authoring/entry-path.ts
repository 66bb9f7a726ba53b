// Where the entry of a declared resource stands in its file.
import { kindOf } from '../../kinds/index.ts';
import type { DesiredResource, DesiredState } from '../../model/desired.ts';
import { PROJECT } from '../../model/kind.ts';

/** The keys that lead to it from the top level: below its project or at its section, through all that it is below. */
export function entryPath(desired: Pick<DesiredState, 'resources'>, resource: DesiredResource): readonly string[] {
  const { kind, name, scope, parent } = resource;
  const { section } = kindOf(kind);
  const above = desired.resources.find(({ address }) => address === parent);
  const root = section.parent === null ? [] : ['projects', scope];
  if (kind === PROJECT) return root;
  return [...(above === undefined ? root : entryPath(desired, above)), section.section, name];
}
