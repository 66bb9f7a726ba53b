// An account with very many keys: the list is read whole, and nothing of it is touched.
import { expect, it } from 'vitest';

import { openSite } from '../../../support/site.ts';
import { largeWorld } from '../../../support/large-world.ts';

it('L15 one key is made beside 10,000 others, which are left alone', async () => {
  const file = 'version: 1\napi_keys:\n  ci: { secret: { exec: vault } }\n';
  const seed = largeWorld({ keys: 10_000 });
  const { apply, controlPlane } = openSite({ file, seed });
  const before = controlPlane.ledger().length;
  expect((await apply()).result.status).toBe('converged');
  const done = controlPlane.ledger().slice(before);
  expect(done.map(({ verb, kind }) => `${verb} ${kind}`)).toEqual(['POST key']);
});
