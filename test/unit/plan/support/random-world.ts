// Random worlds and wishes for properties: primaries that stay, move, go round in rings or come anew, replicas, prune, holds.
import fc from 'fast-check';
import type { JsonObject } from '../../../../src/base/json.ts';
import { compute } from '../../../../src/kinds/compute/compute.ts';
import type { DesiredResource, DesiredState, Lifecycle } from '../../../../src/model/desired.ts';
import type { LiveResource, LiveState } from '../../../../src/model/live.ts';
import type { PlanInput } from '../../../../src/plan/input.ts';
import { at, NOW_MS } from './world.ts';

const BRANCHES = ['br-0', 'br-1', 'br-2', 'br-3', 'br-4'];
const EMPTY_BRANCHES = ['br-8', 'br-9'];

const attributes = fc.record(
  {
    autoscaling_limit_max_cu: fc.constantFrom(1, 2, 4),
    pooler_enabled: fc.boolean(),
    suspend_timeout_seconds: fc.constantFrom(0, 300, 600),
    settings: fc.record({ pg_settings: fc.dictionary(fc.constantFrom('work_mem', 'jit'), fc.constantFrom('1', '2')) }),
  },
  { requiredKeys: [] },
);

const lifecycle: fc.Arbitrary<Lifecycle> = fc.record({
  protect: fc.constant(false),
  ignore: fc.constantFrom<readonly string[]>([], [], ['pooler_enabled']),
  hold: fc
    .constantFrom(0, 0, 2)
    .map((value) =>
      value === 0
        ? []
        : [{ path: 'autoscaling_limit_max_cu', value, untilMs: NOW_MS + 1, reason: 'known', source: at(1) }],
    ),
  via: fc.constantFrom(null, ...EMPTY_BRANCHES, 'br-0'),
});

interface Declaration {
  readonly spec: JsonObject;
  readonly lifecycle: Lifecycle;
}

const declaration: fc.Arbitrary<Declaration> = fc.record({ spec: attributes, lifecycle });

/** What may be said of one branch in the file and in the world. */
const branch = fc.record({
  primary: fc.option(attributes),
  replicas: fc.array(attributes, { maxLength: 3 }),
  wished: fc.option(declaration),
  origin: fc.constantFrom<'place' | 'pin' | 'moved_from' | 'new'>('place', 'pin', 'pin', 'moved_from', 'new'),
  wishedReplicas: fc.array(declaration, { maxLength: 3 }),
  pinReplicas: fc.boolean(),
  removes: fc.boolean(),
});

/** An input that the files could have led to: each branch is wished for at most once, each live one is claimed at most once. */
export const randomInput: fc.Arbitrary<PlanInput> = fc
  .record({
    branches: fc.tuple(branch, branch, branch, branch, branch),
    order: fc.shuffledSubarray(BRANCHES, { minLength: BRANCHES.length }),
    prune: fc.constantFrom<DesiredState['projects'][number]['prune']>(false, false, true, { type: ['read_only'] }),
  })
  .map(({ branches, order, prune }) => {
    const live = branches.flatMap(({ primary, replicas }, index) => [
      ...(primary === null ? [] : [liveOf(`ep-p${index}`, `br-${index}`, 'read_write', primary as JsonObject, index)]),
      ...replicas.map((one, n) => liveOf(`ep-r${index}${n}`, `br-${index}`, 'read_only', one as JsonObject, index + n)),
    ]);
    const ids = new Set(live.map(({ id }) => id));
    const resources = branches.flatMap((one, index): DesiredResource[] => {
      // The source of a pin or of moved_from is a branch of the same round dance, so that rings come about.
      const from = order[index] ?? 'br-0';
      const pin = `ep-p${from.slice(3)}`;
      const primary =
        one.wished === null ? [] : [primaryOf(index, one.wished, one.origin, { from, pin: ids.has(pin) ? pin : null })];
      const replicas = one.wishedReplicas.map((wish, n) =>
        resourceOf(`r${index}-${n}`, { branch_id: `br-${index}`, type: 'read_only', ...wish.spec }, wish.lifecycle, {
          pin: one.pinReplicas && ids.has(`ep-r${index}${n}`) ? `ep-r${index}${n}` : null,
        }),
      );
      return [...primary, ...replicas];
    });
    const claimed = new Set(resources.map(({ pin }) => pin));
    const sources = new Set(resources.map(({ movedFrom }) => movedFrom));
    const gone = branches.flatMap(({ removes }, index) =>
      removes && ids.has(`ep-p${index}`) && !claimed.has(`ep-p${index}`) && !sources.has(`br-${index}`)
        ? [resourceOf(`gone${index}`, {}, branches[index]?.wished?.lifecycle, { pin: `ep-p${index}`, absent: true })]
        : [],
    );
    return inputWith([...resources, ...gone], live, prune);
  });

