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
 * A warning where there are just as many as one of the plans allows, with those that come before it, and one more is wished for. Which
 * plan it is the lists do not show; with more than a plan allows, it is a larger one. Removals come later.
 */
export function limitWarnings(
  desired: DesiredResource,
  live: LiveResource | null,
  { around, declared, nowMs }: KindContext,
): readonly Diagnostic[] {
  const branches = around.filter(({ kind }) => kind === desired.kind);
  const liveOf = ({ pin, movedFrom, spec }: DesiredResource): LiveResource | undefined =>
    branches.find((one) =>
      pin === null ? [spec['name'], movedFrom].includes(one.spec['name'] ?? null) : one.id === pin,
    );
  const at = declared.findIndex(({ address }) => address === desired.address);
  const before = declared
    .slice(0, at)
    .filter(
      ({ absent, spec: { expires_at: end } }) => !absent && !(typeof end === 'string' && Date.parse(end) <= nowMs),
    );
  const made = before.filter((one) => liveOf(one) === undefined);
  const kept = before.filter((one) => isProtected(one) && liveOf(one)?.spec['protected'] !== true);
  const protects = isProtected(desired) && live?.spec['protected'] !== true;
  return [
    ...(live === null ? reached(desired, BRANCHES, branches.length + made.length) : []),
    ...(live === null && isRoot(desired)
      ? reached(desired, ROOTS, branches.filter(hasNoParent).length + made.filter(isRoot).length)
      : []),
    ...(protects ? reached(desired, PROTECTED, branches.filter(isProtected).length + kept.length) : []),
  ];
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
      message: `there are ${count} ${what} by then, as many as the plan ${plan} allows: if that is the account's, the service refuses ${address}`,
      hint: 'Remove one that nobody needs, or ask for a larger plan.',
      address,
      range: source,
    }));
}
