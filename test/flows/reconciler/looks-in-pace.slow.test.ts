// What a write goes by, whatever holds it back: a reading that began no more than two seconds before it, and no write after a stop.
import { describe, expect, it } from 'vitest';
import type { World } from '../../../src/control-plane/index.ts';
import type { AccountOptions } from './account.ts';
import { Life } from '../../simulation/world/life.ts';
import { somebody } from '../../support/site.ts';
import { atFullSize } from '../../support/full-size.ts';
import { fileOf, idOf, withAccount, worldOf } from './fleet.ts';

const FRESH_MS = 2000;

/** Of each project one compute of each of `each` branches, and one of the default branch; all are to be resized. */
function resized(
  projects: number,
  each: number,
): { readonly file: string; readonly seed: World; readonly id: (project: number, at: number) => string } {
  const id = (project: number, at: number): string => `ep-${project}-of-${at}`;
  const { projects: bare = [], ...rest } = worldOf(projects, each);
  const seed = {
    ...rest,
    projects: bare.map((project, number) => ({
      ...project,
      computes: [
        ...(project.computes ?? []),
        ...Array.from({ length: each }, (_, at) => ({ id: id(number, at), branch: `b${at}` })),
      ],
    })),
  };
  const file = fileOf(projects, { changed: projects, more: each }).replaceAll(
    /(c\d+: \{ branch_id: [^ ]+) \}/g,
    '$1, autoscaling_limit_max_cu: 2 }',
  );
  return { file, seed, id };
}

const OPEN = { locking: 'off', availabilityChecks: 'off' } as const;

describe('a write goes by a reading of the last two seconds', () => {
  const PACES = [
    { perMinute: 600, latencyMs: 150, operationMs: 3000, projects: atFullSize(30, 15), each: 6, complaintAt: null },
    { perMinute: 600, latencyMs: 400, operationMs: 1000, projects: atFullSize(30, 15), each: 6, complaintAt: null },
    { perMinute: 120, latencyMs: 300, operationMs: 1000, projects: 8, each: 6, complaintAt: null },
    { perMinute: 60, latencyMs: 800, operationMs: 1000, projects: 6, each: 6, complaintAt: null },
    {
      perMinute: Infinity,
      latencyMs: 400,
      operationMs: 1000,
      projects: atFullSize(30, 10),
      each: 6,
      complaintAt: null,
    },
    { perMinute: 600, latencyMs: 150, operationMs: 1000, projects: atFullSize(150, 30), each: 0, complaintAt: 15 },
    { perMinute: 120, latencyMs: 300, operationMs: 1000, projects: 30, each: 0, complaintAt: 8 },
    // Looks that take longer than room is kept for what follows them.
    {
      perMinute: 120,
      latencyMs: 150,
      operationMs: 300,
      projects: atFullSize(80, 30),
      each: 0,
      complaintAt: null,
      slow: [2, 5, 9],
    },
  ];
  it.each(PACES)(
    '$perMinute requests a minute, round trips of $latencyMs ms, told to slow down at write $complaintAt, slow lists of $slow',
    async (one) => {
      const { perMinute, latencyMs, operationMs, projects, each, complaintAt, slow = [] } = one;
      const listedMs = new Map<string, number[]>();
      const agesMs: number[] = [];
      const options: AccountOptions = {
        ...resized(projects, each),
        operationMs: { min: operationMs, max: operationMs },
        switches: OPEN,
        latencyMs,
        reconciler: { requestsPerMinute: perMinute },
        meanwhile: (request, _before, { clock }) => {
          const sentMs = clock.monotonicMs() - latencyMs;
          const [, method, list = '', target] = /^(\w+) (\/projects\/[^/]+\/endpoints)(\/.*)?$/.exec(request) ?? [];
          if (method === 'GET' && target === undefined) listedMs.set(list, [...(listedMs.get(list) ?? []), sentMs]);
          const seenMs = (listedMs.get(list) ?? []).filter((atMs) => atMs + latencyMs <= sentMs);
          if (method === 'PATCH') agesMs.push(sentMs - Math.max(...seenMs));
        },
      };
      await withAccount(options, async ({ apply, controlPlane }) => {
        const { result } = await apply(() => {
          const complaint = { kind: 'reply', status: 429, commit: false, body: '{}' } as const;
          const later = {
            kind: 'reply',
            status: 503,
            commit: false,
            body: '{}',
            headers: { 'retry-after': '9' },
          } as const;
          controlPlane.setFaults({
            rules: [
              ...(complaintAt === null ? [] : [{ when: { method: 'PATCH', nth: complaintAt }, fault: complaint }]),
              ...slow.map((project) => ({
                when: { method: 'GET', path: `/projects/${idOf(project)}/endpoints`, nth: 2 },
                fault: later,
              })),
            ],
          });
        });
        expect(result.status).toBe('converged');
        expect(agesMs.length).toBeGreaterThanOrEqual(projects * (each + 1));
        // A turn is due a little later than what was looked at before it.
        expect(Math.max(...agesMs)).toBeLessThanOrEqual(FRESH_MS + 2 * latencyMs);
      });
    },
  );

  it('what somebody else does while a newer reading is under way is not overwritten', async () => {
    const latencyMs = 150;
    const { file, seed, id } = resized(30, 6);
    const target = `/projects/${idOf(18)}/endpoints/${id(18, 2)}`;
    let hasActed = false;
    const options: AccountOptions = {
      file,
      seed,
      operationMs: { min: 3000, max: 3000 },
      switches: OPEN,
      latencyMs,
      meanwhile: async (_request, _before, { controlPlane, clock }) => {
        if (hasActed || clock.monotonicMs() < 3000) return;
        hasActed = true;
        await somebody(controlPlane, 'PATCH', target, { endpoint: { autoscaling_limit_max_cu: 8 } });
      },
    };
    await withAccount(options, async ({ apply, controlPlane }) => {
      expect((await apply()).result.status).toBe('stale');
      expect(controlPlane.truth.computes(idOf(18)).find((one) => one.id === id(18, 2))?.maxCu).toBe(8);
    });
  });
});

