// Seed data of a large account, from a few numbers.
import type { World, WorldProject } from '../../src/api/index.ts';

export interface Numbers {
  readonly projects?: number;
  /** Of each project; the computes are spread over the branches. */
  readonly branches?: number;
  readonly computes?: number;
  readonly operations?: number;
  readonly keys?: number;
}

const ACTIONS = ['start_compute', 'suspend_compute', 'apply_config', 'check_availability'];
const SIZES = [0.25, 0.5, 1, 2, 4];

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

export function largeWorld({ projects = 0, keys = 0, ...each }: Numbers): World {
  return {
    version: 1,
    projects: times(projects, (at) => project(at + 1, each)),
    api_keys: times(keys, (at) => ({ name: `key-${at + 1}` })),
  };
}

function project(number: number, { branches = 1, computes = 1, operations = 0 }: Numbers): WorldProject {
  return {
    id: `large-project-${number}`,
    name: `project-${String(number).padStart(5, '0')}`,
    created_at: '-20d',
    last_request_at: '-2h',
    branches: times(branches, (at) => ({
      id: `br-large-${number}-${at}`,
      name: at === 0 ? 'main' : `branch-${at}`,
      created_at: '-20d',
    })),
    computes: times(computes, (at) => ({
      id: `ep-large-${number}-${at}`,
      branch: `br-large-${number}-${at % branches}`,
      type: at < branches ? 'read_write' : 'read_only',
      autoscaling_limit_min_cu: SIZES[at % SIZES.length] ?? 1,
      autoscaling_limit_max_cu: SIZES[at % SIZES.length] ?? 1,
      created_at: '-20d',
      last_active: '-2h',
    })),
    operations: times(operations, (at) => ({
      action: ACTIONS[at % ACTIONS.length] ?? '',
      endpoint_id: `ep-large-${number}-${at % computes}`,
      created_at: `-${operations - at}m`,
      updated_at: `-${operations - at}m`,
    })),
  };
}
