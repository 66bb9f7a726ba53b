// Every switch does what its row says: each setting is seen from outside.
import { expect, it } from 'vitest';
import { switchTable, type Switches } from '../../src/control-plane/index.ts';
import {
  ENDPOINTS,
  HOUR,
  MAIN,
  ONE,
  PRIMARY,
  SHOP,
  STAGING,
  actionsOf,
  createActive,
  makeWorld,
  type Answer,
  type TestWorld,
} from './world.ts';

const BRANCHES = `${SHOP}/branches`;
const BRANCH = `${BRANCHES}/${STAGING}`;

type Look = (world: TestWorld) => Promise<unknown>;

const status = async (answer: Promise<Answer>): Promise<number> => (await answer).status;
const answers =
  (method: string, path: string, body?: object): Look =>
  (world) =>
    status(world.send(method, path, body));
const starts =
  (method: string, path: string, body?: object): Look =>
  async (world) => {
    const answer = await world.send(method, path, body);
    return answer.status === 200 || answer.status === 201 ? actionsOf(answer) : answer.status;
  };
const hasPages =
  (path: string): Look =>
  async (world) =>
    (await world.send('GET', path)).body.pagination !== undefined;
/** How many a list shows after so many requests. */
const shown =
  (path: string, what: 'projects' | 'branches', count: number, body: object): Look =>
  async (world) => {
    for (let made = 0; made < count; made++) await world.send('POST', path, body);
    return (await world.send('GET', path)).body[what].length;
  };
/** What is asked of an active compute. */
const ofActive =
  (look: (path: string) => Look): Look =>
  async (world) =>
    look(`${ENDPOINTS}/${await createActive(world, STAGING)}`)(world);
const patchActive = (endpoint: object): Look => ofActive((path) => starts('PATCH', path, { endpoint }));
const CREATE = { endpoint: { branch_id: STAGING, type: 'read_write' } };
const createWith = (attributes: object): Look =>
  answers('POST', ENDPOINTS, { endpoint: { ...CREATE.endpoint, ...attributes } });
const secondPrimary = (world: TestWorld): Promise<Answer> =>
  world.send('POST', ENDPOINTS, { endpoint: { branch_id: MAIN, type: 'read_write' } });
const headerOfLocked: Look = async (world) => {
  const { endpoint } = (await world.send('POST', ENDPOINTS, CREATE)).body;
  const answer = await world.send('PATCH', `${ENDPOINTS}/${endpoint.id}`, { endpoint: { disabled: true } });
  return `${answer.status} ${answer.headers.get('retry-after')}`;
};
const manyOperations: Look = async (world) => {
  for (let count = 0; count < 30; count++) {
    world.plane.truth.connect(PRIMARY);
    await world.pass(HOUR);
  }
  return (await world.send('GET', `${SHOP}/operations`)).body.operations.length;
};
const neverUsed: Look = async (world) => {
  const made = await world.send('POST', '/api_keys', { key_name: 'new' });
  const item = (await world.send('GET', '/api_keys')).list.find((key) => key.id === made.body.id);
  return 'last_used_at' in (item ?? {}) ? item?.['last_used_at'] : 'absent';
};
/** How long after its making a key's last use is said to be, seconds, when it was used then and half a minute later. */
const lastUse: Look = async (world) => {
  const made = (await world.send('POST', '/api_keys', { key_name: 'new' })).body;
  await world.send('GET', '/projects', undefined, { key: made.key });
  await world.pass(30_000);
  await world.send('GET', '/projects', undefined, { key: made.key });
  const item = (await world.send('GET', '/api_keys')).list.find((key) => key.id === made.id);
  return (Date.parse(String(item?.['last_used_at'])) - Date.parse(String(item?.['created_at']))) / 1000;
};
const checksInADay: Look = async (world) => {
  await world.pass(25 * HOUR);
  return world.plane.truth
    .operations({ projectId: 'spring-example-302709' })
    .filter((item) => item.action === 'check_availability').length;
};
const whileLocked: Look = async (world) => {
  const { endpoint } = (await world.send('POST', ENDPOINTS, CREATE)).body;
  const other = await status(world.send('PATCH', ONE, { endpoint: { pooler_enabled: true } }));
  return [other, await status(world.send('DELETE', `${ENDPOINTS}/${endpoint.id}`))];
};
const burst: Look = async (world) => {
  for (let count = 0; count < 40; count++) await world.send('GET', '/projects');
  return status(world.send('GET', '/projects'));
};
const failedMove: Look = async (world) => {
  const fault = { on: 'operation' as const, kind: 'fail' as const };
  world.plane.setFaults({ rules: [{ when: { action: 'apply_config' }, fault }] });
  await world.send('PATCH', ONE, { endpoint: { branch_id: STAGING } });
  await world.pass(2500);
  return world.plane.truth.operations({ projectId: 'spring-example-302709', limit: 2 }).map((item) => item.status);
};

