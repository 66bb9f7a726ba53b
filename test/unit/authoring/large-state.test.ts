// A Terraform state may hold more of one resource than a call takes arguments.
import { expect, it } from 'vitest';
import { readState } from '../../../src/cli/authoring/import/terraform-state.ts';

it('names all instances of one resource', () => {
  const instances = Array.from({ length: 200_000 }, (_, at) => ({ attributes: { id: `ep-${at}` } }));
  const resources = [{ mode: 'managed', type: 'neon_endpoint', name: 'x', instances }];
  expect(readState(JSON.stringify({ version: 4, resources }), 's.tfstate').names).toHaveLength(200_000);
});
