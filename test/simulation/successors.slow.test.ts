// A replacement that was killed half way, as the next run finds it: its name tells that it was ours, whatever the journal says.
import { expect, it } from 'vitest';
import type { Schedule } from './schedule.ts';
import { play } from './simulate.ts';
import { referenceWorkloads } from './world/reference.ts';

const [REPLACEMENT] = referenceWorkloads.filter(({ name }) => name.startsWith('W9 '));

async function told(part: Partial<Schedule>): ReturnType<typeof play> {
  if (REPLACEMENT === undefined) throw new Error('no workload replaces anything');
  const operationMs = { min: 200, max: 3000 };
  return play({ name: 'half', seed: 1, workload: REPLACEMENT, faults: [], runs: [{}], operationMs, ...part });
}

type Runs = Schedule['runs'];

/** A death around the first call of this name, in the run after these. */
async function death(name: RegExp, when: 'before' | 'after', earlier: Runs = []): Promise<Runs[number]> {
  const { runs } = await told({ runs: [...earlier, {}] });
  const at = runs[earlier.length]?.life.calls.findIndex((call) => name.test(call)) ?? -1;
  expect(at).toBeGreaterThanOrEqual(0);
  return { crash: { call: at + 1, when } };
}

/** What was done to computes, in order. */
function verbsOf({ plane }: Awaited<ReturnType<typeof play>>['site']): readonly string[] {
  return plane
    .ledger()
    .filter(({ kind }) => kind === 'compute')
    .map(({ verb }) => verb);
}

const DELETE = /^DELETE .*endpoints/;
const POST = /^POST .*endpoints/;
const CHANGE = /^(POST|DELETE) .*endpoints/;

it.each([
  ['after the reply of the creation', DELETE, 'before'],
  ['before the reply of the creation', POST, 'after'],
] as const)('killed %s: nothing is made twice, by whichever of the next runs', async (_, name, when) => {
  const killed = await death(name, when);
  // A plan, and a run that dies before it has done anything but prune the journal.
  const idle = await death(CHANGE, 'before', [killed, { planOnly: true }]);
  for (const between of [[], [{ planOnly: true }, idle]]) {
    const { violations, runs, site } = await told({ runs: [killed, ...between] });
    expect(violations).toEqual([]);
    const next = runs.findLast(({ plan }) => (plan?.steps.length ?? 0) > 0)?.plan;
    expect(next?.changes.flatMap(({ notes }) => notes).join()).toMatch(/ exists already/);
    expect(verbsOf(site)).toEqual(['POST', 'DELETE', 'POST']);
  }
});

it('killed, and its journal erased: the next run finishes it all the same', async () => {
  const { violations, site } = await told({ runs: [await death(DELETE, 'before')], journal: 'erased' });
  expect(violations).toEqual([]);
  expect(verbsOf(site)).toEqual(['POST', 'DELETE', 'POST']);
});
