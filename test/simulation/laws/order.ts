// Laws on what comes before what: places before keys, the new before the end of the old, nothing new after a stop.
import type { RunRecord } from '../world/run.ts';
import { groupOf, ownEntries, type OwnEntry, type Story } from './story.ts';

export function orderViolations(story: Story): readonly string[] {
  const own = ownEntries(story);
  return [
    ...story.runs.flatMap((run) => [
      ...writesOfRefused(own, run),
      ...unreserved(run),
      ...begunAfterStop(story, own, run),
    ]),
    ...retiredTooEarly(own),
  ];
}

/** I9: a run that ends in an error as a whole has changed nothing. */
function writesOfRefused(own: readonly OwnEntry[], { run, result }: RunRecord): readonly string[] {
  if (result?.status !== 'error') return [];
  const entries = own.filter((one) => one.run.run === run);
  return entries.map(({ entry }) => `run ${run} ended in an error as a whole, but did ${entry.verb} ${entry.path}`);
}

const RESERVES = /^(sync \S+\/secrets\/\S+|run \S+ check )/;

/** I9: a key is asked for only after a place for it was tried. */
function unreserved({ run, life }: RunRecord): readonly string[] {
  const asked = life.calls.indexOf('POST /api_keys');
  if (asked < 0 || life.calls.slice(0, asked).some((call) => RESERVES.test(call))) return [];
  return [`run ${run} asked for a key before it had tried a place for it`];
}

/** I13: a rotation revokes the old key only after there is a new one of that name. */
function retiredTooEarly(own: readonly OwnEntry[]): readonly string[] {
  return own.flatMap(({ entry, run }, at) => {
    if (entry.kind !== 'key' || entry.verb !== 'DELETE') return [];
    const name = nameOf(entry.before);
    const change = run.plan?.changes.find((one) => one.kind === 'api_key' && one.after?.['name'] === name);
    if (change?.action !== 'rotate' || name === null) return [];
    const isNewThere = own
      .slice(0, at)
      .some((other) => other.entry.verb === 'POST' && nameOf(other.entry.after) === name);
    return isNewThere ? [] : [`run ${run.run} revoked key ${entry.id} of ${name} before there was another`];
  });
}

function nameOf(resource: unknown): string | null {
  if (typeof resource !== 'object' || resource === null) return null;
  return 'name' in resource && typeof resource.name === 'string' ? resource.name : null;
}

/** I16: after a stop no step is sent for the first time; only a key that the run itself has just made may still be removed. */
function begunAfterStop(
  { site, leniency }: Story,
  own: readonly OwnEntry[],
  { run, stoppedMs }: RunRecord,
): readonly string[] {
  if (stoppedMs === null) return [];
  const begun = new Set<string>();
  const made = new Set(
    own.flatMap(({ entry, run: by }) => (by.run === run && entry.verb === 'POST' ? [`/api_keys/${entry.id}`] : [])),
  );
  const found: string[] = [];
  for (const { run: by, method, path, body, atMs } of site.wire) {
    if (by !== run || method === 'GET') continue;
    const group = groupOf(method, path, body);
    // What was only pretended to be made is removed like what was.
    const isUndone = made.has(path) || (leniency.pretends && method === 'DELETE' && path.startsWith('/api_keys/'));
    if (atMs > stoppedMs && !begun.has(group) && !isUndone) found.push(`run ${run}: ${group} was begun after a stop`);
    begun.add(group);
  }
  return found;
}
