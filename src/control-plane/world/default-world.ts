// The small account that a new store holds: two projects with three branches each, a primary on each default branch.
import type { World } from '../../api/index.ts';

export const defaultWorld: World = {
  version: 1,
  account: { name: 'local', email: 'local@db.localhost' },
  projects: [
    {
      id: 'spring-example-302709',
      name: 'shop',
      created_at: '-30d',
      last_request_at: '-2h',
      branches: [
        { id: 'br-wispy-meadow-118737', name: 'main', default: true, created_at: '-30d', ...withRole('shop') },
        { id: 'br-calm-sea-220011', name: 'staging', created_at: '-20d', ...withRole('shop') },
        { id: 'br-old-river-991122', name: 'dev', created_at: '-10d', ...withRole('shop') },
      ],
      computes: [{ id: 'ep-cool-darkness-123456', branch: 'main', created_at: '-30d', ...lastUsed() }],
      operations: history('br-wispy-meadow-118737', 'ep-cool-darkness-123456'),
    },
    {
      id: 'autumn-lab-418822',
      name: 'lab',
      created_at: '-25d',
      last_request_at: '-2h',
      branches: [
        { id: 'br-misty-field-330021', name: 'main', default: true, created_at: '-25d', ...withRole('lab') },
        { id: 'br-still-lake-330022', name: 'staging', created_at: '-15d', ...withRole('lab') },
        { id: 'br-warm-brook-330023', name: 'dev', created_at: '-5d', ...withRole('lab') },
      ],
      computes: [{ id: 'ep-bright-forest-654321', branch: 'main', created_at: '-25d', ...lastUsed() }],
      operations: history('br-misty-field-330021', 'ep-bright-forest-654321'),
    },
  ],
};

function withRole(name: string): { roles: string[]; databases: { name: string; owner_name: string }[] } {
  return { roles: [`${name}_owner`], databases: [{ name: `${name}db`, owner_name: `${name}_owner` }] };
}

function lastUsed(): { last_active: string; started_at: string; suspended_at: string } {
  return { last_active: '-125m', started_at: '-3h', suspended_at: '-2h' };
}

function history(branchId: string, endpointId: string): NonNullable<NonNullable<World['projects']>[0]['operations']> {
  return [
    { action: 'create_timeline', branch_id: branchId, created_at: '-25d', updated_at: '-25d' },
    { action: 'start_compute', branch_id: branchId, endpoint_id: endpointId, created_at: '-3h', updated_at: '-3h' },
    { action: 'suspend_compute', branch_id: branchId, endpoint_id: endpointId, created_at: '-2h', updated_at: '-2h' },
  ];
}