// The look of a step that was refused is shared by those that wait for theirs, and does not end with the stop.
it.each([4000, 5500, 6500, 7100])(
  'no write begins after a soft stop at %i ms, though a shared look comes',
  async (stopMs) => {
    const latencyMs = 700;
    const { file, seed } = resized(3, 12);
    const soft = new AbortController();
    const lateWrites: string[] = [];
    let stoppedMs = Infinity;
    const options: AccountOptions = {
      file,
      seed,
      operationMs: { min: 500, max: 500 },
      switches: OPEN,
      latencyMs,
      reconciler: { requestsPerMinute: 200 },
      meanwhile: (request, _before, { clock }) => {
        if (request.startsWith('PATCH') && clock.monotonicMs() - latencyMs > stoppedMs) lateWrites.push(request);
      },
    };
    await withAccount(options, async ({ apply, clock, controlPlane }) => {
      const refuse = { kind: 'reply', status: 422, commit: false, body: '{}' } as const;
      const { result } = await apply(
        () => {
          controlPlane.setFaults({
            seed: 1,
            rules: [{ when: { method: 'PATCH', chance: 0.3 }, times: 'always', fault: refuse }],
          });
          clock.after(stopMs, () => {
            stoppedMs = clock.monotonicMs();
            soft.abort();
          });
        },
        { stop: { soft: soft.signal, hard: new AbortController().signal } },
      );
      expect(result.counts.notStarted).toBeGreaterThan(0);
      expect(lateWrites).toEqual([]);
    });
  },
);

it('no write begins after a soft stop that comes while its intent is written', async () => {
  class SlowDisk extends Life {
    sync: () => Promise<void> = async () => Promise.resolve();
    override async call<T>(name: string, act: () => T | Promise<T>): Promise<T> {
      if (name.startsWith('sync ') && name.endsWith('journal')) await this.sync();
      return super.call(name, act);
    }
  }
  const life = new SlowDisk(1, null);
  const soft = new AbortController();
  const branch = `branch_id: br-${idOf(0)}, type: read_only`;
  const file = `version: 1\nprojects: { p0: { computes: { r1: { ${branch} }, r2: { ${branch} } } } }\n`;
  await withAccount({ file, seed: worldOf(1), life, switches: OPEN, latencyMs: 20 }, async ({ apply, clock, seen }) => {
    // The first sync is of the intent.
    life.sync = async () => {
      await clock.sleep(600);
      soft.abort();
    };
    const { result } = await apply(undefined, { stop: { soft: soft.signal, hard: new AbortController().signal } });
    expect(soft.signal.aborted).toBe(true);
    expect(seen.filter((request) => !request.startsWith('GET'))).toEqual([]);
    expect(result.steps.map(({ outcome }) => outcome)).toEqual(['not_started', 'not_started']);
  });
});
