// What a write goes by, whatever holds it back: a reading that began no more than two seconds before it, and no write after a stop.
import { describe, expect, it } from 'vitest';
import type { World } from '../../../src/control-plane/index.ts';
import { refuses } from '../../support/faults.ts';
import { openSite, somebody, type SiteOptions } from '../../support/site.ts';
import { Life } from '../../simulation/world/life.ts';
import { atFullSize } from '../../support/full-size.ts';
import { fileOf, idOf, worldOf } from './fleet.ts';

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
  type Pace = readonly [perMinute: number, latencyMs: number, operationMs: number, projects: number, each: number];
  const PACES: readonly (readonly [...Pace, complaintAt: number | null, slow: readonly number[]])[] = [
    [600, 150, 3000, atFullSize(30, 15), 6, null, []],
    [60, 800, 1000, 6, 6, null, []],
    [Infinity, 400, 1000, atFullSize(30, 10), 6, null, []],
    [600, 150, 1000, atFullSize(150, 30), 0, 15, []],
    [120, 300, 1000, 30, 0, 8, []],
    // Looks that take longer than room is kept for what follows them.
    [120, 150, 300, atFullSize(80, 30), 0, null, [2, 5, 9]],
  ];
  it.each(PACES)(
    '%d requests a minute, round trips of %d ms, operations of %d ms, %d projects with %d more computes each, told to slow down at write %s, slow lists of %j',
    async (perMinute, latencyMs, operationMs, projects, each, complaintAt, slow) => {
      const listedMs = new Map<string, number[]>();
      const agesMs: number[] = [];
      const options: SiteOptions = {
        ...resized(projects, each),
        operationMs: { min: operationMs, max: operationMs },
        switches: OPEN,
        latencyMs,
        reconciler: { requestsPerMinute: perMinute },
        meanwhile: (request, { clock }) => {
          const sentMs = clock.monotonicMs() - latencyMs;
          const [, method, list = '', target] = /^(\w+) (\/projects\/[^/]+\/endpoints)(\/.*)?$/.exec(request) ?? [];
          if (method === 'GET' && target === undefined) listedMs.set(list, [...(listedMs.get(list) ?? []), sentMs]);
          const seenMs = (listedMs.get(list) ?? []).filter((atMs) => atMs + latencyMs <= sentMs);
          if (method === 'PATCH') agesMs.push(sentMs - Math.max(...seenMs));
        },
      };
      const { apply, controlPlane } = openSite(options);
      const { result } = await apply({
        between: () => {
          const later = { kind: 'reply', status: 503, commit: false, headers: { 'retry-after': '9' } } as const;
          controlPlane.setFaults({
            rules: [
              ...(complaintAt === null ? [] : [refuses({ method: 'PATCH', nth: complaintAt }, 429)]),
              ...slow.map((project) => ({
                when: { method: 'GET', path: `/projects/${idOf(project)}/endpoints`, nth: 2 },
                fault: later,
              })),
            ],
          });
        },
      });
      expect(result.status).toBe('converged');
      expect(agesMs.length).toBeGreaterThanOrEqual(projects * (each + 1));
      // A turn is due a little later than what was looked at before it.
      expect(Math.max(...agesMs)).toBeLessThanOrEqual(FRESH_MS + 2 * latencyMs);
    },
  );

  it('what somebody else does while a newer reading is under way is not overwritten', async () => {
    const latencyMs = 150;
    const { file, seed, id } = resized(30, 6);
    const target = `/projects/${idOf(18)}/endpoints/${id(18, 2)}`;
    let hasActed = false;
    const options: SiteOptions = {
      file,
      seed,
      operationMs: { min: 3000, max: 3000 },
      switches: OPEN,
      latencyMs,
      reconciler: { requestsPerMinute: 600 },
      meanwhile: async (_request, { controlPlane, clock }) => {
        if (hasActed || clock.monotonicMs() < 3000) return;
        hasActed = true;
        await somebody(controlPlane, 'PATCH', target, { endpoint: { autoscaling_limit_max_cu: 8 } });
      },
    };
    const { apply, controlPlane } = openSite(options);
    expect((await apply()).result.status).toBe('stale');
    expect(controlPlane.truth.computes(idOf(18)).find((one) => one.id === id(18, 2))?.maxCu).toBe(8);
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
    const options: SiteOptions = {
      file,
      seed,
      operationMs: { min: 500, max: 500 },
      switches: OPEN,
      latencyMs,
      reconciler: { requestsPerMinute: 200 },
      meanwhile: (request, { clock }) => {
        if (request.startsWith('PATCH') && clock.monotonicMs() - latencyMs > stoppedMs) lateWrites.push(request);
      },
    };
    const { apply, clock, controlPlane } = openSite(options);
    const { result } = await apply({
      between: () => {
        controlPlane.setFaults({ seed: 1, rules: [refuses({ method: 'PATCH', chance: 0.3 }, 422)] });
        clock.after(stopMs, () => {
          stoppedMs = clock.monotonicMs();
          soft.abort();
        });
      },
      stop: { soft: soft.signal, hard: new AbortController().signal },
    });
    expect(result.counts.notStarted).toBeGreaterThan(0);
    expect(lateWrites).toEqual([]);
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
  const { apply, clock } = openSite({ file, seed: worldOf(1), switches: OPEN, latencyMs: 20 });
  // The first sync is of the intent.
  life.sync = async () => {
    await clock.sleep(600);
    soft.abort();
  };
  const { result, writes } = await apply({ life, stop: { soft: soft.signal, hard: new AbortController().signal } });
  expect(soft.signal.aborted).toBe(true);
  expect(writes).toEqual([]);
  expect(result.steps.map(({ outcome }) => outcome)).toEqual(['not_started', 'not_started']);
});
