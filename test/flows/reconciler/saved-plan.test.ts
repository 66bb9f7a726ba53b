// A saved plan is verified by planning again from its record: only the projects that it touches are read, and differences there are reported.
import { describe, expect, it } from 'vitest';
import type { RunResult } from '../../../src/model/outcome/result.ts';
import { openSite, type Site } from '../../support/site.ts';
import { fileOf, idOf, worldOf } from './fleet.ts';

interface Applied {
  readonly result: RunResult;
  /** Ids of the projects that the run read. */
  readonly read: readonly string[];
}

const change = async (site: Site, at: number): Promise<unknown> =>
  site.api('PATCH', `/projects/${idOf(at)}/endpoints/ep-${idOf(at)}`, { endpoint: { suspend_timeout_seconds: 900 } });

/** Plans a change in the first `changed` of two projects, lets an hour and `meanwhile` pass, and applies the saved plan. */
async function applied(
  { changed, file = fileOf(2, { changed }) }: { readonly changed: number; readonly file?: string },
  meanwhile: (site: Site) => Promise<unknown> = async () => undefined,
): Promise<Applied> {
  const site = openSite({ file, seed: worldOf(2) });
  const plan = await site.plan();
  await meanwhile(site);
  await site.clock.advance(3_600_000);
  const { result, sent } = await site.saved(plan);
  const paths = sent.filter((request) => request.startsWith('GET /projects/'));
  return { result, read: [...new Set(paths.flatMap((path) => path.split('/')[2] ?? []))].sort() };
}

/** The second primary has the default suspend timeout, and declares it. */
const DECLARED = fileOf(2, { changed: 1 }).replace(`br-${idOf(1)} }`, `br-${idOf(1)}, suspend_timeout_seconds: 300 }`);

describe('a saved plan with steps', () => {
  it('reads only the projects that it touches', async () => {
    const { result, read } = await applied({ changed: 1 });
    expect([result.status, read]).toEqual(['converged', [idOf(0)]]);
  });

  it('leaves a difference that somebody made in another project to the next plan', async () => {
    const { result, read } = await applied({ changed: 1, file: DECLARED }, async (account) => change(account, 1));
    expect([result.status, read]).toEqual(['converged', [idOf(0)]]);
  });
});

describe('a saved plan without steps', () => {
  it('reads all that it declares, and holds if nothing changed', async () => {
    const { result, read } = await applied({ changed: 0 });
    expect([result.status, read]).toEqual(['converged', [idOf(0), idOf(1)]]);
  });

  it('is stale where somebody changed what it declares, and names the address', async () => {
    const file = DECLARED.replace(', autoscaling_limit_max_cu: 2', '');
    const { result } = await applied({ changed: 0, file }, async (account) => change(account, 1));
    expect(result.status).toBe('stale');
    expect(result.diagnostics).toMatchObject([{ code: 'stale', address: 'p1/primary' }]);
  });
});
