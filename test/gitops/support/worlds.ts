// The accounts that the pages' shell speaks to.
import type { World } from '../../../src/control-plane/index.ts';

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
        history_retention_seconds: at % 2 === 0 ? 43_200 : 86_400,
        settings: { quota: { compute_time_seconds: 3600 * at }, allowed_ips: { ips: [`203.0.113.${at % 250}`] } },
        permissions: [{ email: `Lead-${at}@example.com` }],
        branches: [
          {
            id: `br-${name}-main`,
            name: 'main',
            default: true,
            roles: ['app', 'reports'],
            databases: [{ name: 'orders', owner_name: 'app' }],
          },
          ...(at % 3 === 0 ? [{ id: `br-${name}-next`, name: 'feature/next', parent_id: `br-${name}-main` }] : []),
        ],
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
