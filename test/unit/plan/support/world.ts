// Small worlds from YAML: what the files say and what is live, without the readers of either.
import { parse } from 'yaml';
import { parseDurationMs } from '../../../../src/base/time/duration.ts';
import type { Json, JsonObject } from '../../../../src/base/json.ts';
import { compute } from '../../../../src/kinds/compute/compute.ts';
import type {
  DesiredProject,
  DesiredResource,
  DesiredState,
  Hold,
  SafetyLimits,
  TimeWindow,
} from '../../../../src/model/desired.ts';
import type { LiveResource, LiveState, OperationRecord } from '../../../../src/model/live.ts';
import type { Plan } from '../../../../src/model/outcome/plan.ts';
import type { SourceRange } from '../../../../src/model/source.ts';
import type { Allowance, PlanInput } from '../../../../src/plan/input.ts';
import { makePlan, type PlanRecord } from '../../../../src/plan/make-plan.ts';

export const NOW_MS: number = Date.UTC(2026, 10, 20, 12);

/** A window that opens an hour after that, for an hour. */
export const IN_ONE_HOUR: TimeWindow = {
  text: 'soon',
  weekdays: [],
  startMinute: (Math.floor(NOW_MS / 60_000) + 60) % 1440,
  endMinute: (Math.floor(NOW_MS / 60_000) + 120) % 1440,
  timeZone: 'UTC',
};

/** A block of `safety` that limits nothing. */
export const NO_LIMITS: SafetyLimits = {
  project: null,
  protect: [],
  maxDeletes: null,
  maxRestarts: null,
  maxChangePercent: null,
  windows: [],
};

type Loose = Record<string, Json | undefined>;

/** What a test says of the world; `file` and `live` are YAML by project label. */
export interface World {
  readonly file?: string;
  readonly live?: string;
  /** Operation log lines of project shop, newest first: `age action status ep-…`, and how long ago it ended where that was later. */
  readonly log?: readonly string[];
  readonly logComplete?: boolean;
  readonly safety?: Partial<SafetyLimits>[];
  readonly unread?: readonly string[];
  readonly input?: Partial<PlanInput>;
}

/** Computes of the project shop: those of its file, and those that live. */
export function shop(computes: string, live: string = '', more: World = {}): World {
  return { file: `shop: { computes: { ${computes} } }`, live: `shop: { ${live} }`, ...more };
}

/** Allowances as a command line has them: `delete:shop/a`. */
export function allowing(...words: readonly string[]): { readonly allow: readonly Allowance[] } {
  const at = (word: string): number => word.indexOf(':');
  return { allow: words.map((word) => ({ action: word.slice(0, at(word)), address: word.slice(at(word) + 1) })) };
}

/** Line `n` of trueup.yaml. */
export function at(line: number): SourceRange {
  const position = { line, column: 3, offset: 0 };
  return { file: 'trueup.yaml', start: position, end: position };
}

/** A compute of which nothing is said but this. */
export function declaredAs(
  fields: Pick<DesiredResource, 'address' | 'scope' | 'name'> & Partial<DesiredResource>,
): DesiredResource {
  return {
    kind: 'compute',
    pin: null,
    absent: false,
    isNew: false,
    movedFrom: null,
    spec: {},
    lifecycle: { protect: false, ignore: [], hold: [], via: null },
    options: {},
    source: at(1),
    sources: () => ({}),
    ...fields,
  };
}

export function inputOf(world: World): PlanInput {
  const file = (parse(world.file ?? '') ?? {}) as Record<string, Loose>;
  const live = (parse(world.live ?? '') ?? {}) as Record<string, Record<string, Loose>>;
  const labels = [...new Set([...Object.keys(file), ...Object.keys(live)])].sort();
  return bareInput({ desired: desiredOf(file, world.safety ?? []), live: liveOf(labels, live, world), ...world.input });
}

interface Bare extends Partial<Omit<PlanInput, 'desired' | 'live'>> {
  readonly desired?: Partial<DesiredState>;
  readonly live?: Partial<LiveState>;
}

/** Computes of an account, of which nothing is said but this. */
export function bareInput({ desired, live, ...more }: Bare): PlanInput {
  return {
    baseUrl: 'https://console.example.com/api/v2',
    desired: { expect: null, projects: [], resources: [], accountPrune: [], safety: [], ...desired },
    live: { projects: [], resources: [], histories: new Map(), unread: [], facts: new Map(), ...live },
    kinds: [compute],
    nowMs: NOW_MS,
    consent: 'reviewed',
    allow: [],
    due: false,
    target: [],
    exclude: [],
    ...more,
  };
}

/** What the plan of `input` is made from. */
export function recordOf({ kinds: _kinds, made: _made, ...input }: PlanInput): PlanRecord {
  return { input, before: [], after: [] };
}

export function planOf(world: World): Plan {
  return makePlan(inputOf(world));
}

function desiredOf(file: Record<string, Loose>, safety: readonly Partial<SafetyLimits>[]): DesiredState {
  let line = 1;
  const resources: DesiredResource[] = [];
  const projects = Object.entries(file).map(([label, project]): DesiredProject => {
    const source = at(line++);
    for (const [name, entry] of Object.entries((project['computes'] ?? {}) as Record<string, Loose>))
      resources.push(resourceOf(label, name, entry ?? {}, at(line++)));
    return {
      label,
      name: label,
      id: null,
      labels: (project['branches'] ?? {}) as Readonly<Record<string, string>>,
      prune: (project['prune'] ?? false) as DesiredProject['prune'],
      unmanagedOk: (project['unmanaged_ok'] ?? []) as readonly string[],
      source,
    };
  });
  return bareInput({ desired: { projects, resources, safety: safety.map((block) => ({ ...NO_LIMITS, ...block })) } })
    .desired;
}

