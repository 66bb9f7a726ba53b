// A name that somebody else takes while a run makes other things: what was to be made by it is there, and nothing is asked of its place.
import { expect, it } from 'vitest';
import { openSite, somebody } from '../../support/site.ts';
import { BRANCH, keptWorld, placeOf } from './kept.ts';

it('a role with a password that somebody else made is satisfied, whatever became of its place', async () => {
  const roles = ['a', 'b', 'c'].map((name) => `${name}: { password: { file: ${name}.json } }`).join(', ');
  let posts = 0;
  const { apply } = openSite({
    ...keptWorld(roles),
    switches: { locking: 'off', availabilityChecks: 'off' },
    operationMs: { min: 3000, max: 3000 },
    meanwhile: async (request, { controlPlane, disk }) => {
      if (!/^POST .*\/roles$/.test(request) || ++posts !== 1) return;
      await somebody(controlPlane, 'POST', `/projects/shop-1/branches/${BRANCH}/roles`, { role: { name: 'c' } });
      disk.plant(placeOf('c.json/folder'), '');
    },
  });
  const { result } = await apply();
  expect(result.steps.map(({ address, outcome }) => `${address.slice(-1)} ${outcome}`)).toContain('c satisfied');
});
