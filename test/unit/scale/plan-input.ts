// Inputs of planning of any size: fleets of ten computes a project, and one crowded branch.
import type { JsonObject } from '../../../src/base/json.ts';
import type { DesiredResource } from '../../../src/model/desired.ts';
import type { LiveResource } from '../../../src/model/live.ts';
import type { PlanInput } from '../../../src/plan/input.ts';
import type { KindRules } from '../../../src/plan/kind-rules.ts';
import { at, declaredAs, inputOf } from '../plan/support/world.ts';

const source = at(1);

const wish = (scope: string, name: string, spec: JsonObject): DesiredResource =>
  declaredAs({ address: `${scope}/${name}`, scope, name, spec });

function truth(projectId: string, id: string, spec: JsonObject): LiveResource {
  return { kind: 'compute', id, projectId, spec, observed: {}, createdAtMs: 0 };
}

function input(
  rules: KindRules,
  labels: readonly string[],
  resources: readonly DesiredResource[],
  live: readonly LiveResource[],
): PlanInput {
  const base = inputOf({});
  const projects = labels.map((label) => ({ label, id: `${label}-1`, name: label }));
  const declared = projects.map((one) => ({ ...one, labels: {}, prune: false, unmanagedOk: [], source }));
  return {
    ...base,
    desired: { ...base.desired, projects: declared, resources },
    live: { ...base.live, projects, resources: live },
    kinds: [rules],
  };
}

/** `count` primaries, ten to a project; every tenth wants another size. */
export function fleetInput(rules: KindRules, count: number): PlanInput {
  const numbers = Array.from({ length: count }, (_, n) => n);
  const labelOf = (n: number): string => `p${Math.floor(n / 10)}`;
  const specOf = (n: number): JsonObject => ({
    branch_id: `br-${n}`,
    type: 'read_write',
    autoscaling_limit_min_cu: 1,
    autoscaling_limit_max_cu: 1,
  });
  return input(
    rules,
    [...new Set(numbers.map(labelOf))],
    numbers.map((n) =>
      wish(labelOf(n), `c${n}`, { ...specOf(n), ...(n % 10 === 0 ? { autoscaling_limit_max_cu: 2 } : {}) }),
    ),
    numbers.map((n) => truth(`${labelOf(n)}-1`, `ep-${n}`, specOf(n))),
  );
}

/** `count` replicas without pins on one branch, all of different sizes, all to be changed. */
export function crowdInput(rules: KindRules, count: number): PlanInput {
  const numbers = Array.from({ length: count }, (_, n) => n);
  const spec = { branch_id: 'br-crowd', type: 'read_only' };
  return input(
    rules,
    ['crowd'],
    numbers.map((n) => {
      const suspend_timeout_seconds = 100_000 + ((n * 7919) % count);
      return wish('crowd', `r${n}`, { ...spec, suspend_timeout_seconds, pooler_enabled: n % 2 === 0 });
    }),
    numbers.map((n) =>
      truth('crowd-1', `ep-${n}`, { ...spec, suspend_timeout_seconds: 1000 + n, pooler_enabled: n % 3 === 0 }),
    ),
  );
}
