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
 * A warning where there are just as many as one of the plans allows, and one more is wished for. Which plan it is the lists do not show;
 * with more than a plan allows, it is a larger one.
 */
export function limitWarnings(
  desired: DesiredResource,
  live: LiveResource | null,
  { around }: KindContext,
): readonly Diagnostic[] {
  const branches = around.filter(({ kind }) => kind === desired.kind);
  const isRoot = desired.spec['init_source'] === 'schema-only';
  const protects = desired.spec['protected'] === true && live?.spec['protected'] !== true;
  return [
    ...(live === null ? reached(desired, BRANCHES, branches.length) : []),
    ...(live === null && isRoot ? reached(desired, ROOTS, branches.filter(hasNoParent).length) : []),
    ...(protects ? reached(desired, PROTECTED, branches.filter(({ spec }) => spec['protected'] === true).length) : []),
  ];
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
      message: `there are ${count} ${what} already, as many as the plan ${plan} allows: if that is the account's, the service refuses ${address}`,
      hint: 'Remove one that nobody needs, or ask for a larger plan.',
      address,
      range: source,
    }));
}
