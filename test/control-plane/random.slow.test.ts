// Random requests, sensible and not: never a 500, every answer in its schema, the laws of the world kept.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkShape, routes, type Route, type ShapeName } from '../../src/api/index.ts';

import { organizationId } from '../../src/control-plane/resources/account.ts';
import { isFullSize } from '../support/full-size.ts';
import { makeWorld, type TestWorld } from './world.ts';

const REQUESTS = isFullSize ? 100_000 : 1000;
const REQUESTS_PER_WORLD = 100;

const words = fc.oneof(
  fc.constantFrom('read_write', 'read_only', 'main', 'shop', '', '-1', '0', 'null', '../..', '%00', '\u{202e}', 'ép'),
  fc.string({ maxLength: 70 }),
);
const sizes = fc.oneof(fc.constantFrom(0.25, 0.5, 1, 2, 3, 8, 16, 56, -1, 0, 1e308, 604_800), fc.double());
const attributes = fc.record(
  {
    branch_id: words,
    type: fc.constantFrom('read_write', 'read_only', 'other'),
    autoscaling_limit_min_cu: sizes,
    autoscaling_limit_max_cu: sizes,
    suspend_timeout_seconds: fc.oneof(fc.integer(), fc.constantFrom(-1, 0, 60, 300)),
    pooler_enabled: fc.boolean(),
    pooler_mode: words,
    disabled: fc.boolean(),
    name: words,
    settings: fc.oneof(fc.constant({}), fc.record({ pg_settings: fc.dictionary(words, words) })),
  },
  { requiredKeys: [] },
);
const times = fc.constantFrom('2025-12-31T23:59:00Z', '2026-01-03T00:00:00Z', '2019-01-01T00:00:00Z', 'soon');
const settings = fc.record(
  {
    quota: fc.record({ active_time_seconds: fc.nat(), logical_size_bytes: fc.integer() }, { requiredKeys: [] }),
    allowed_ips: fc.record({ ips: fc.array(fc.oneof(fc.ipV4(), fc.ipV6(), words), { maxLength: 3 }) }),
    enable_logical_replication: fc.boolean(),
    hipaa: fc.boolean(),
    block_public_connections: fc.boolean(),
    preload_libraries: fc.record({ enabled_libraries: fc.array(words, { maxLength: 2 }) }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);
const projectWish = fc.record(
  {
    name: words,
    pg_version: fc.integer({ min: 12, max: 20 }),
    region_id: fc.constantFrom('aws-us-east-2', 'azure-gwc', 'nowhere'),
    store_passwords: fc.boolean(),
    history_retention_seconds: fc.constantFrom(0, 3600, 86_400, 2_592_000, -1, 1e9),
    branch: fc.record({ name: words, role_name: words, database_name: words }, { requiredKeys: [] }),
    settings,
    default_endpoint_settings: fc.record(
      { suspend_timeout_seconds: fc.integer(), autoscaling_limit_min_cu: sizes },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);
const branchWish = fc.record(
  {
    name: words,
    parent_id: words,
    parent_timestamp: times,
    protected: fc.boolean(),
    archived: fc.boolean(),
    init_source: fc.constantFrom('parent-data', 'schema-only', 'import', 'x'),
    expires_at: fc.oneof(times, fc.constant(null)),
  },
  { requiredKeys: [] },
);
const bodies = fc.oneof(
  { weight: 6, arbitrary: attributes.map((endpoint) => ({ endpoint })) },
  { weight: 1, arbitrary: fc.record({ key_name: words }) },
  {
    weight: 1,
    arbitrary: fc.record({
      branch: fc.record({ name: words }, { requiredKeys: [] }),
      endpoints: fc.array(attributes, { maxLength: 2 }),
    }),
  },
  { weight: 2, arbitrary: projectWish.map((project) => ({ project })) },
  { weight: 2, arbitrary: branchWish.map((branch) => ({ branch })) },
  { weight: 1, arbitrary: fc.record({ email: fc.oneof(fc.emailAddress(), words) }) },
  {
    weight: 2,
    arbitrary: fc.record(
      { source_branch_id: words, source_timestamp: times, preserve_under_name: words },
      { requiredKeys: [] },
    ),
  },
  { weight: 1, arbitrary: fc.record({ role: fc.record({ name: words }) }) },
  { weight: 1, arbitrary: fc.record({ database: fc.record({ name: words, owner_name: words }) }) },
  { weight: 1, arbitrary: fc.jsonValue() },
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
  body: bodies,
  waitMs: fc.constantFrom(0, 0, 0, 100, 1500, 400_000),
});
type Plan = typeof plans extends fc.Arbitrary<infer T> ? T : never;

const draw = (values: readonly string[], at: number): string => values[at % (values.length || 1)] ?? 'none';

function pathOf(world: TestWorld, { route, draws, junk, query }: Plan): string {
  const { truth } = world.plane;
  const [projectDraw = 0, draw1 = 0, draw2 = 0] = draws;
  const projectId = draw(
    truth.projects().map((item) => item.id),
    projectDraw,
  );
  const branch = truth.branches(projectId)[draw1 % Math.max(1, truth.branches(projectId).length)];
  const values: Record<string, string> = {
    project_id: projectId,
    branch_id: branch?.id ?? 'none',
    endpoint_id: draw(
      truth.computes(projectId).map((item) => item.id),
      draw2,
    ),
    operation_id: draw(
      truth.operations({ projectId, limit: 50 }).map((item) => item.id),
      draw1,
    ),
    role_name: draw(branch?.roles.map((item) => item.name) ?? [], draw2),
    database_name: draw(branch?.databases.map((item) => item.name) ?? [], draw2),
    key_id: String(draw2),
    org_id: organizationId(world.plane.engine.state.meta.account),
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
  const body = route.method === 'GET' ? undefined : repaired(world, route, plan);
  const answer = await world.send(route.method, pathOf(world, plan), body);
  tally(answer.status);
  // What is published and not modelled is a refusal, too.
  const isRefusal = answer.status === 501 && answer.body['code'] === 'NOT_MODELLED';
  expect(isRefusal ? 400 : answer.status).toBeLessThan(500);
  const shape = (answer.status < 300 ? route.replies[answer.status] : 'ErrorBody') as ShapeName | null | undefined;
  expect(shape).toBeDefined();
  if (shape !== null && shape !== undefined)
    expect([route.id, answer.status, checkShape(shape, answer.body).ok]).toEqual([route.id, answer.status, true]);
  await world.pass(plan.waitMs);
}

const counts = { succeeded: 0, refused: 0, failed: 0 };

function tally(status: number): void {
  counts[status < 400 ? 'succeeded' : status < 500 || status === 501 ? 'refused' : 'failed']++;
}

/** Half of the bodies get a branch that is there, so that not all are refused. */
function repaired(world: TestWorld, route: Route, { body, draws }: Plan): unknown {
  const [first = 0, second = 0] = draws;
  if (first % 2 === 0 || typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  if ('source_branch_id' in body) return { ...body, source_branch_id: draw(branchIds(world, first), second) };
  if (!('endpoint' in body)) return body;
  const projectId = draw(
    world.plane.truth.projects().map((item) => item.id),
    first,
  );
  const branches = world.plane.truth.branches(projectId).map((item) => item.id);
  const sound = { branch_id: draw(branches, second), type: first % 3 === 0 ? 'read_write' : 'read_only' };
  return { endpoint: route.method === 'POST' ? sound : { branch_id: sound.branch_id } };
}

function branchIds(world: TestWorld, at: number): string[] {
  const [projectId] = [
    draw(
      world.plane.truth.projects().map((item) => item.id),
      at,
    ),
  ];
  return world.plane.truth.branches(projectId).map((item) => item.id);
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

describe('random requests', () => {
  it(`${REQUESTS} of them: no 500, every answer in its schema, one primary per branch`, async () => {
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
});
