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
    api_keys: [{ id: 501, name: 'ci-deploy', created_at: '-90d' }],
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

/** The state of a Terraform that made the project team-003 of that world, and a key. */
export function terraformState(): string {
  const resource = (type: string, name: string, attributes: object): object => ({
    mode: 'managed',
    type,
    name,
    provider: 'provider["registry.terraform.io/kislerdm/neon"]',
    instances: [{ schema_version: 8, attributes, sensitive_attributes: [] }],
  });
  const project_id = 'team-003-000001';
  const branch_id = 'br-team-003-main';
  const secret = 'postgres://app:canary@team-003.example.com/app';
  const resources = [
    resource('neon_project', 'store', { id: project_id, connection_uri: secret, default_branch_id: branch_id }),
    resource('neon_endpoint', 'writer', { id: 'ep-team-003-main', project_id, branch_id, type: 'read_write' }),
    resource('neon_api_key', 'ci', { id: '501', name: 'ci-deploy', key: 'canary' }),
  ];
  return JSON.stringify({ version: 4, terraform_version: '1.11.4', serial: 7, lineage: 'x', outputs: {}, resources });
}
