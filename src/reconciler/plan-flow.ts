// Makes plans: reads the account and compares it with the desired state. Also describes the live resource of each planned address.
import { repeatedBy } from '../apply/journal/entries.ts';
import { knownOf, inParallel } from '../apply/read/read-scopes.ts';
import { readLive, type ReadLiveResult } from '../apply/read/read-live.ts';
import { picked, present } from '../base/picked.ts';
import { listOfFirst, didYouMean } from '../base/text/words.ts';
import { kinds, kindOf } from '../kinds/index.ts';
import { hasErrors, type Diagnostic } from '../model/diagnostic.ts';
import { YOUNG_PAUSE_MS } from '../model/operations/timing.ts';
import { type Step, isWhole, type Plan, type Change } from '../model/outcome/plan.ts';
import { makePlan } from '../plan/make-plan.ts';
import type { Parts } from './workspace.ts';
import { readInput, UNASKED } from './reading/read.ts';
import type { PlanOutcome, PlanRequest } from './types.ts';
import { compareText } from '../base/json.ts';
import { coversAddress, scopeOf, type Address } from '../model/address.ts';
import { addressesIn, type DesiredState, type ResourceId } from '../model/desired.ts';
import { noneExpected } from '../client/failure.ts';
import { readerOf } from '../client/api-client.ts';
import { isDerived } from '../plan/diff/draft.ts';
import type { LiveResource } from '../model/live.ts';
import type { ResourceResult } from '../model/outcome/result.ts';

/** Reads and plans. While the plan would repeat a recent run's request, reads again for a bounded time: lists may not show the effect yet. */
export async function planAccount(parts: Parts, request: PlanRequest): Promise<PlanOutcome> {
  const refusals = unexpected(parts, request.desired);
  if (refusals.length > 0) return { plan: null, reading: null, record: null, diagnostics: refusals };
  let reading = await readLive(readInput(parts, request));
  for (let isFirst = true; ; isFirst = false) {
    const outcome = planReading(parts, request, reading);
    const steps = outcome.plan?.steps ?? [];
    // A request with `made` verifies a run or a renewal. The verification has its own pauses, so it does not wait here.
    if (steps.length === 0 || request.made !== undefined) return outcome;
    const repeated = repeatedBy(steps, await parts.young());
    const leftMs = repeated.untilMs - parts.serverClock.nowMs();
    if (leftMs <= 0) return outcome;
    if (isFirst) parts.options.onPause?.(waitWords(repeated.steps, leftMs));
    await parts.clock.sleep(Math.min(leftMs, YOUNG_PAUSE_MS), request.signal);
    const known = knownOf(reading.live, new Set(repeated.steps.map(({ projectId }) => projectId)));
    const again = await readLive(readInput(parts, { ...request, known }));
    reading = known === null ? again : { ...again, diagnostics: reading.diagnostics };
  }
}

/** Returns the error if the files expect another service than the client's, otherwise an empty list. */
export function unexpected({ client }: Parts, { expect }: DesiredState): readonly Diagnostic[] {
  const expected = expect?.baseUrl ?? null;
  if (expect === null || expected === null || sameUrl(expected, client.baseUrl)) return [];
  return [
    {
      severity: 'error',
      code: 'expectation_failed',
      message: `the file expects the service at ${expected}, but this run uses ${client.baseUrl}`,
      hint: 'Check --base-url and TRUEUP_BASE_URL.',
      range: expect.source,
    },
  ];
}

function sameUrl(a: string, b: string): boolean {
  return a.replace(/\/+$/, '') === b.replace(/\/+$/, '');
}

const NAMED = 3;

function waitWords(steps: readonly Step[], leftMs: number): string {
  const addresses = [...new Set(steps.map(({ address }) => address))].sort();
  return `waiting up to ${Math.ceil(leftMs / 1000)}s: a recent run asked for ${listOfFirst(addresses, NAMED)}, and the service does not list the result yet`;
}

function planReading({ client, options }: Parts, request: PlanRequest, reading: ReadLiveResult): PlanOutcome {
  const { store } = options;
  const input = {
    baseUrl: client.baseUrl,
    ...present({ store }),
    desired: request.desired,
    live: reading.live,
    problems: reading.diagnostics,
    // Rounded down, because a saved plan stores whole milliseconds.
    nowMs: Math.floor(client.serverTime()),
    clockDoubt: client.clockDoubt(),
    ...UNASKED,
    ...picked(request, ['consent', 'allow', 'due', 'target', 'exclude']),
    noHistory: request.noHistory ?? request.once ?? false,
  };
  const plan = makePlan({ ...input, kinds, ...picked(request, ['made', 'removals', 'held']) });
  const { diagnostics } = plan;
  if (hasErrors(diagnostics)) return { plan: null, reading, record: null, diagnostics };
  return { plan, reading, record: { input, before: [], after: [] }, diagnostics };
}

