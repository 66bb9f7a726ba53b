// Seeded workloads of a preview set and a retention rule, beside branches that look like theirs and must stay.
import type { World } from '../../src/control-plane/index.ts';
import type { Completed } from './schedule.ts';
import type { Dice } from './random-world.ts';
import type { Workload } from './world/workload.ts';

type Project = NonNullable<World['projects']>[number];
type Branch = NonNullable<Project['branches']>[number];

const SHOP = 'shop-project-000001';
export const SET = 'shop/previews/pr';
export const RULE = 'shop/retention/old';
const MAIN = 'br-main-000001';
const KEYS = ['1', '2', '3', '4', '5', '6'] as const;

/** Notes of a branch: of this set, of the set of another project or name, of a run without a set, or none. */
const NOTES: readonly (NonNullable<Branch['annotation_value']> | null)[] = [
  { 'trueup.set': `${SHOP}/pr` },
  { 'trueup.set': `${SHOP}/pr` },
  { 'trueup.set': `${SHOP}/pr` },
  { 'trueup.set': `${SHOP}/other` },
  { 'trueup.set': 'other-project-000002/pr' },
  { 'trueup.run': 'abc-1' },
  { 'vercel.deployment': '7' },
  null,
];

interface Drawn {
  readonly branches: readonly Branch[];
  readonly computes: NonNullable<Project['computes']>;
}

/** A branch of this name, perhaps with a compute and a child. */
function drawBranch(dice: Dice, name: string, annotation: Branch['annotation_value'] | null): Drawn {
  const id = `br-${name.replace('/', '-')}-000001`;
  const expires = dice.pick([null, null, '3s', '20s', '6d']);
  const isProtected = expires === null && dice.chance(0.15);
  const hasChild = expires === null && dice.chance(0.2);
  const branch = {
    id,
    name,
    parent_id: MAIN,
    created_at: dice.pick(['-30d', '-20d', '-8d', '-3d', '-1h', '-1m']),
    ...(isProtected ? { protected: true } : {}),
    ...(expires === null ? {} : { expires_at: expires, ttl_interval_seconds: 604_800 }),
    ...(annotation === null ? {} : { annotation_value: annotation }),
  };
  const child = {
    id: `${id}-child`,
    name: `${name}-child`,
    parent_id: id,
    created_at: dice.pick(['-19d', '-1h']),
  };
  const isActive = dice.chance(0.2);
  const compute = {
    id: id.replace('br-', 'ep-'),
    branch: id,
    created_at: branch.created_at,
    ...(isActive
      ? { current_state: 'active' as const, started_at: '-1m', suspend_timeout_seconds: -1 }
      : dice.chance(0.8)
        ? { last_active: dice.pick(['-29d', '-5d', '-30m']) }
        : {}),
  };
  return { branches: [branch, ...(hasChild ? [child] : [])], computes: dice.chance(0.6) ? [compute] : [] };
}

/** The set and the rule overlap: the rule matches the names of members, too. */
export function rulesWorkload(dice: Dice, name: string): Workload {
  const some = <T>(list: readonly T[], probability: number): readonly T[] =>
    list.filter(() => dice.chance(probability));
  const members = some(KEYS, 0.6).map((key) => drawBranch(dice, `preview/pr-${key}`, dice.pick(NOTES)));
  const others = some(['preview/a', 'preview/b', 'preview/c', 'preview/d', 'feature/e'], 0.7).map((one) =>
    drawBranch(dice, one, dice.pick(NOTES)),
  );
  const drawn = [...members, ...others];
  const keys = some(KEYS, dice.pick([0, 0.3, 0.7, 1]));
  const closed = some(KEYS, 0.2);
  const gone = dice.pick(['delete', 'delete', 'delete', 'expire', 'keep'] as const);
  const keep = some(['preview/a', 'preview/b', 'preview/pr-2'], 0.3);
  const yaml = `version: 1
projects:
  shop:
    id: ${SHOP}
    branches: { main: ${MAIN} }
    previews:
      pr:
        each: [${keys.join(', ')}]
        name: preview/pr-{key}
        from: main
        ttl: 7d
        max: 9
        gone: ${gone}
${gone === 'delete' ? `        closed: [${closed.join(', ')}]\n` : ''}${dice.chance(0.5) ? '        computes: { primary: {} }\n' : ''}    retention:
      old:
        match: ["preview/*"]
        older_than: 7d
        idle_for: ${dice.pick(['1h', '1d', '7d'])}
        keep: ${keep.length === 0 && dice.chance(0.5) ? '${var:NONE:-[]}' : `[${keep.join(', ')}]`}
        max: ${dice.pick([1, 2, 9])}
`;
  const allow = { action: 'drop', address: dice.pick([`${RULE}/**`, `${RULE}/**`, 'shop/**', `${SET}/**`]) };
  const main = { id: MAIN, name: 'main', default: true, created_at: '-40d' };
  const shop: Project = {
    name: 'shop',
    id: SHOP,
    created_at: '-40d',
    last_request_at: '-2h',
    branches: [main, ...drawn.flatMap(({ branches }) => branches)],
    computes: drawn.flatMap(({ computes }) => computes),
  };
  return { name, yaml, world: { version: 1, projects: [shop] }, allow: [allow], due: dice.chance(0.8) };
}

/** What people do to these branches meanwhile. */
export function drawMeddling(dice: Dice, { world }: Workload): readonly Completed[] {
  const [shop] = world.projects ?? [];
  const [branches, computes] = [(shop?.branches ?? []).slice(1), shop?.computes ?? []];
  if (branches.length === 0) return [];
  return Array.from({ length: dice.below(3) }, (): Completed => {
    const { id = '', name } = dice.pick(branches);
    const afterMs = dice.below(6000);
    const path = `/projects/${SHOP}/branches`;
    switch (dice.below(5)) {
      case 0:
        return { afterMs, method: 'PATCH', path: `${path}/${id}`, body: { branch: { protected: true } } };
      case 1:
        return { afterMs, method: 'POST', path, body: { branch: { name: `${name}-late`, parent_id: id } } };
      case 2:
        return { afterMs, method: 'PATCH', path: `${path}/${id}`, body: { branch: { name: `${name}-renamed` } } };
      case 3:
        return { afterMs, method: 'POST', path, body: { branch: { name: `preview/pr-${dice.pick(KEYS)}` } } };
      default: {
        const compute = computes.length === 0 ? '' : (dice.pick(computes).id ?? '');
        return { afterMs, method: 'POST', path: `/projects/${SHOP}/endpoints/${compute}/start` };
      }
    }
  });
}
