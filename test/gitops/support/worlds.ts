// The accounts that the pages' shell speaks to.
import type { World } from '../../../src/control-plane/index.ts';

/** One project whose primary somebody has made larger than the file says. */
export function gitopsWorld(): World {
  return {
    version: 1,
    projects: [
      {
        id: 'spring-example-302709',
        name: 'shop',
        branches: [{ id: 'br-wispy-meadow-118737', name: 'main', default: true }],
        computes: [{ id: 'ep-cool-darkness-123456', branch: 'main', autoscaling_limit_max_cu: 8 }],
      },
    ],
  };
}

export function gitopsWish(): string {
  return `version: 1
projects:
  shop:
    branches: { main: br-wispy-meadow-118737 }
    computes:
      primary: { branch: main, autoscaling_limit_max_cu: 4 }
`;
}

/** Many projects, each with a primary and every third with a replica. */
export function adoptingWorld(count: number): World {
  return {
    version: 1,
    projects: Array.from({ length: count }, (_, at) => {
      const name = `team-${String(at + 1).padStart(3, '0')}`;
      return {
        id: `${name}-000001`,
        name,
        branches: [{ id: `br-${name}-main`, name: 'main', default: true }],
        computes: [
          { id: `ep-${name}-main`, branch: 'main' },
          ...(at % 3 === 0 ? [{ id: `ep-${name}-reader`, branch: 'main', type: 'read_only' as const }] : []),
        ],
      };
    }),
  };
}
