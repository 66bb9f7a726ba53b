// How long an apply of hundreds of computes takes at the usual pace.
import { describe, expect, it } from 'vitest';
import { fileOf, idOf, worldOf } from './fleet.ts';
import { openSite, somebody } from '../../support/site.ts';

const lists = (seen: readonly string[]): readonly string[] =>
  seen.filter((request) => /^GET .*\/endpoints$/.test(request));

describe('at the usual pace', () => {
  it('what somebody else has done meanwhile takes no turn from the others', async () => {
    const projects = 150;
    const done = 100;
    let listed = 0;
    const { apply, clock } = openSite({
      file: fileOf(projects, { changed: projects }),
      seed: worldOf(projects),
      operationMs: { min: 300, max: 300 },
      latencyMs: 50,
      reconciler: { requestsPerMinute: 600 },
      // After the last list that the plan is made of.
      meanwhile: async (request, { controlPlane }) => {
        if (lists([request]).length === 0 || ++listed !== projects) return;
        for (let at = projects - done; at < projects; at++)
          await somebody(controlPlane, 'PATCH', `/projects/${idOf(at)}/endpoints/ep-${idOf(at)}`, {
            endpoint: { autoscaling_limit_max_cu: 2 },
          });
      },
    });
    const { result } = await apply();
    expect(result.status).toBe('converged');
    expect(result.steps.filter(({ outcome }) => outcome === 'satisfied')).toHaveLength(done);
    expect(clock.monotonicMs()).toBeLessThan(72_000);
  });
});
