// Laws on the end: every declared resource is there as declared, every key is in its places and works, nothing more was made.
import { canonicalJson, type JsonObject } from '../../../src/base/json.ts';
import type { ComputeRecord } from '../../../src/control-plane/index.ts';
import { hashOfKey } from '../../../src/control-plane/resources/engine/naming.ts';
import type { DesiredResource, DesiredState } from '../../../src/model/desired.ts';
import { resolveIn } from '../../../src/model/values.ts';
import type { RunRecord } from '../world/run.ts';
import { SECRETS, type Site } from '../world/site.ts';
import { passwordDifferences } from './passwords.ts';
import { ownEntries, type Story } from './story.ts';
import { idOf, membersOf, surplusBranches, treeDifferences } from './tree-state.ts';

/** The differences between the file and the truth, by the ids that the run itself names for its addresses. */
export function differences(
  story: Story,
  desired: DesiredState,
  run: RunRecord,
  isAsked: (address: string) => boolean = () => true,
): readonly string[] {
  const found: string[] = [];
  const claimed = new Map<string, string>();
  const { twins = [] } = story.workload;
  for (const resource of desired.resources) {
    const { address, kind } = resource;
    if (twins.some((name) => address.startsWith(`${name}/`))) continue;
    if (!isAsked(address) || (story.workload.holds ?? []).includes(address)) continue;
    if (kind === 'api_key') {
      found.push(...keyDifferences(story, resource));
      continue;
    }
    const id = run.result?.resources[address]?.id ?? null;
    if (['role', 'connection'].includes(kind)) found.push(...passwordDifferences(story.site, desired, resource));
    if (kind === 'connection') continue;
    if (['branch', 'role', 'database'].includes(kind)) {
      found.push(...treeDifferences(story.site, desired, resource));
      continue;
    }
    const spec = resolveIn(resource.spec, (one) => idOf(story.site, desired, one));
    found.push(...computeDifferences(story.site, { ...resource, spec }, id));
    if (id === null) continue;
    const other = claimed.get(id);
    if (other !== undefined) found.push(`${address} and ${other} are both taken to be ${id}`);
    claimed.set(id, address);
  }
  return found;
}

function computeDifferences(
  { plane }: Site,
  { address, absent, spec, pin }: DesiredResource,
  id: string | null,
): readonly string[] {
  if (absent)
    return pin !== null && plane.truth.compute(pin) !== undefined ? [`${address} (${pin}) is still there`] : [];
  const compute = id === null ? undefined : plane.truth.compute(id);
  if (compute === undefined) return [`${address} is not there (${id ?? 'no id'})`];
  const shown = attributesOf(compute);
  return Object.entries(spec).flatMap(([name, value]) => {
    const isEqual = canonicalJson(plain(name, shown[name])) === canonicalJson(plain(name, value));
    return isEqual
      ? []
      : [`${address} (${compute.id}): ${name} is ${canonicalJson(shown[name] ?? null)}, not ${canonicalJson(value)}`];
  });
}

function attributesOf(compute: ComputeRecord): JsonObject {
  return {
    branch_id: compute.branchId,
    type: compute.type,
    autoscaling_limit_min_cu: compute.minCu,
    autoscaling_limit_max_cu: compute.maxCu,
    suspend_timeout_seconds: compute.suspendSeconds,
    pooler_enabled: compute.poolerEnabled,
    pooler_mode: compute.poolerMode,
    disabled: compute.disabled,
    passwordless_access: compute.passwordlessAccess,
    settings: compute.settings as JsonObject,
  };
}

/** Values that mean the same (api-rules 6.3). */
function plain(name: string, value: JsonObject[string] | undefined): JsonObject[string] {
  if (name === 'suspend_timeout_seconds' && value === 300) return 0;
  return value ?? null;
}

interface Stored {
  readonly place: string;
  readonly id: string;
  readonly key: string;
}

/** The declared key is in each of its places, works, and nothing else of its name was made. */
function keyDifferences(story: Story, resource: DesiredResource): readonly string[] {
  const { site } = story;
  const { address, absent, options } = resource;
  const name = String(resource.spec['name']);
  const live = site.plane.truth.keys().filter((key) => key.name === name && key.revokedMs === undefined);
  if (absent) return live.length === 0 ? [] : [`${address} is still there`];
  const sinks = (options['secret'] ?? []) as readonly { readonly file?: string; readonly exec?: string }[];
  const stored = sinks.map(({ file, exec }) => ({
    place: file ?? exec ?? '',
    text: file === undefined ? (site.vault.get(exec ?? '') ?? null) : site.disk.text(`${SECRETS}/${file}`),
  }));
  const found: string[] = [];
  const records = stored.flatMap(({ place, text }): Stored[] => {
    const record = text === null ? null : recordIn(text);
    if (record === null) found.push(`${address}: ${place} holds no record`);
    return record === null ? [] : [{ place, ...record }];
  });
  for (const { place, id, key } of records) {
    if (!live.some((one) => one.id === id)) found.push(`${address}: ${place} holds key ${id}, which is not live`);
    else if (!works(site, key)) found.push(`${address}: the value in ${place} does not work`);
  }
  const current = new Set(records.map(({ id }) => id));
  if (current.size > 1) found.push(`${address}: its places hold different keys`);
  const more = live.filter(({ id }) => !current.has(id) && !story.native.has(id));
  if (!story.leniency.serverLies)
    found.push(...more.map(({ id }) => `${address}: key ${id} was made and is left over`));
  return found;
}

function recordIn(text: string): { readonly id: string; readonly key: string } | null {
  const id = /"id": ?"?(\d+)"?/.exec(text)?.[1];
  const key = /"key": ?"([^"]+)"/.exec(text)?.[1];
  return id === undefined || key === undefined ? null : { id, key };
}

/** What the service would say to somebody who came with this value. */
function works({ plane }: Site, key: string): boolean {
  const hash = hashOfKey(key);
  return plane.truth.keys().some((one) => one.hash === hash && one.revokedMs === undefined);
}

/** Computes that the tool made and no address owns: only a request done too late explains them, and the plan must tell of them. */
export function surplus(story: Story, run: RunRecord): readonly string[] {
  const { site, leniency, workload } = story;
  const owned = new Set(Object.values(run.result?.resources ?? {}).map(({ id }) => id));
  const reported = new Set([
    ...(run.plan?.unmanaged ?? []).map(({ id }) => id),
    ...(run.plan?.changes ?? []).map(({ resourceId }) => resourceId),
  ]);
  const made = new Set(
    ownEntries(story).flatMap(({ entry }) => (entry.kind === 'compute' && entry.verb === 'POST' ? [entry.id] : [])),
  );
  const members = new Set(membersOf(site).map(({ id }) => id));
  const computes = site.plane.truth.computes().flatMap(({ id, branchId }) => {
    if (!made.has(id) || owned.has(id) || members.has(branchId)) return [];
    // Made while a list hid the other project of that name: what the plan does not cover is told as a whole.
    if (leniency.serverLies && (workload.twins ?? []).length > 0) return [];
    if (!reported.has(id)) return [`${id} was made, belongs to no address and is not reported`];
    return leniency.lateCommits || leniency.serverLies || leniency.othersWrite ? [] : [`${id} was made once too often`];
  });
  return [...computes, ...surplusBranches(story, run)];
}
