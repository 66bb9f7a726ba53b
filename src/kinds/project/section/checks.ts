// Checks a project together with its declared contents.
import { groupBy } from '../../../base/group-by.ts';
import type { CheckContext } from '../../../config/kind-section.ts';
import type { DesiredResource } from '../../../model/desired.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import { PROJECT } from '../../../model/kind.ts';
import { firstContentsOf } from '../first-contents.ts';

export function checkProjects(
  resources: readonly DesiredResource[],
  { all, projects }: CheckContext,
): readonly Diagnostic[] {
  const below = groupBy(
    all.filter(({ kind }) => kind !== PROJECT),
    ({ scope }) => scope,
  );
  const pruning = new Map(projects.map(({ label, prune }) => [label, prune !== false]));
  return resources.flatMap((project): readonly Diagnostic[] => {
    const own = below.get(project.scope) ?? [];
    if (project.absent) return own.slice(0, 1).map((one) => goesAsWell(project, one));
    const isPruned = pruning.get(project.scope) !== false;
    const isCreated = project.options['name'] !== undefined;
    if (!isCreated) return [];
    return isPruned && firstContentsOf(own).compute === null ? [unlistedPrimary(project)] : [];
  });
}

function goesAsWell(project: DesiredResource, { address, source }: DesiredResource): Diagnostic {
  return {
    severity: 'error',
    code: 'contradiction',
    message: `${project.address} has state: absent, but ${address} belongs to that project`,
    hint: 'Remove the resources of the project from the file: they are deleted with it.',
    address,
    range: source,
    related: [{ message: '`state: absent` is written here', range: project.sources['state'] ?? project.source }],
  };
}

/** Otherwise the plan after the creation would delete the primary. */
function unlistedPrimary(project: DesiredResource): Diagnostic {
  return {
    severity: 'error',
    code: 'prune_of_first_primary',
    message: `${project.address} may be created, and \`prune\` would then delete the primary of its default branch`,
    hint: 'Declare the default branch (`default: true`) and its primary, or remove `prune`.',
    address: project.address,
    range: project.sources['create'] ?? project.source,
  };
}
