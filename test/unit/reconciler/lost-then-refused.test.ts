// A step whose reply was lost, and that cannot be sent again: nobody knows that nothing was done, and nobody says so.
import { expect, it } from 'vitest';
import { idOf, withAccount, worldOf } from './fleet.ts';

it.each([
  ['told to come later', 503],
  ['refused with the credential', 401],
  ['refused for good', 422],
])('is unknown where it is %s', async (_what, status) => {
  const file = `version: 1\nprojects: { p0: { computes: { more: { branch_id: br-${idOf(0)}-0 } } } }\n`;
  await withAccount({ file, seed: worldOf(1, 1) }, async ({ apply, controlPlane }) => {
    const { result } = await apply(() => {
      const late = { when: { method: 'POST', nth: 1 }, fault: { kind: 'late-commit', delayMs: 600_000 } } as const;
      const refusal = { kind: 'reply', status, commit: false, body: '{}' } as const;
      controlPlane.setFaults({
        rules: [late, { when: { method: 'POST', after: 1 }, times: 'always', fault: refusal }],
      });
    });
    const [step] = result.steps;
    expect([step?.outcome, step?.message]).toEqual(['unknown', expect.stringContaining('reply was lost')]);
    expect(JSON.stringify(result)).not.toContain('Nothing was done');
  });
});
