// What the plan of an account may refuse: the numbers of branches that the plans allow, held against those that there are.
import type { DesiredResource } from '../../../model/desired.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { LiveResource } from '../../../model/live.ts';
import type { KindContext } from '../../../plan/kind-rules.ts';

interface Limit {
  readonly what: string;
  /** By the name of the plan, the smallest first (account reference, "Limits"). */
  readonly most: readonly (readonly [plan: string, count: number])[];
}

const BRANCHES: Limit = {
  what: 'branches',
  most: [
    ['Free', 10],
    ['Launch and Scale', 5000],
  ],
};
const ROOTS: Limit = {
  what: 'root branches',
  most: [
    ['Free', 3],
    ['Launch', 5],
    ['Scale', 25],
  ],
};
const PROTECTED: Limit = {
  what: 'protected branches',
  most: [
    ['Launch', 2],
    ['Scale', 5],
  ],
};

/**
 * A warning where those that there are, and those declared before this one, are just as many as one of the plans allows, and this is one
 * more. The lists do not show which plan the account has: with more than a plan allows, it is a larger one. Removals come later.
 */
export function limitWarnings(
  desired: DesiredResource,
  live: LiveResource | null,
  context: KindContext,
): readonly Diagnostic[] {
  const { made, madeRoots, newlyProtected, branches, roots, protectedNow } = countsOf(context, desired);
  const protects = isProtected(desired) && live?.spec['protected'] !== true;
  return [
    ...(live === null ? reached(desired, BRANCHES, branches + made) : []),
    ...(live === null && isRoot(desired) ? reached(desired, ROOTS, roots + madeRoots) : []),
    ...(protects ? reached(desired, PROTECTED, protectedNow + newlyProtected) : []),
  ];
}

/** How many there are. */
interface Live {
  readonly branches: number;
  readonly roots: number;
  readonly protectedNow: number;
}

/** How many of the declarations before one make a branch, make one without a parent, and protect one that is not protected. */
interface Before {
  readonly made: number;
  readonly madeRoots: number;
  readonly newlyProtected: number;
}

interface Counted {
  readonly around: KindContext['around'];
  readonly nowMs: number;
  readonly live: Live;
  readonly before: ReadonlyMap<string, Before>;
}

/** A project may have thousands of branches, and each is asked about: they are counted once. */
const counted = new WeakMap<KindContext['declared'], Counted>();

const NONE: Before = { made: 0, madeRoots: 0, newlyProtected: 0 };

function countsOf({ around, declared, nowMs }: KindContext, desired: DesiredResource): Live & Before {
  let known = counted.get(declared);
  if (known?.around !== around || known.nowMs !== nowMs) {
    const live = around.filter(({ kind }) => kind === desired.kind);
    const sum = {
      branches: live.length,
      roots: live.filter(hasNoParent).length,
      protectedNow: live.filter(isProtected).length,
    };
    known = { around, nowMs, live: sum, before: countedBefore(declared, live, nowMs) };
    counted.set(declared, known);
  }
  return { ...known.live, ...(known.before.get(desired.address) ?? NONE) };
}

function countedBefore(
  declared: readonly DesiredResource[],
  live: readonly LiveResource[],
  nowMs: number,
): ReadonlyMap<string, Before> {
  const byId = new Map(live.map((one) => [one.id, one]));
  const byName = new Map(live.map((one) => [one.spec['name'], one]));
  const counts = new Map<string, Before>();
  let [made, madeRoots, newlyProtected] = [0, 0, 0];
  for (const one of declared) {
    counts.set(one.address, { made, madeRoots, newlyProtected });
    const { pin, movedFrom, absent, spec } = one;
    const { expires_at: end } = spec;
    if (absent || (typeof end === 'string' && Date.parse(end) <= nowMs)) continue;
    const there = pin === null ? (byName.get(spec['name']) ?? byName.get(movedFrom ?? undefined)) : byId.get(pin);
    if (there === undefined) made++;
    if (there === undefined && isRoot(one)) madeRoots++;
    if (isProtected(one) && there?.spec['protected'] !== true) newlyProtected++;
  }
  return counts;
}

function isRoot({ spec }: DesiredResource): boolean {
  return spec['init_source'] === 'schema-only';
}

function isProtected({ spec }: DesiredResource | LiveResource): boolean {
  return spec['protected'] === true;
}

function hasNoParent({ spec }: LiveResource): boolean {
  return spec['parent_id'] === undefined;
}

function reached({ address, source }: DesiredResource, { what, most }: Limit, count: number): readonly Diagnostic[] {
  return most
    .filter(([, allowed]) => allowed === count)
    .map(([plan]) => ({
      severity: 'warning',
      code: 'plan_limit',
      message: `${address} may be refused: the project then has ${count} ${what}, as many as the subscription plan ${plan} allows`,
      hint: 'Delete a branch that is not needed, or upgrade the subscription plan.',
      address,
      range: source,
    }));
}
