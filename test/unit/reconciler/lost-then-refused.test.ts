// A step whose reply was lost, and that cannot be sent again: nobody says that nothing was done, unless a look shows it.
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

const ID = idOf(0);
it.each([
  ['a change', 'PATCH', `computes: { primary: { branch_id: br-${ID}, autoscaling_limit_max_cu: 2 } }`],
  ['a removal', 'DELETE', `computes: { old: { id: ep-${ID}, branch_id: br-${ID}, state: absent } }`],
  ['what is made by its name', 'POST', 'branches: { main: {}, dev: { from: main } }'],
])('has failed where it is %s, refused for good, and a look shows nothing of it', async (_what, method, entry) => {
  const file = `version: 1\nprojects: { p0: { ${entry} } }\n`;
  await withAccount({ file, seed: worldOf(1) }, async ({ apply, controlPlane }) => {
    const { result } = await apply(() => {
      const refusal = { kind: 'reply', status: 422, commit: false, body: '{}' } as const;
      controlPlane.setFaults({
        rules: [
          { when: { method, nth: 1 }, fault: { kind: 'after-send-before-commit' } },
          { when: { method, after: 1 }, times: 'always', fault: refusal },
        ],
      });
    });
    const [step] = result.steps;
    expect([step?.outcome, step?.message]).toEqual(['failed', expect.stringContaining('has left no trace so far')]);
  });
});
