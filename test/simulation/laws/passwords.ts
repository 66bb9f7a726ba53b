// Laws on passwords: what was stored opens, for as long as nobody else has reset it, and the end of a story leaves it in every place.
import type { DesiredResource, DesiredState } from '../../../src/model/desired.ts';
import type { RunRecord } from '../world/run.ts';
import { SECRETS, type Site } from '../world/site.ts';
import type { Story } from './story.ts';
import { branchOf } from './tree-state.ts';

/** Each place of a role's password, or of a connection, that does not hold the one which opens. */
export function passwordDifferences(site: Site, desired: DesiredState, resource: DesiredResource): readonly string[] {
  const { address, kind, absent, spec, options } = resource;
  const branch = branchOf(site, desired, resource);
  const name = kind === 'role' ? spec['name'] : spec['role'];
  const live = branch?.roles.find((role) => role.name === name)?.password?.reveal();
  const places = (options['secret'] ?? []) as readonly { readonly file?: string; readonly exec?: string }[];
  return places.flatMap(({ file, exec = '' }) => {
    const text = file === undefined ? (site.vault.get(exec) ?? null) : site.disk.text(`${SECRETS}/${file}`);
    const place = file ?? exec;
    if (absent) return text === null || kind === 'role' ? [] : [`${address}: ${place} still holds something`];
    if (text === null) return [`${address}: ${place} holds no password`];
    const { password, uri } = JSON.parse(text) as { readonly password?: string; readonly uri?: string };
    if (password !== live) return [`${address}: what ${place} holds does not open`];
    if (kind === 'role') return [];
    const primary = site.plane.truth
      .computes()
      .find(({ branchId, type }) => branchId === branch?.id && type === 'read_write');
    const isThere = uri?.includes(`:${live ?? ''}@${primary?.id ?? '?'}`) === true;
    return isThere ? [] : [`${address}: the URI in ${place} leads elsewhere`];
  });
}

/** True where one of two requests for a new password was done late, maybe within the very second of the other: no list tells that. */
export function wasResetLate({ site, leniency }: Story, { kind, spec }: DesiredResource): boolean {
  const name = kind === 'role' ? spec['name'] : spec['role'];
  const resets = site.plane.ledger().filter(({ path }) => path.endsWith(`/roles/${String(name)}/reset_password`));
  return leniency.lateCommits && resets.length > 1;
}

/** I38: of which a run says that it was done, that is so: to be asked right after the run. What it does not know, it says. */
export function falseStores(story: Story, run: RunRecord): readonly string[] {
  const { site, leniency } = story;
  const { result, desired } = run;
  if (result === null || desired === null || leniency.serverLies || leniency.othersWrite) return [];
  const done = new Set([
    ...result.steps.filter(({ outcome }) => outcome === 'done').map(({ address }) => address),
    ...result.upkeep.filter(({ outcome }) => outcome === 'done').map(({ address }) => address),
  ]);
  return desired.resources
    .filter(({ address, kind }) => ['role', 'connection'].includes(kind) && done.has(address))
    .filter((resource) => !wasResetLate(story, resource))
    .flatMap((resource) => passwordDifferences(site, desired, resource))
    .map((words) => `run ${run.run} says that it is done, but ${words}`);
}
