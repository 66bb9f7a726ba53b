// Random requests, sensible and not: never a 500, every answer in its schema, the laws of the world kept.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { routes } from '../../src/api/index.ts';
import { problemsOf } from './published.ts';
import { organizationId } from '../../src/control-plane/resources/account.ts';
import { isFullSize } from '../support/full-size.ts';
import { requests, withValue } from './members/requests.ts';
import { rows } from './members/rows.ts';
import { makeWorld, type TestWorld } from './world.ts';

const REQUESTS = isFullSize ? 100_000 : 1000;
const REQUESTS_PER_WORLD = 100;

const words = fc.oneof(
  fc.constantFrom('read_write', 'read_only', 'main', 'shop', '', '-1', '0', 'null', '../..', '%00', '\u{202e}', 'ép'),
  fc.string({ maxLength: 70 }),
);
const sizes = fc.oneof(fc.constantFrom(0.25, 0.5, 1, 2, 3, 8, 16, 56, -1, 0, 1e308, 604_800), fc.double());
/** Members of the body, each with a value that is good for it, or with another one. */
const members = fc.array(
  fc.record({
    at: fc.nat(),
    other: fc.oneof(
      { weight: 3, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.oneof(words, sizes, fc.boolean(), fc.constant(null), fc.jsonValue()) },
    ),
  }),
  { maxLength: 4 },
);
/** What leaves little to ask for afterwards. */
const RARE: ReadonlySet<string> = new Set(['deleteProject', 'revokeApiKey', 'recoverProject']);
const plans = fc.record({
  route: fc.oneof(
    { weight: 60, arbitrary: fc.constantFrom(...routes.filter(({ id }) => !RARE.has(id))) },
    { weight: 1, arbitrary: fc.constantFrom(...routes.filter(({ id }) => RARE.has(id))) },
  ),
  draws: fc.array(fc.nat(), { minLength: 3, maxLength: 3 }),
  junk: fc.option(words, { freq: 6 }),
  query: fc.option(fc.dictionary(fc.constantFrom('limit', 'cursor', 'search', 'sort_by', 'pooled'), words), {
    freq: 4,
  }),
  members,
  waitMs: fc.constantFrom(0, 0, 0, 100, 1500, 400_000),
});
type Plan = typeof plans extends fc.Arbitrary<infer T> ? T : never;

const idsOf = (items: readonly { readonly id: string }[]): readonly string[] => items.map(({ id }) => id);
const draw = (values: readonly string[], at: number): string => values[at % (values.length || 1)] ?? 'none';

function pathOf(world: TestWorld, { route, draws, junk, query }: Plan): string {
  const { truth } = world.plane;
  const [projectDraw = 0, draw1 = 0, draw2 = 0] = draws;
  const projectId = projectOf(world, projectDraw);
  const branch = truth.branches(projectId)[draw1 % Math.max(1, truth.branches(projectId).length)];
  const values: Record<string, string> = {
    project_id: projectId,
    branch_id: branch?.id ?? 'none',
    endpoint_id: draw(idsOf(truth.computes(projectId)), draw2),
    operation_id: draw(idsOf(truth.operations({ projectId, limit: 50 })), draw1),
    role_name: draw(branch?.roles.map((item) => item.name) ?? [], draw2),
    database_name: draw(branch?.databases.map((item) => item.name) ?? [], draw2),
    key_id: String(draw2),
    org_id: organizationId(world.plane.engine.meta.account),
    permission_id: draw([...world.plane.engine.live.permissions.keys()], draw2),
  };
  let index = 0;
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(junk !== null && draw1 % 3 === index++ ? wellFormed(junk) : (values[name] ?? '')),
  );
  return query === null ? path : `${path}?${new URLSearchParams(query).toString()}`;
}

/** Without lone surrogates: those are no text and cannot be written into a path. */
const wellFormed = (text: string): string => text.replaceAll(/[\ud800-\udfff]/g, '') || 'x';

async function check(world: TestWorld, plan: Plan): Promise<void> {
  const { route } = plan;
  const body = bodyOf(world, plan);
  const answer = await world.send(route.method, pathOf(world, plan), body);
  // What is published and not modelled is a refusal, too.
  const isRefusal = answer.status === 501 && answer.body['code'] === 'NOT_MODELLED';
  expect(isRefusal ? 400 : answer.status).toBeLessThan(500);
  const shape = answer.status < 300 ? route.replies[answer.status] : 'ErrorBody';
  expect(shape).toBeDefined();
  if (shape !== null && shape !== undefined)
    expect([route.id, answer.status, problemsOf(shape, answer.body)]).toEqual([route.id, answer.status, undefined]);
  await world.pass(plan.waitMs);
}

/** A body of the route; half of those with a branch get one that is there, so that not all are refused. */
function bodyOf(world: TestWorld, { route, members: some, draws }: Plan): object | undefined {
  const own = rows.filter(({ request }) => request === route.id);
  const base = requests[route.id]?.base;
  if (base === undefined) return undefined;
  const body = some.reduce((made, { at, other }) => {
    const row = own[at % own.length];
    const around = Object.entries(row?.with ?? {}).reduce((all, [path, value]) => withValue(all, path, value), made);
    return row === undefined ? made : withValue(around, row.path, other === undefined ? row.value : other);
  }, base);
  const [first = 0, second = 0] = draws;
  const branch = own.find(({ path }) => /(?:source_branch|branch|parent)_id$/.test(path));
  if (branch === undefined || first % 2 === 0) return body;
  return withValue(body, branch.path, draw(idsOf(world.plane.truth.branches(projectOf(world, first))), second));
}

function projectOf(world: TestWorld, at: number): string {
  return draw(idsOf(world.plane.truth.projects()), at);
}

function requireLaws(world: TestWorld): void {
  const primaries = world.plane.truth.computes().filter((compute) => compute.type === 'read_write');
  expect(new Set(primaries.map((compute) => compute.branchId)).size).toBe(primaries.length);
  for (const project of world.plane.truth.projects()) {
    const branches = world.plane.truth.branches(project.id);
    expect(branches.filter(({ isDefault }) => isDefault)).toHaveLength(1);
    expect(new Set(branches.map(({ name }) => name)).size).toBe(branches.length);
    for (const { parentId, isProtected, expiresMs } of branches) {
      expect(parentId === undefined || branches.some(({ id }) => id === parentId)).toBe(true);
      expect(isProtected && expiresMs !== undefined).toBe(false);
    }
  }
  const ledger = world.plane.ledger();
  expect(ledger.map((entry) => entry.seq)).toEqual(ledger.map((_, at) => at + 1));
  for (const compute of world.plane.truth.computes()) {
    expect(world.plane.truth.branches(compute.projectId).some((branch) => branch.id === compute.branchId)).toBe(true);
    expect(compute.minCu).toBeLessThanOrEqual(compute.maxCu);
  }
}

it(`random requests: ${REQUESTS} of them: no 500, every answer in its schema, one primary per branch`, async () => {
  const property = fc.asyncProperty(
    fc.array(plans, { minLength: REQUESTS_PER_WORLD, maxLength: REQUESTS_PER_WORLD }),
    async (sequence) => {
      const world = makeWorld();
      for (const plan of sequence) await check(world, plan);
      await world.pass(10_000);
      expect(world.plane.truth.operations({ open: true })).toEqual([]);
      requireLaws(world);
    },
  );
  await fc.assert(property, { numRuns: Math.ceil(REQUESTS / REQUESTS_PER_WORLD), seed: 20_260_101 });
}, 1_200_000);
