// Laws on plans that were shown or saved before they are carried out: the same plan as long as nothing changes, and none is done twice.
import type { Step } from '../../../src/model/outcome/plan.ts';
import { groupOf, groupsOf, ownEntries, type Story } from './story.ts';
import type { RunRecord } from '../world/run.ts';

export function reviewViolations(story: Story): readonly string[] {
  return story.runs.flatMap((run) => [...doneAgain(story, run), ...madeElsewhere(story, run)]);
}

/** I33: of a plan that is carried out twice no step is done twice; what was made and could not be kept was not done. */
function doneAgain(story: Story, run: RunRecord): readonly string[] {
  const { serverLies, lateCommits, othersWrite, brokenOperations, wrongDates } = story.leniency;
  const { reviewed } = run;
  if (!run.isSaved || reviewed?.isSaved !== true) return [];
  if (serverLies || lateCommits || othersWrite || brokenOperations) return [];
  const both = ownEntries(story).filter(({ run: by }) => by === run || by === reviewed);
  // What expired between the two is done anew.
  const ledger = story.site.plane.ledger();
  const undone = new Set(ledger.flatMap(({ kind, id, verb }) => (verb === 'DELETE' ? [`${kind} ${id}`] : [])));
  return [...groupsOf(run)].flatMap(([group, steps]) => {
    // A lease that is reckoned by a wrong time is kept as another one, so it is sent again.
    const isLease = ({ expects, achieves }: Step): boolean =>
      expects.state === 'present' && typeof achieves?.['ttl_seconds'] === 'number';
    if (wrongDates && steps.every(isLease)) return [];
    // One request may change several things, such as which of two branches is the default.
    const committed = new Set(
      both.flatMap(({ entry: { kind, id, before }, request }) => {
        const isMeant = groupOf(request.method, request.path, request.body) === group;
        return isMeant && !(before === null && undone.has(`${kind} ${id}`)) ? [request] : [];
      }),
    );
    return committed.size <= steps.length
      ? []
      : [`run ${run.run}: ${group} was done ${committed.size} times by a plan of ${steps.length} such steps`];
  });
}

/** I34: no project is touched that is known by a name alone which another one has too. */
function madeElsewhere({ site, workload, leniency }: Story, { run }: RunRecord): readonly string[] {
  const { twins = [] } = workload;
  if (twins.length === 0 || leniency.serverLies) return [];
  const ids = site.plane.truth.projects().flatMap(({ id, name }) => (twins.includes(name) ? [id] : []));
  return site.wire.flatMap(({ run: by, method, path }) =>
    by === run && method !== 'GET' && ids.some((id) => path.startsWith(`/projects/${id}/`))
      ? [`run ${run}: ${method} ${path} writes to one of several projects of a name`]
      : [],
  );
}
