// A step is judged right before it is sent: what somebody else did since the plan was made is never overwritten or taken away.
import { describe, expect, it } from 'vitest';
import { Secret } from '../../../src/base/secret.ts';
import { openSite, somebody, type Site, type SiteOptions } from '../../support/site.ts';
import { fileOf, idOf, worldOf } from './fleet.ts';

const SAVED = { isSaved: true } as const;

describe('the old key of a rotation, to be revoked because nobody uses it', () => {
  const rotated = (revoke: string): SiteOptions => ({
    file: `version: 1\napi_keys: { ci: { secret: { exec: vault }, rotate: { every: 900d, overlap: 1d, revoke: ${revoke} } } }\n`,
    seed: {
      version: 1,
      api_keys: [
        { name: 'ci', id: 900, created_at: '-90d', last_used_at: '-80d', key: 'old-value' },
        { name: 'ci', id: 901, created_at: '-8d', last_used_at: '-1h' },
      ],
    },
    stored: ['vault'],
  });
  const use = async ({ controlPlane, clock }: Site): Promise<void> => {
    await somebody({ handle: controlPlane.handle, rootKey: new Secret('old-value') }, 'GET', '/projects');
    await clock.sleep(400_000);
  };

  it.each([
    { revoke: 'when_unused', mode: 'a saved plan', more: SAVED, status: 'stale', left: 1 },
    { revoke: 'when_unused', mode: 'a fresh plan', more: {}, status: 'stale', left: 1 },
    { revoke: 'after_overlap', mode: 'a saved plan', more: SAVED, status: 'converged', left: 0 },
    { revoke: 'after_overlap', mode: 'a fresh plan', more: {}, status: 'converged', left: 0 },
  ])('$revoke, used again after $mode was made: $status', async ({ revoke, more, status, left }) => {
    const account = openSite(rotated(revoke));
    const { result, writes } = await account.apply({ between: async () => use(account), ...more });
    expect(result.status).toBe(status);
    expect(writes).toHaveLength(1 - left);
  });
});

const ID = idOf(0);
const MAIN = `br-${ID}`;
const ENDPOINTS = `/projects/${ID}/endpoints`;

/** As somebody else, at once. */
async function send({ controlPlane }: Site, method: string, path: string, endpoint?: object): Promise<void> {
  const { status } = await somebody(controlPlane, method, path, endpoint && { endpoint });
  expect(status).toBeLessThan(300);
}

const liveIn = ({ controlPlane }: Site): Readonly<Record<string, string>> =>
  Object.fromEntries(
    controlPlane.truth.computes(ID).map(({ id, branchId, maxCu }) => [id, `${branchId.slice(MAIN.length)} ${maxCu}`]),
  );

const ACCOUNT = {
  operationMs: { min: 1000, max: 1000 },
  switches: { locking: 'off', availabilityChecks: 'off' },
  latencyMs: 20,
} as const satisfies Partial<SiteOptions>;

const MODES = [
  { mode: 'a fresh plan', more: {}, looks: [1, 2], isChecked: false },
  { mode: 'a fresh plan that was asked about', more: { hasPaused: true }, looks: [1, 2, 3], isChecked: true },
  { mode: 'a saved plan', more: SAVED, looks: [1, 2, 3], isChecked: true },
] as const;

/** After how many lists of the project somebody acts: that of the plan, that before the first write, and later ones. */
const after = (lists: number, act: (account: Site) => Promise<void>): NonNullable<SiteOptions['meanwhile']> => {
  let seen = 0;
  return async (request, account) => {
    if (request === `GET ${ENDPOINTS}` && ++seen === lists) await act(account);
  };
};

describe('what a colleague does between two looks', () => {
  const replicas = ['ep-r-1', 'ep-r-2', 'ep-r-3'];
  const pruned: SiteOptions = {
    ...ACCOUNT,
    file: fileOf(1, {}).replace('    computes:', `    prune: { branches: [${MAIN}], types: [read_only] }\n$&`),
    seed: {
      ...worldOf(1, 1),
      projects: (worldOf(1, 1).projects ?? []).map((project) => ({
        ...project,
        computes: [
          ...(project.computes ?? []),
          ...replicas.map((id) => ({ id, branch: 'main', type: 'read_only' }) as const),
        ],
      })),
    },
  };
  const move = async (account: Site): Promise<void> =>
    send(account, 'PATCH', `${ENDPOINTS}/ep-r-3`, { branch_id: `${MAIN}-0` });

  describe.each(MODES)('of $mode', ({ more, looks, isChecked }) => {
    // The last two go together, and share a look.
    it.each(looks)('a replica that left the pruned branch after look %i is not deleted', async (lists) => {
      const account = openSite({ ...pruned, meanwhile: after(lists, move) });
      const { result } = await account.apply(more);
      expect(result.status).toBe('stale');
      expect(liveIn(account)['ep-r-3']).toBe('-0 0.25');
      if (lists === 1 && isChecked) expect(Object.keys(liveIn(account))).toEqual(expect.arrayContaining(replicas));
    });

    it('8 CU are not taken back by an update that was planned upon less', async () => {
      const resized = async (account: Site): Promise<void> =>
        send(account, 'PATCH', `${ENDPOINTS}/ep-${ID}`, { autoscaling_limit_max_cu: 8 });
      const account = openSite({
        ...ACCOUNT,
        file: fileOf(1, { changed: 1 }),
        seed: worldOf(1),
        meanwhile: after(1, resized),
      });
      expect((await account.apply(more)).result.status).toBe('stale');
      expect(liveIn(account)[`ep-${ID}`]).toBe(' 8');
    });
  });
});

