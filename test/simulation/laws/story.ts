// What the laws are held against: the site as it is now, and every run so far.
import { resolveStep } from '../../../src/apply/step/resolve-step.ts';
import type { Json } from '../../../src/base/json.ts';
import type { LedgerEntry } from '../../../src/control-plane/index.ts';
import type { Plan, Step } from '../../../src/model/outcome/plan.ts';
import type { RunRecord } from '../world/run.ts';
import type { Site, WireEntry } from '../world/site.ts';
import type { Workload } from '../world/workload.ts';

export interface Story {
  readonly site: Site;
  readonly workload: Workload;
  readonly runs: readonly RunRecord[];
  /** Ids of computes and keys that were there before the first run. */
  readonly native: ReadonlySet<string>;
  readonly leniency: Leniency;
}

/** What cannot be promised under some faults. */
export interface Leniency {
  /** The service broke its own word (done although refused, lists that are not true): reports can be as wrong as it. */
  readonly serverLies: boolean;
  /** Something may be answered as made, with its id, that never came into being. */
  readonly pretends: boolean;
  /** A request may be done after its absence was believed: something may be made twice, and is then reported. */
  readonly lateCommits: boolean;
  /** Operations fail, lie or are not shown: what was asked for once may be asked for again. */
  readonly brokenOperations: boolean;
  /** Operations end in success and have done nothing. */
  readonly emptySuccess: boolean;
  /** Others change things during the runs. */
  readonly othersWrite: boolean;
  /** The service dates its replies wrongly, and all alike: nothing tells that its time is not the one it says. */
  readonly wrongDates: boolean;
  /** The journal was damaged, or a clock was wrong by more than a minute, or a run was for another account: what a crash left is reported, not removed. */
  readonly journalLost: boolean;
}

/** A committed change that a run of the tool asked for, with the request that did. */
export interface OwnEntry {
  readonly entry: LedgerEntry;
  readonly request: WireEntry;
  readonly run: RunRecord;
}

export type Shown = Readonly<Record<string, Json | undefined>>;

/** A resource of the ledger as the API shows it; of none nothing. */
export function shown(value: unknown): Shown {
  return (typeof value === 'object' && value !== null ? value : {}) as Shown;
}

/** What `ownEntries` made of a story, and how long its records were then. */
const judged = new WeakMap<Story, { readonly lengths: string; readonly own: readonly OwnEntry[] }>();

export function ownEntries(story: Story): readonly OwnEntry[] {
  const { site, runs } = story;
  const ledger = site.plane.ledger();
  const lengths = `${ledger.length} ${site.wire.length} ${runs.length}`;
  const before = judged.get(story);
  if (before?.lengths === lengths) return before.own;
  const requests = new Map(site.wire.map((request) => [request.requestId, request]));
  const own = ledger.flatMap((entry) => {
    const request = requests.get(entry.requestId);
    const run = runs.find((one) => one.run === request?.run);
    return request === undefined || run === undefined || wentAlong(entry) ? [] : [{ entry, request, run }];
  });
  judged.set(story, { lengths, own });
  return own;
}

/** A compute goes with its branch: that is one change. */
function wentAlong({ kind, verb, path }: LedgerEntry): boolean {
  return kind === 'compute' && verb === 'DELETE' && !path.includes('/endpoints/');
}

/** Requests that are the same to the service: a pool's creations, or the repetitions of one step. What only the moment of sending tells counts as told. */
export function groupOf(method: string, path: string, body: unknown): string {
  const text = body === null ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  return `${method} ${path} ${text.replace(LATE, '"$1":0')}`;
}

/** The end of a lease, and the notes of the run and of the set, in the plan's words and in those of the request. */
const LATE = /"(expires_at|trueup\.run|trueup\.set)":(?:"[^"]*"|\{[^{}]*\})/g;

interface Grouped {
  readonly events: number;
  readonly groups: ReadonlyMap<string, readonly Step[]>;
}

const grouped = new WeakMap<Plan, Grouped>();

/** The steps of a run's plan by group, with the ids of what the run made. */
export function groupsOf({ plan, events }: RunRecord): ReadonlyMap<string, readonly Step[]> {
  const before = plan === null ? undefined : grouped.get(plan);
  if (before?.events === events.length) return before.groups;
  const groups = new Map<string, Step[]>();
  const made = madeIn(events);
  const renewals = (plan?.upkeep ?? []).flatMap(({ step }) => step ?? []);
  for (const step of [...(plan?.steps ?? []), ...renewals]) {
    const { method, path, body } = resolveStep(step, made);
    const group = groupOf(method, path, body);
    const steps = groups.get(group);
    if (steps === undefined) groups.set(group, [step]);
    else steps.push(step);
  }
  if (plan !== null) grouped.set(plan, { events: events.length, groups });
  return groups;
}

function madeIn(events: RunRecord['events']): ReadonlyMap<string, string> {
  return new Map(
    events.flatMap((event) =>
      (event.type === 'apply_complete' || event.type === 'step_skipped') && typeof event.resourceId === 'string'
        ? [[event.address, event.resourceId] as const]
        : [],
    ),
  );
}
