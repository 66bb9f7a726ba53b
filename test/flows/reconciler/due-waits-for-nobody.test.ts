// What is due and was not asked for: nothing waits for it, and a plan is the same whether it is due or not.
import { expect, it } from 'vitest';
import type { Plan } from '../../../src/model/outcome/plan.ts';

import { openSite } from '../../support/site.ts';
import { BRANCH, keptWorld } from './kept.ts';

const fileOf = (every: string): string =>
  `version: 1\nprojects:\n  shop:\n    id: shop-1\n    branches:\n      main:\n        id: ${BRANCH}\n        roles: { owner: { password: { exec: vault }, rotate: { every: ${every} } } }\n      child: { from: main }\n`;

async function applied(every: string): Promise<{ readonly plan: Plan; readonly status: string }> {
  const account = openSite({ ...keptWorld(''), file: fileOf(every), stored: ['vault'] });
  const plan = await account.plan();
  const { result } = await account.apply();
  return { plan, status: result.status };
}

it('a branch is made from one whose role has a password that is due', async () => {
  const due = await applied('7d');
  const action = (address: string): unknown =>
    due.plan.changes.flatMap((change) =>
      change.address === address ? [change.action, change.due, change.blockedBy] : [],
    );
  expect(action('shop/branches/main/roles/owner')).toEqual(['rotate', true, []]);
  expect(action('shop/branches/child')).toEqual(['create', false, []]);
  expect(due.status).toBe('converged');
  expect((await applied('80d')).plan.planHash).toBe(due.plan.planHash);
});