it('somebody else changes what a lost request was to change: the request is not sent again', async () => {
  const account = openSite({
    ...ACCOUNT,
    file: `version: 1\nprojects: { p0: { computes: { a: { id: ep-a, branch_id: ${MAIN}, autoscaling_limit_max_cu: 2 } } } }\n`,
    seed: {
      version: 1,
      projects: [{ name: 'p0', ...worldOf(1).projects?.[0], computes: [{ id: 'ep-a', branch: 'main' }] }],
    },
    // After the look, the lost request and the look that follows it at once.
    meanwhile: after(3, async (site) => send(site, 'PATCH', `${ENDPOINTS}/ep-a`, { autoscaling_limit_max_cu: 8 })),
  });
  const { result } = await account.apply({
    between: () => {
      const when = { method: 'PATCH', path: '/projects/*/endpoints/ep-a', nth: 1 };
      account.controlPlane.setFaults({ rules: [{ when, fault: { kind: 'after-send-before-commit' } }] });
    },
  });
  expect(result).toMatchObject({ status: 'incomplete', steps: [{ outcome: 'unknown' }] });
  expect(liveIn(account)['ep-a']).toBe(' 8');
});

describe('a restart that is asked for', () => {
  const file = fileOf(1, {}).replace(
    `branch_id: ${MAIN} `,
    `branch_id: ${MAIN}, restart: { not_before: 2025-12-31T00:00:00Z } `,
  );
  const seed = {
    ...worldOf(1),
    projects: (worldOf(1).projects ?? []).map((project) => ({
      ...project,
      computes: [{ id: `ep-${ID}`, branch: 'main', created_at: '-90d', current_state: 'active' as const }],
    })),
  };
  const world: SiteOptions = { ...ACCOUNT, file, seed, operationMs: { min: 20_000, max: 20_000 } };
  const restart = async (account: Site): Promise<void> => send(account, 'POST', `${ENDPOINTS}/ep-${ID}/restart`);
  const restarts = ({ controlPlane }: Site): number =>
    controlPlane.ledger().filter(({ verb, kind }) => kind === 'compute' && verb === 'POST').length;

  describe.each(MODES)('by $mode', ({ more, looks }) => {
    it.each(looks)('is met by one that somebody else began after look %i', async (lists) => {
      const account = openSite({ ...world, meanwhile: after(lists, restart) });
      const { result } = await account.apply(more);
      expect(result.status).toBe('converged');
      expect(restarts(account)).toBe(1);
    });

    it('is met by that of an earlier run that was told to stop at once', async () => {
      const account = openSite(world);
      const hard = new AbortController();
      const stop = { soft: hard.signal, hard: hard.signal };
      const first = await account.apply({
        ...more,
        stop,
        onEvent: ({ type }) => {
          if (type === 'apply_progress') hard.abort();
        },
      });
      expect(first.result.status).toBe('interrupted');
      const again = await account.apply(more);
      expect(again.result.status).toBe('converged');
      expect(restarts(account)).toBe(1);
      expect(JSON.stringify(again.events)).not.toContain('somebody else changed');
    });
  });
});

it('a chain of moves that was begun is finished, though another step is found stale', async () => {
  const file = `version: 1
projects:
  p0:
    computes:
      a: { id: ep-a, branch_id: ${MAIN}-0 }
      b: { id: ep-b, branch_id: ${MAIN} }
      c: { id: ep-c, branch_id: ${MAIN}-3 }
`;
  const [project] = worldOf(1, 5).projects ?? [];
  const computes = [
    { id: 'ep-a', branch: 'main' },
    { id: 'ep-b', branch: 'b1' },
    { id: 'ep-c', branch: 'b2' },
  ];
  const seed = { version: 1 as const, projects: project === undefined ? [] : [{ ...project, computes }] };
  const meanwhile: SiteOptions['meanwhile'] = async (request, account) => {
    if (request === `PATCH ${ENDPOINTS}/ep-a`)
      await send(account, 'PATCH', `${ENDPOINTS}/ep-c`, { branch_id: `${MAIN}-4` });
  };
  const account = openSite({ ...ACCOUNT, file, seed, meanwhile });
  const { result } = await account.apply();
  expect(result.status).toBe('stale');
  expect(result.steps.map(({ address, outcome }) => `${address} ${outcome}`)).toEqual([
    'p0/a done',
    'p0/b done',
    'p0/c failed',
  ]);
  expect(liveIn(account)).toEqual({ 'ep-a': '-0 0.25', 'ep-b': ' 0.25', 'ep-c': '-4 0.25' });
});
