// The world that the console's tests look at: the small default account, a busy project, and one with a hostile name.
import { defaultWorld } from '../../src/control-plane/world/default-world.ts';
import type { World } from '../../src/control-plane/index.ts';

/** Markup, an attribute's end, and a control that turns the direction of text around. */
const HOSTILE_NAME = `<img src=x onerror="document.title='owned'">"'&\u202Etxt`;
/** As long as Postgres lets names be, and nowhere to break. */
const LONG_NAME = 'n'.repeat(63);

export const SHOP = 'spring-example-302709';
export const PRIMARY = 'ep-cool-darkness-123456';
export const REPLICA = 'ep-quiet-river-700001';
export const HOSTILE = 'hostile-name-000001';
export const DEEP = 'deep-tree-000001';
export const HOSTILE_BRANCH = 'br-odd-name-000001';

const replica = {
  id: REPLICA,
  branch: 'main',
  type: 'read_only',
  current_state: 'active' as const,
  autoscaling_limit_min_cu: 1,
  autoscaling_limit_max_cu: 2,
  suspend_timeout_seconds: -1,
  last_active: '-1m',
  started_at: '-1h',
};
const failed = {
  action: 'apply_config',
  branch_id: 'br-wispy-meadow-118737',
  endpoint_id: PRIMARY,
  status: 'failed',
  error: 'the configuration could not be applied',
  failures_count: 3,
  created_at: '-90m',
  updated_at: '-89m',
};

export const consoleWorld: World = {
  version: 1,
  account: { name: 'local', email: 'local@db.localhost' },
  projects: [
    ...(defaultWorld.projects ?? []).map((project) => ({
      ...project,
      computes: [...(project.computes ?? []), ...(project.id === SHOP ? [replica] : [])],
      operations: [...(project.operations ?? []), ...(project.id === SHOP ? [failed] : [])],
    })),
    {
      id: HOSTILE,
      name: HOSTILE_NAME,
      branches: [
        {
          id: HOSTILE_BRANCH,
          name: HOSTILE_NAME,
          default: true,
          roles: [LONG_NAME],
          databases: [{ name: LONG_NAME, owner_name: LONG_NAME }],
        },
        { id: 'br-long-name-000001', name: `feature/${LONG_NAME.repeat(3)}`, parent_id: HOSTILE_BRANCH },
      ],
      computes: [{ branch: HOSTILE_NAME, name: LONG_NAME }],
    },
    {
      id: DEEP,
      name: 'deep',
      branches: Array.from({ length: 14 }, (_, level) => ({
        id: `br-level-${level}`,
        name: `level ${level}`,
        ...(level === 0 ? { default: true } : { parent_id: `br-level-${level - 1}` }),
      })),
    },
  ],
};