function primaryOf(
  index: number,
  wish: Declaration,
  origin: 'place' | 'pin' | 'moved_from' | 'new',
  source: { readonly from: string; readonly pin: string | null },
): DesiredResource {
  const spec = { branch_id: `br-${index}`, type: 'read_write', ...wish.spec };
  return resourceOf(`p${index}`, spec, wish.lifecycle, {
    pin: origin === 'pin' ? source.pin : null,
    movedFrom: origin === 'moved_from' && source.from !== `br-${index}` ? source.from : null,
    isNew: origin === 'new',
  });
}

function resourceOf(
  name: string,
  spec: JsonObject,
  own: Lifecycle | undefined,
  more: Partial<DesiredResource>,
): DesiredResource {
  return {
    kind: 'compute',
    address: `shop/${name}`,
    scope: 'shop',
    name,
    pin: null,
    absent: false,
    isNew: false,
    movedFrom: null,
    spec,
    lifecycle: own ?? { protect: false, ignore: [], hold: [], via: null },
    options: {},
    source: at(1),
    sources: {},
    ...more,
  };
}

function liveOf(id: string, branchId: string, type: string, spec: JsonObject, age: number): LiveResource {
  return {
    kind: 'compute',
    id,
    projectId: 'shop-1',
    spec: { branch_id: branchId, type, ...spec },
    observed: { current_state: 'active' },
    createdAtMs: age,
  };
}

function inputWith(
  resources: readonly DesiredResource[],
  live: readonly LiveResource[],
  prune: DesiredState['projects'][number]['prune'],
): PlanInput {
  const state = {
    expect: null,
    projects: [{ label: 'shop', name: 'shop', id: null, labels: {}, prune, unmanagedOk: [], source: at(1) }],
    resources,
    accountPrune: [],
    safety: [],
  };
  const input: PlanInput = {
    baseUrl: 'https://console.example.com/api/v2',
    desired: state,
    live: liveState(live),
    kinds: [compute],
    nowMs: NOW_MS,
    consent: 'reviewed',
    allow: [],
    due: false,
    target: [],
    exclude: [],
  };
  return { ...input, [fc.toStringMethod]: () => inputText(input) } as PlanInput;
}

/** A counterexample that can be read. */
function inputText({ desired, live }: PlanInput): string {
  const wishes = desired.resources.map(({ name, pin, absent, isNew, movedFrom, spec, lifecycle: own }) =>
    JSON.stringify({
      name,
      pin,
      absent,
      isNew,
      movedFrom,
      ...spec,
      via: own.via,
      ignore: own.ignore,
      hold: own.hold.length,
    }),
  );
  const found = live.resources.map(({ id, spec }) => JSON.stringify({ id, ...spec }));
  return ['', `prune: ${JSON.stringify(desired.projects[0]?.prune)}`, ...wishes, 'live', ...found, ''].join('\n');
}

export function liveState(resources: readonly LiveResource[]): LiveState {
  return {
    projects: [{ label: 'shop', id: 'shop-1', name: 'shop' }],
    resources,
    histories: new Map(),
    unread: [],
    facts: new Map(),
  };
}
