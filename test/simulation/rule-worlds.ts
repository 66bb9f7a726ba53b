// Seeded workloads of a preview set and a retention rule, beside branches that look like theirs and must stay; and the lists that scripts give them.
import type { World } from '../../src/control-plane/index.ts';
import type { Completed } from './schedule.ts';
import type { Dice } from './random-world.ts';
import type { Variables, Workload } from './world/workload.ts';

type Project = NonNullable<World['projects']>[number];
type Branch = NonNullable<Project['branches']>[number];

const SHOP = 'shop-project-000001';
export const SET = 'shop/previews/pr';
export const RULE = 'shop/retention/old';
const MAIN = 'br-main-000001';
const KEYS = ['1', '2', '3', '4', '5', '6'] as const;
/** Of a set; lists may name one more. */
const MAX = 5;

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
  const child = { id: `${id}-child`, name: `${name}-child`, parent_id: id, created_at: dice.pick(['-19d', '-1h']) };
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
  const members = some(KEYS, 0.5).map((key) => drawBranch(dice, `preview/pr-${key}`, dice.pick(NOTES)));
  const others = some(['preview/a', 'preview/b', 'preview/d', 'feature/e'], 0.5).map((one) =>
    drawBranch(dice, one, dice.pick(NOTES)),
  );
  const drawn = [...members, ...others];
  const gone = dice.pick(['delete', 'delete', 'delete', 'expire', 'keep'] as const);
  const keep = some(['preview/a', 'preview/b', 'preview/pr-2'], 0.3);
  const yaml = `version: 1
projects:
  shop:
    id: ${SHOP}
    branches: { main: ${MAIN} }
    previews:
      pr:
        each: \${var:KEYS}
        name: preview/pr-{key}
        from: main
        ttl: ${dice.pick(['7d', '7d', '2h'])}
        max: ${MAX}
        gone: ${gone}
${dice.chance(0.5) ? '        grace: 1m\n' : ''}${gone === 'delete' && dice.chance(0.5) ? '        closed: ${var:CLOSED:-[]}\n' : ''}${dice.chance(0.5) ? '        reset_on: ${var:PUSHED}\n' : ''}${dice.chance(0.5) ? '        computes: { primary: {} }\n' : ''}    retention:
      old:
        match: ["preview/*"]
        older_than: 7d
        idle_for: ${dice.pick(['1h', '1d', '7d'])}
        keep: ${dice.chance(0.5) ? '${var:KEEP:-[]}' : `[${keep.join(', ')}]`}
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
  return { name, yaml, world: { version: 1, projects: [shop] }, allow: [allow], due: dice.chance(0.8), applies: 5 };
}

/** What a script gives as a list when it has failed. */
const FAILED = ['', 'null', '[1, 2', '[null]', '{"message":"Bad credentials"}', 'curl: (22) error: 502'] as const;

/** The lists of one repository, from run to run: unchanged, a key more, a key less, halved, empty, all, or another; and none that can be read. */
export function drawLists(dice: Dice, runs: number): readonly Variables[] {
  const some = (probability: number): readonly string[] => KEYS.filter(() => dice.chance(probability));
  let keys = some(dice.pick([0.3, 0.6, 0.8]));
  return Array.from({ length: runs }, (_, at) => {
    const isFailed = at < runs - 1 && dice.chance(0.12);
    if (at > 0) keys = changed(dice, keys);
    // The last list is one that runs can carry out.
    if (at === runs - 1) keys = keys.slice(0, MAX);
    const listed = dice.chance(0.2) ? [...keys, ...keys.slice(0, 1)] : keys;
    const { KEYS: _none, ...others } = {
      KEYS: isFailed ? dice.pick(FAILED) : JSON.stringify(listed.map(Number)),
      CLOSED: JSON.stringify(some(0.2)),
      PUSHED: JSON.stringify(Object.fromEntries(some(0.4).map((key) => [key, dice.pick(TIMES)]))),
      ...(dice.chance(0.5)
        ? { KEEP: JSON.stringify(['preview/a', 'preview/pr-2', 'preview/d'].slice(dice.below(4))) }
        : {}),
    };
    return isFailed && dice.chance(0.2) ? others : { KEYS: _none, ...others };
  });
}

/** Around the time at which runs begin. */
const TIMES = ['2025-12-20T00:00:00Z', '2025-12-31T20:00:00Z', '2026-01-01T00:00:01Z', '2026-01-01T02:00:00Z'] as const;

function changed(dice: Dice, keys: readonly string[]): readonly string[] {
  switch (dice.below(8)) {
    case 0:
      return [...new Set([...keys, dice.pick(KEYS)])];
    case 1:
      return keys.slice(1);
    case 2:
      return keys.slice(Math.ceil(keys.length / 2));
    case 3:
      return [];
    case 4:
      return KEYS;
    case 5:
      return KEYS.filter(() => dice.chance(0.5));
    default:
      return keys;
  }
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