/** Replaces the plan with errors if a target matches neither a declared address nor a live one that was read. */
export function requireTargets({ target = [], desired }: PlanRequest, outcome: PlanOutcome): PlanOutcome {
  const { plan, reading } = outcome;
  if (target.length === 0 || plan === null || reading === null || !isWhole(plan)) return outcome;
  const known = [...addressesIn(desired), ...plannedIn(plan)];
  const problems = target
    .filter((glob) => !known.some((address) => coversAddress(glob, address)))
    .map((glob): Diagnostic => ({
      severity: 'error',
      code: 'unknown_target',
      message: `${glob} matches nothing`,
      hint: hintFor(glob, known),
    }));
  return problems.length === 0
    ? outcome
    : { ...outcome, plan: null, record: null, diagnostics: [...outcome.diagnostics, ...problems] };
}

function hintFor(glob: string, known: readonly Address[]): string {
  const projects = [...new Set(known.map(scopeOf))];
  const near = didYouMean(glob, [...projects, ...known]);
  if (near !== undefined) return `Did you mean ${near}?`;
  const project = scopeOf(glob);
  const below = known.filter((address) => address.startsWith(`${project}/`));
  const some = [...new Set(below.length > 0 ? below : projects)].sort(compareText);
  return `Known: ${listOfFirst(some, MOST_NAMED)}. A project name selects the whole project; * and ? match within a part, ** across parts.`;
}

const MOST_NAMED = 8;

function plannedIn(plan: Plan): Address[] {
  const changes = plan.changes.flatMap(({ address, resourceId }) =>
    resourceId === null ? [address] : [address, address.replace(/[^/]*$/, resourceId)],
  );
  return [...changes, ...plan.unmanaged.map(({ address }) => address)];
}

type Resources = Readonly<Record<Address, ResourceResult>>;

/** Describes the live resource of each planned address. `made` has the ids of created resources; these win over the ids in the plan. */
export function resourcesOf(
  plan: Plan,
  live: readonly LiveResource[],
  made: ReadonlyMap<Address, ResourceId> = new Map(),
): Resources {
  const byId = new Map(live.map((resource) => [`${resource.kind} ${resource.id}`, resource]));
  const unmanaged = new Set(plan.unmanaged.map(({ address }) => address));
  return Object.fromEntries(
    plan.changes.flatMap((change): [Address, ResourceResult][] => {
      const { address, kind, resourceId, pinned = true } = change;
      const resource =
        byId.get(`${kind} ${made.get(address)}`) ?? byId.get(`${kind} ${resourceId}`) ?? derivedIn(change);
      if (resource === undefined || unmanaged.has(address)) return [];
      return [[address, { id: resource.id, ...kindOf(kind).describe(resource), pinned }]];
    }),
  );
}

/** Builds the resource from its change, if the kind has no requests and so exists only in trueup; else returns undefined. */
function derivedIn({ kind, resourceId, projectId, parentId, before }: Change): LiveResource | undefined {
  if (resourceId === null || before === null || !isDerived(kindOf(kind))) return undefined;
  return { kind, id: resourceId, projectId, ...present({ parentId }), spec: before, observed: {}, createdAtMs: null };
}

/** Adds `more.uri`, a Postgres URI without a password; only a local control plane reports where its Postgres listens. */
export async function resourcesWithUris(
  { client }: Pick<Parts, 'client'>,
  plan: Plan,
  read: readonly LiveResource[],
  signal: AbortSignal,
): Promise<Resources> {
  const resources = resourcesOf(plan, read);
  const address = client.postgresAddress();
  if (address === null) return resources;
  const live = [...read, ...plan.changes.flatMap((change) => derivedIn(change) ?? [])];
  // A role and a connection with the same name on one branch have the same id, so the kind is compared, too.
  const kinds = new Map(plan.changes.map((change) => [change.address, change.kind]));
  const found = await inParallel(Object.entries(resources), async ([name, resource]) => {
    const one = live.find(({ id, kind }) => id === resource.id && kind === kinds.get(name));
    const uri = one && (await kindOf(one.kind).uriAt?.(address, one, readerOf(client), signal).catch(noneExpected));
    return [name, uri ? { ...resource, more: { ...resource.more, uri } } : resource] as const;
  });
  return Object.fromEntries(found);
}
