// A name that somebody else takes while a run makes other things: what was to be made by it is there, and nothing is asked of its place.
import { expect, it } from 'vitest';
import { somebody } from '../../support/site.ts';
import type { Account } from './account.ts';
import { withAccount } from './fleet.ts';
import { BRANCH, keptWorld } from './kept.ts';

it('a role with a password that somebody else made is satisfied, whatever became of its place', async () => {
  const roles = ['a', 'b', 'c'].map((name) => `${name}: { password: { file: ${name}.json } }`).join(', ');
  const running: Account[] = [];
  let posts = 0;
  const world = keptWorld(roles, {
    switches: { locking: 'off', availabilityChecks: 'off' },
    operationMs: { min: 3000, max: 3000 },
    meanwhile: async (request, _before, { controlPlane }) => {
      if (!/^POST .*\/roles$/.test(request) || ++posts !== 1) return;
      await somebody(controlPlane, 'POST', `/projects/shop-1/branches/${BRANCH}/roles`, { role: { name: 'c' } });
      for (const { disk, cwd } of running) disk.plant(`${cwd}/state/secrets/c.json/folder`, '');
    },
  });
  await withAccount(world, async (account) => {
    running.push(account);
    const { result } = await account.apply();
    expect(result.steps.map(({ address, outcome }) => `${address.slice(-1)} ${outcome}`)).toContain('c satisfied');
  });
});