const CONFIGURED_ANEW = 'apply_config running, suspend_compute scheduling, start_compute scheduling';
const looks: { readonly [K in keyof Switches]: readonly [Look, readonly unknown[]] } = {
  restartBody: [
    ofActive((path) => async (world) => Object.keys((await world.send('POST', `${path}/restart`)).body)),
    ['endpoint, operations', 'operations', '', ''],
  ],
  restartIdle: [answers('POST', `${ONE}/restart`), [200, 406, 412, 422]],
  afterRestart: [
    ofActive((path) => starts('POST', `${path}/restart`)),
    ['suspend_compute running, start_compute scheduling', 'suspend_compute running'],
  ],
  startActive: [ofActive((path) => starts('POST', `${path}/start`)), ['', 422]],
  suspendIdle: [answers('POST', `${ONE}/suspend`), [200, 422]],
  resizeActive: [
    patchActive({ autoscaling_limit_max_cu: 1 }),
    [CONFIGURED_ANEW, 'apply_config running, suspend_compute scheduling'],
  ],
  resizeIdle: [starts('PATCH', ONE, { endpoint: { autoscaling_limit_max_cu: 1 } }), ['', 'apply_config running']],
  settingsChange: [
    patchActive({ settings: { pg_settings: { work_mem: '64MB' } } }),
    [CONFIGURED_ANEW, 'apply_config running'],
  ],
  deleteActive: [ofActive((path) => starts('DELETE', path)), ['suspend_compute running', '']],
  afterFailure: [failedMove, ['cancelled, failed', 'finished, failed']],
  conflictStatus: [(world) => status(secondPrimary(world)), [409, 412, 422]],
  errorBody: [
    async (world) => Object.keys((await secondPrimary(world)).body).sort(),
    ['code, message, request_id', 'message', 'text'],
  ],
  missingDelete: [answers('DELETE', `${ENDPOINTS}/ep-not-there-000000`), [204, 404]],
  missingKey: [answers('DELETE', '/api_keys/1'), [404, 400]],
  operationsPageSize: [manyOperations, [64, 10, 64]],
  operationsLastCursor: [hasPages(`${SHOP}/operations`), [true, false]],
  projectsPageSize: [shown('/projects', 'projects', 12, { project: {} }), [10, 14, 14]],
  projectsLastCursor: [hasPages('/projects'), [false, true]],
  neverUsedKey: [neverUsed, [null, 'absent', '', '1970-01-01T00:00:00.000Z']],
  lastUse: [lastUse, [30, 0]],
  keyCreateReply: [
    async (world) => Object.keys((await world.send('POST', '/api_keys', { key_name: 'x' })).body),
    ['id, key, name, created_at, created_by', 'id, key'],
  ],
  sizes: [
    async (world) => [
      await createWith({ autoscaling_limit_min_cu: 16, autoscaling_limit_max_cu: 16 })(world),
      await createWith({ autoscaling_limit_min_cu: 0.3, autoscaling_limit_max_cu: 0.3 })(
        makeWorld({ switches: world.plane.engine.switches }),
      ),
    ],
    ['201, 400', '400, 400', '201, 201'],
  ],
  defaultSize: [
    async (world) => {
      const compute = world.plane.truth.compute(await createActive(world, STAGING));
      return [compute?.minCu, compute?.maxCu];
    },
    ['0.25, 0.25', '1, 1', '0.25, 2'],
  ],
  shortAutosuspend: [createWith({ suspend_timeout_seconds: 30 }), [400, 422, 201]],
  plan: [
    async (world) => [
      await createWith({ suspend_timeout_seconds: 600 })(world),
      await createWith({ autoscaling_limit_min_cu: 1 })(makeWorld({ switches: world.plane.engine.switches })),
    ],
    ['201, 201', '412, 201', '412, 412'],
  ],
  locking: [whileLocked, ['200, 423', '423, 423', '200, 200']],
  rateLimit: [burst, [200, 429]],
  retryAfter: [headerOfLocked, ['423 null', '423 1', '423 Thu, 01 Jan 2026 00:00:01 GMT']],
  availabilityChecks: [checksInADay, [1, 25, 0]],
  parentNotReady: [
    async (world) => {
      const { branch } = (await world.send('POST', BRANCHES, {})).body;
      return status(world.send('POST', BRANCHES, { branch: { parent_id: branch.id } }));
    },
    [423, 422],
  ],
  protectedLimitStatus: [
    (world) => {
      world.plane.setSwitches({ plan: 'free' });
      return status(world.send('PATCH', BRANCH, { branch: { protected: true } }));
    },
    [422, 403, 412],
  ],
  expiryStatus: [answers('PATCH', BRANCH, { branch: { expires_at: '2020-01-01T00:00:00Z' } }), [422, 400]],
  refusedDelete: [answers('DELETE', `${BRANCHES}/${MAIN}`), [422, 409, 412]],
  refusedRestore: [answers('POST', `${BRANCHES}/${MAIN}/restore`, { source_branch_id: MAIN }), [422, 409, 412]],
  momentStatus: [answers('POST', BRANCHES, { branch: { parent_timestamp: '2020-01-01T00:00:00Z' } }), [400, 422]],
  unknownOwner: [
    answers('POST', `${BRANCH}/databases`, { database: { name: 'x', owner_name: 'nobody' } }),
    [404, 400, 422],
  ],
  contentsWithoutCompute: [starts('POST', `${BRANCH}/roles`, { role: { name: 'app' } }), ['', 'apply_config running']],
  recoverOperations: [
    async (world) => {
      await world.send('DELETE', BRANCH);
      return Object.keys((await world.send('POST', `${BRANCH}/recover`)).body);
    },
    ['branch, endpoints', 'branch, endpoints, operations'],
  ],
  branchesPageSize: [shown(BRANCHES, 'branches', 9, {}), [12, 12, 10]],
  protectedRole: [
    (world) => {
      const branch = world.plane.truth.branches('spring-example-302709').find(({ id }) => id === MAIN);
      const roles = branch?.roles.map((role) => ({ ...role, isProtected: true })) ?? [];
      const { engine } = world.plane;
      if (branch !== undefined) engine.transact(() => engine.put('branches', { ...branch, roles }));
      return status(world.send('POST', `${BRANCHES}/${MAIN}/roles/shop_owner/reset_password`));
    },
    [422, 403, 409],
  ],
  regrant: [
    async (world) => {
      await world.send('POST', `${SHOP}/permissions`, { email: 'a@example.com' });
      return status(world.send('POST', `${SHOP}/permissions`, { email: 'a@example.com' }));
    },
    [200, 409],
  ],
  unknownGrantee: [answers('POST', `${SHOP}/permissions`, { email: 'a@example.com' }), [200, 404]],
  revokedPermissions: [
    async (world) => {
      const { id } = (await world.send('POST', `${SHOP}/permissions`, { email: 'local@db.localhost' })).body;
      await world.send('DELETE', `${SHOP}/permissions/${id}`);
      return ((await world.send('GET', `${SHOP}/permissions`)).body['project_permissions'] as unknown[]).length;
    },
    [0, 1],
  ],
  activeComputes: [
    async (world) => {
      const replica = { endpoint: { branch_id: STAGING, type: 'read_only' } };
      for (let count = 0; count < 20; count++) await world.send('POST', ENDPOINTS, replica);
      const main = { endpoint: { branch_id: MAIN, type: 'read_only' } };
      return [await status(world.send('POST', ENDPOINTS, main)), await status(world.send('POST', ENDPOINTS, replica))];
    },
    ['201, 201', '201, 422'],
  ],
};

const rows = Object.entries(looks).flatMap(([name, [look, expected]]) =>
  switchTable[name as keyof Switches].settings.map(
    (setting, place) => [`${name} = ${setting}`, { [name]: setting }, look, expected[place]] as const,
  ),
);

it.each(rows)('%s', async (_name, switches, look, expected) => {
  const seen = await look(makeWorld({ switches }));
  expect(Array.isArray(seen) ? seen.flat().join(', ') : seen).toEqual(expected);
});
