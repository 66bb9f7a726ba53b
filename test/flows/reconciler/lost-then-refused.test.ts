// A step whose reply was lost, and that cannot be sent again: it is done where a look shows it, and else nobody knows.
import { expect, it } from 'vitest';
import type { FaultRule, World } from '../../../src/control-plane/index.ts';
import { always, refuses } from '../../support/faults.ts';
import { idOf, worldOf } from './fleet.ts';
import { openSite } from '../../support/site.ts';
import { keptWorld } from './kept.ts';

it.each([
  ['told to come later', 503],
  ['refused with the credential', 401],
  ['refused for good', 422],
])('is unknown where it is %s', async (_what, status) => {
  const file = `version: 1\nprojects: { p0: { computes: { more: { branch_id: br-${idOf(0)}-0 } } } }\n`;
  const { apply, controlPlane } = openSite({ file, seed: worldOf(1, 1) });
  const { result } = await apply({
    between: () => {
      const late = { when: { method: 'POST', nth: 1 }, fault: { kind: 'late-commit', delayMs: 600_000 } } as const;
      controlPlane.setFaults({ rules: [late, refuses({ method: 'POST', after: 1 }, status)] });
    },
  });
  const [step] = result.steps;
  expect([step?.outcome, step?.message]).toEqual(['unknown', expect.stringContaining('reply was lost')]);
  expect(JSON.stringify(result)).not.toContain('Nothing was done');
});

/** The first request is lost on its way, and every other is refused. */
const lostThen = (status: number, method: string): readonly FaultRule[] => [
  { when: { method, nth: 1 }, fault: { kind: 'after-send-before-commit' } },
  refuses({ method, after: 1 }, status),
];

const ID = idOf(0);
const NAMED = 'branches: { main: {}, dev: { from: main } }';
const RESIZED = `computes: { primary: { branch_id: br-${ID}, autoscaling_limit_max_cu: 2 } }`;
const REMOVED = `computes: { old: { id: ep-${ID}, branch_id: br-${ID}, state: absent } }`;
it.each([
  ['a change', 'PATCH', RESIZED],
  ['a removal', 'DELETE', REMOVED],
  ['what is made by its name', 'POST', NAMED],
])('is unknown where it is %s, refused for good, and a look shows nothing of it', async (_what, method, entry) => {
  const file = `version: 1\nprojects: { p0: { ${entry} } }\n`;
  const { apply, controlPlane } = openSite({ file, seed: worldOf(1) });
  const { result } = await apply({ between: () => controlPlane.setFaults({ rules: lostThen(422, method) }) });
  const [step] = result.steps;
  expect([step?.outcome, step?.message]).toEqual([
    'unknown',
    expect.stringContaining('an earlier reply was lost, and the account does not show the outcome'),
  ]);
});

it.each([
  ['what is made by its name, refused by the service itself', 'POST', NAMED, false],
  ['what is made by its name', 'POST', NAMED, true],
  ['a change', 'PATCH', RESIZED, true],
  ['a removal', 'DELETE', REMOVED, true],
])('is done where lists lag behind it: %s', async (_what, method, entry, isRefused) => {
  expect(await endBehindLists(6000, method, entry, isRefused)).toMatchObject({ outcome: 'done', message: '' });
});

it('is unknown where the service says that there is one, and no list shows it', async () => {
  const { outcome, message } = await endBehindLists(60_000, 'POST', NAMED);
  expect(outcome).toBe('unknown');
  expect(message).toMatch(/the account does not show the outcome: .*already exists/);
});

it.each([
  ['a database', 'branches: { main: { databases: { audit: { owner: app, renamed_from: log } } } }', /404/],
  ['a branch', 'branches: { first: { renamed_from: main } }', /same name/],
])(
  'is unknown where the service no longer knows the name of what was renamed, and the lists lag: %s',
  async (_what, entry, words) => {
    const { outcome, message } = await endBehindLists(60_000, 'PATCH', entry);
    expect([outcome, message]).toEqual(['unknown', expect.stringMatching(words)]);
    expect(message).toContain('the account does not show the outcome');
  },
);

it.each([
  ['with a place of its own', 'password: { file: app.json }, '],
  ['without one', ''],
])('is unknown where it is a new password %s, which shows by no value', async (_what, place) => {
  const owner = `owner: { ${place}rotate: { not_before: 2025-12-31 } }`;
  const account = openSite(keptWorld(owner));
  const { result } = await account.apply({
    allow: ['access:shop/branches/main/roles/owner'],
    between: () => account.controlPlane.setFaults({ rules: lostThen(403, 'POST') }),
  });
  expect(result.steps.map(({ outcome }) => outcome)).toEqual(['unknown']);
});

/** How a step ends that is done, whose reply is lost, which is refused or asked for again, and of which no list shows anything for so long. */
async function endBehindLists(
  ms: number,
  method: string,
  entry: string,
  isRefused = false,
): Promise<{ readonly outcome: string | undefined; readonly message: string }> {
  const file = `version: 1\nprojects: { p0: { ${entry} } }\n`;
  const { apply, controlPlane } = openSite({ file, seed: withLog(worldOf(1)) });
  const { result } = await apply({
    between: () =>
      controlPlane.setFaults({
        rules: [
          { when: { method, nth: 1 }, fault: { kind: 'after-commit-before-reply' } },
          always({ method: 'GET' }, { kind: 'list', how: 'lagging', ms }),
          ...(isRefused ? [refuses({ method, after: 1 }, 403)] : []),
        ],
      }),
  });
  const [step] = result.steps;
  return { outcome: step?.outcome, message: step?.message ?? '' };
}

/** The world with a database `log` in each branch. */
function withLog({ projects = [], ...rest }: World): World {
  const inside = { roles: ['app'], databases: [{ name: 'log', owner_name: 'app' }] };
  return {
    ...rest,
    projects: projects.map(({ branches = [], ...project }) => ({
      ...project,
      branches: branches.map((branch) => ({ ...branch, ...inside })),
    })),
  };
}