function resourceOf(scope: string, name: string, entry: Loose, source: SourceRange): DesiredResource {
  const { id, state, new: isNew, moved_from: movedFrom, lifecycle, restart, branch, min, max, ...written } = entry;
  const { name: named, ...unnamed } = written;
  const spec = named === null ? unnamed : written;
  const rules = (lifecycle ?? {}) as Loose;
  return {
    kind: 'compute',
    address: `${scope}/${name}`,
    scope,
    name,
    pin: (id ?? null) as string | null,
    absent: state === 'absent',
    isNew: isNew === true,
    movedFrom: (movedFrom ?? null) as string | null,
    spec: specOf(spec, branch, min, max, id === undefined ? 'read_write' : undefined),
    lifecycle: {
      protect: rules['protect'] === true,
      ignore: (rules['ignore'] ?? []) as string[],
      hold: ((rules['hold'] ?? []) as Loose[]).map((hold) => holdOf(hold, source)),
      via: (rules['via'] ?? null) as string | null,
    },
    options: {
      ...(restart === undefined ? {} : { restart: restartOf(restart as Loose) }),
      ...(named === null ? { named: false } : {}),
    },
    source,
    sources: () => ({}),
  };
}

function restartOf({ not_before: notBefore, max_age: maxAge }: Loose): JsonObject {
  return {
    ...(notBefore === undefined ? {} : { notBeforeMs: Date.parse(String(notBefore)) }),
    ...(maxAge === undefined ? {} : { maxAgeMs: parseDurationMs(String(maxAge)) ?? 0 }),
  };
}

function holdOf(hold: Loose, source: SourceRange): Hold {
  return {
    path: String(hold['path']),
    value: hold['value'] as Json,
    untilMs: Date.parse(String(hold['until'])),
    reason: String(hold['reason'] ?? 'known'),
    source,
  };
}

/** `branch`, `min` and `max` are short for the API's own names. */
function specOf(
  spec: Loose,
  branch: Json | undefined,
  min: Json | undefined,
  max: Json | undefined,
  type: string | undefined,
): JsonObject {
  const whole: Loose = {
    ...(branch === undefined ? {} : { branch_id: branch }),
    ...(type === undefined ? {} : { type }),
    ...(min === undefined ? {} : { autoscaling_limit_min_cu: min }),
    ...(max === undefined ? {} : { autoscaling_limit_max_cu: max }),
    ...spec,
  };
  return whole as JsonObject;
}

function liveOf(labels: readonly string[], live: Record<string, Record<string, Loose>>, world: World): LiveState {
  const resources = labels.flatMap((label) =>
    Object.entries(live[label] ?? {}).map(([id, entry], index) => liveResource(label, id, entry, index)),
  );
  return {
    projects: labels.map((label) => ({ label, id: `${label}-1`, name: label })),
    resources,
    histories:
      world.log === undefined
        ? new Map()
        : new Map([['shop-1', { operations: world.log.map(operationOf), complete: world.logComplete ?? true }]]),
    unread: (world.unread ?? []).map((label) => ({ what: label, projectId: `${label}-1`, reason: 'HTTP 500' })),
    facts: new Map(),
  };
}

/** The service always shows these. */
const SHOWN: JsonObject = {
  autoscaling_limit_min_cu: 0.25,
  autoscaling_limit_max_cu: 0.25,
  suspend_timeout_seconds: 0,
  pooler_enabled: false,
  disabled: false,
};

function liveResource(label: string, id: string, entry: Loose, index: number): LiveResource {
  const { branch, min, max, state, created, started, updated, host, last_active: lastActive, ...spec } = entry;
  return {
    kind: 'compute',
    id,
    projectId: `${label}-1`,
    spec: { ...SHOWN, ...specOf(spec, branch, min, max, 'read_write') },
    observed: {
      current_state: state ?? 'active',
      ...(started === undefined ? {} : { started_at: String(started) }),
      ...(updated === undefined ? {} : { updated_at: String(updated) }),
      ...(host === undefined ? {} : { host }),
      ...(lastActive === undefined ? {} : { last_active: lastActive }),
    },
    createdAtMs: created === undefined ? Date.UTC(2026, 0, 1, 0, index) : Date.parse(String(created)),
  };
}

function operationOf(line: string, index: number): OperationRecord {
  const [ago = '', action, status, resourceId, until = ago] = line.split(' ');
  const [ms, untilMs] = [ago, until].map((word) => NOW_MS - (parseDurationMs(word) ?? 0));
  return {
    id: `op-${index}`,
    action: action ?? '',
    status: status ?? '',
    projectId: 'shop-1',
    branchId: null,
    resourceId: resourceId ?? null,
    failuresCount: status === 'failed' ? 1 : 0,
    error: null,
    retryAtMs: null,
    createdAtMs: ms ?? NOW_MS,
    updatedAtMs: untilMs ?? NOW_MS,
  };
}
