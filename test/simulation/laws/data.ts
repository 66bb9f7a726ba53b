// Laws on data: nothing is dropped or put on a lease but by a consent that names it, and no branch loses its parent.
import { groupOf, groupsOf, ownEntries, shown, type OwnEntry, type Story } from './story.ts';

/** What holds data, in the words of the ledger. */
const HOLDERS = ['project', 'branch', 'database', 'role'];

export function dataViolations(story: Story): readonly string[] {
  const own = ownEntries(story);
  return [...own.flatMap((one) => [...dropped(story, own, one), ...leased(story, own, one)]), ...orphans(story)];
}

/** The addresses of the steps that a request carried out. */
function addressesOf({ request, run }: OwnEntry): readonly string[] {
  const steps = groupsOf(run).get(groupOf(request.method, request.path, request.body)) ?? [];
  return steps.map(({ address }) => address);
}

function isMadeBy(own: readonly OwnEntry[], { entry }: OwnEntry): boolean {
  return own.some(({ entry: made }) => made.verb === 'POST' && made.kind === entry.kind && made.id === entry.id);
}

/** I35: what holds data goes only by a consent to just that: `drop` with its address, or its own declaration where it was made to be thrown away. */
function dropped({ workload }: Story, own: readonly OwnEntry[], one: OwnEntry): readonly string[] {
  const { entry, run } = one;
  if (!HOLDERS.includes(entry.kind) || entry.verb !== 'DELETE') return [];
  const addresses = addressesOf(one);
  const isLet = (workload.allow ?? []).some(({ action, address }) => action === 'drop' && addresses.includes(address));
  const isDisposable = (run.plan?.changes ?? []).some(
    ({ address, resourceId }) =>
      addresses.includes(address) && resourceId === entry.id && (workload.disposable ?? []).includes(address),
  );
  // What a rule of the file deletes has laws of its own (`rules.ts`).
  const isByRule = addresses.some((address) => ['previews', 'retention'].includes(address.split('/')[1] ?? ''));
  if (isLet || isByRule || (isDisposable && isMadeBy(own, one))) return [];
  return [`run ${run.run}: ${entry.verb} ${entry.path} drops what nobody let go`];
}

/** I36: a branch that was there gets an end, or an earlier one, only by `expire` with its address. */
function leased({ workload, leniency }: Story, own: readonly OwnEntry[], one: OwnEntry): readonly string[] {
  const { entry, run } = one;
  if (entry.kind !== 'branch' || entry.verb !== 'PATCH' || isMadeBy(own, one)) return [];
  const [before, after] = [shown(entry.before)['expires_at'], shown(entry.after)['expires_at']];
  if (typeof after !== 'string' || (typeof before === 'string' && before <= after)) return [];
  const addresses = addressesOf(one);
  const isLet = (workload.allow ?? []).some(
    ({ action, address }) => action === 'expire' && addresses.includes(address),
  );
  // A renewal that was believed lost may be done after the one that was sent in its place, by whichever run, and ends as much sooner.
  const isLate = leniency.lateCommits && own.some((other) => other.entry.id === entry.id && other !== one);
  return isLet || isLate ? [] : [`run ${run.run}: ${entry.path} was put on a lease that nobody let`];
}

/** I37: no branch is left without its parent. */
function orphans({ site }: Story): readonly string[] {
  const branches = site.plane.truth.branches();
  const ids = new Set(branches.map(({ id }) => id));
  return branches.flatMap(({ id, parentId }) =>
    parentId === undefined || ids.has(parentId) ? [] : [`${id} has lost its parent ${parentId}`],
  );
}
