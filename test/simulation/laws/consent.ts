// Laws on consent: what takes something away was let by somebody, and nothing that was there is undone as a thing of the run's own making.
import { matchesGlob } from '../../../src/model/address.ts';
import { groupOf, groupsOf, ownEntries, shown, type OwnEntry, type Story } from './story.ts';

export function consentViolations(story: Story): readonly string[] {
  const own = ownEntries(story);
  return own.flatMap((one) => [...unlet(story, own, one), ...undidWhatWasThere(story, one)]);
}

/** What an allowance has to name, in its words; null for what needs none, or has laws of its own (`data.ts`). */
function takesAway({ entry, request }: OwnEntry): 'delete' | 'revoke' | 'restart' | 'move' | 'disable' | null {
  if (entry.kind !== 'compute' && entry.kind !== 'key') return null;
  const [before, after] = [shown(entry.before), shown(entry.after)];
  if (entry.verb === 'DELETE') return entry.kind === 'key' ? 'revoke' : 'delete';
  if (request.path.endsWith('/restart')) return 'restart';
  if (entry.verb !== 'PATCH') return null;
  if (before['branch_id'] !== after['branch_id']) return 'move';
  return before['disabled'] === false && after['disabled'] === true ? 'disable' : null;
}

/**
 * I28: where nobody looked at the plan, nothing is taken away but what an allowance names, or what the run itself has just made. What
 * is only probably ours no pattern names.
 */
function unlet({ workload }: Story, own: readonly OwnEntry[], one: OwnEntry): readonly string[] {
  const { entry, request, run } = one;
  const action = takesAway(one);
  if (!run.isUnattended || action === null || action === 'restart') return [];
  if (own.some((other) => other.run === run && other.entry.verb === 'POST' && other.entry.id === entry.id)) return [];
  const steps = groupsOf(run).get(groupOf(request.method, request.path, request.body)) ?? [];
  const changes = (run.plan?.changes ?? []).filter(
    ({ address, action: what }) => what !== 'none' && steps.some((step) => step.address === address),
  );
  // A rotation consents to its own revocations.
  if (changes.length > 0 && changes.every(({ origin }) => origin === 'rotate')) return [];
  const names = changes.flatMap(({ address, action: what }) => [
    { address, what },
    { address: liveAddress(address, entry.id), what },
  ]);
  // Another change of the same declaration may be about another one.
  const about = changes.filter(({ resourceId }) => resourceId === entry.id);
  const isGuess = about.some(({ reasons }) => reasons.some((reason) => reason.includes('probably')));
  const covers = (address: string, name: string): boolean => (isGuess ? address === name : matchesGlob(address, name));
  const isLet = (workload.allow ?? []).some(({ action: let_, address }) =>
    names.some((name) => (let_ === '*' || let_ === action || let_ === name.what) && covers(address, name.address)),
  );
  return isLet ? [] : [`run ${run.run}: ${entry.verb} ${entry.path} was let by nobody`];
}

function liveAddress(address: string, id: string): string {
  return `${address.split('/')[0] ?? ''}/${id}`;
}

/** I29: what was there before the run is never removed as something that it made. */
function undidWhatWasThere({ native }: Story, { entry, request, run }: OwnEntry): readonly string[] {
  if (entry.verb !== 'DELETE' || !native.has(entry.id)) return [];
  if (groupsOf(run).has(groupOf(request.method, request.path, request.body))) return [];
  return [`run ${run.run}: ${entry.path} was there before, and was removed without a step`];
}
