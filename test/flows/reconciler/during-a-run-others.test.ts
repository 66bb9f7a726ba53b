// What others do to the same things while a run is under way: they rotate the same key, or delete the branch of a step.
import { describe, expect, it } from 'vitest';
import type { World } from '../../../src/control-plane/index.ts';
import type { Reconciler } from '../../../src/reconciler/types.ts';
import { Life } from '../../simulation/world/life.ts';
import { desiredOf } from '../../support/files.ts';
import { openSite, somebody, type Site } from '../../support/site.ts';
import type { VirtualClock } from '../../support/virtual-clock.ts';
import { fileOf, idOf, worldOf } from './fleet.ts';

const LATENCY_MS = 50;
const DUE = { due: true } as const;
const FILE = `version: 1
api_keys:
  ci: { secret: { file: ci.json }, rotate: { not_before: 2025-12-31T00:00:00Z, overlap: 0s, revoke: after_overlap } }
`;
const SEED: World = { version: 1, api_keys: [{ name: 'ci', id: 900, created_at: '-90d', last_used_at: '-1h' }] };

/** A process whose writes take so much longer. */
class SlowLife extends Life {
  readonly #slowly: () => Promise<void>;
  constructor(pid: number, clock: VirtualClock, slowMs: number) {
    super(pid, null);
    this.#slowly = async () => clock.sleep(slowMs);
  }
  override async call<T>(name: string, act: () => T | Promise<T>): Promise<T> {
    const done = await super.call(name, act);
    if (/^(POST|DELETE) /.test(name)) await this.#slowly();
    return done;
  }
}

/** A machine with a state of its own, which shares the folder of secrets with the others. */
const machineOf = ({ clock, started }: Site, number: number, slowMs = 0): Reconciler =>
  started(new SlowLife(number, clock, slowMs), { stateDir: `/home/${number}`, secretsDir: 'secrets' });

describe('C7 two runs rotate one key into one file', () => {
  it.each([
    { what: 'at once: the older of the two is revoked', slowMs: 0, pauseMs: 0, made: 2 },
    { what: 'at once, the older cannot be stored: the older is revoked', slowMs: 500, pauseMs: 0, made: 2 },
    { what: 'one after the other: the second finds it done', slowMs: 0, pauseMs: 500, made: 1 },
  ])('$what; what is stored stays', async ({ slowMs, pauseMs, made }) => {
    const site = openSite({ seed: SEED, latencyMs: LATENCY_MS });
    const { clock, controlPlane, disk } = site;
    const desired = await desiredOf(FILE);
    const rotate = async (reconciler: Reconciler, waitMs = 0): Promise<string> => {
      const { plan, reading } = await reconciler.plan({ desired, ...DUE });
      if (plan === null) throw new Error('there is no plan');
      await clock.sleep(waitMs);
      return (await reconciler.apply({ plan, desired, reading, request: {} })).status;
    };
    const idStored = (): string =>
      String((JSON.parse(disk.text('/home/secrets/ci.json') ?? '') as { readonly id: unknown }).id);
    const machines = [machineOf(site, 1, slowMs), machineOf(site, 2)] as const;
    await clock.run(Promise.all([rotate(machines[0]), rotate(machines[1], pauseMs)]));
    const stored = idStored();
    // What was used just now may be what a run uses: it stays for a while.
    await clock.advance(300_000);
    for (const machine of [...machines, ...machines]) expect(await clock.run(rotate(machine))).toBe('converged');
    expect(idStored()).toBe(stored);
    const entries = controlPlane.ledger().slice(1);
    const idsOf = (verb: string): readonly string[] => entries.filter((e) => e.verb === verb).map(({ id }) => id);
    expect(idsOf('POST')).toHaveLength(made);
    expect(idsOf('DELETE')).toContain('900');
    expect(idsOf('DELETE')).not.toContain(stored);
    expect(idsOf('DELETE')).toHaveLength(made);
    const { diagnostics } = await clock.run(machines[0].plan({ desired, ...DUE }));
    expect(diagnostics.map(({ code }) => code)).not.toContain('newer_namesake');
  });
});

it('C13 a branch is deleted before its step: that step alone fails', async () => {
  const { apply, controlPlane } = openSite({ file: fileOf(2, { more: 2 }), seed: worldOf(2, 2) });
  const path = `/projects/${idOf(0)}/branches/br-${idOf(0)}-0`;
  const { result } = await apply({ between: async () => somebody(controlPlane, 'DELETE', path) });
  expect(result.status).toBe('incomplete');
  expect(result.steps.map(({ address, outcome }) => `${address} ${outcome}`)).toEqual([
    'p0/c0 failed',
    'p0/c1 done',
    'p1/c0 done',
    'p1/c1 done',
  ]);
});
