// What can be checked across a project and what is declared in it: nothing beside its absence, and the primary that comes with it.
import type { CheckContext } from '../../../config/kind-section.ts';
import type { DesiredResource } from '../../../model/desired.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import { foldOf } from '../fold.ts';

export function checkProjects(
  resources: readonly DesiredResource[],
  { all, projects }: CheckContext,
): readonly Diagnostic[] {
  return resources.flatMap((project): readonly Diagnostic[] => {
    const own = all.filter(({ scope, address }) => scope === project.scope && address !== project.address);
    if (project.absent) return own.slice(0, 1).map((one) => goesAsWell(project, one));
    const isPruned = projects.find(({ label }) => label === project.scope)?.prune !== false;
    const isCreated = project.options['name'] !== undefined;
    return isCreated && isPruned && foldOf(own).compute === null ? [unlistedPrimary(project)] : [];
  });
}

function goesAsWell(project: DesiredResource, { address, source }: DesiredResource): Diagnostic {
  return {
    severity: 'error',
    code: 'contradiction',
    message: `${project.address} shall be absent, and ${address} is in it`,
    hint: 'Remove what is in the project from the file: it goes with it.',
    address,
    range: source,
    related: [{ message: '`state: absent` stands here', range: project.sources['state'] ?? project.source }],
  };
}

/** Else the plan after the creation would delete what came with it. */
function unlistedPrimary(project: DesiredResource): Diagnostic {
  return {
    severity: 'error',
    code: 'prune_of_first_primary',
    message: `${project.address} may be created, and \`prune\` would delete the primary that its default branch comes with`,
    hint: 'Declare the default branch (`default: true`) and its primary, or leave `prune` out.',
    address: project.address,
    range: project.sources['create'] ?? project.source,
  };
}
