// A replacement that was killed half way, as the next run finds it: finished where the journal tells that it was ours, else asked about.
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

/** A death around the first call of this name. */
async function death(name: RegExp, when: 'before' | 'after'): Promise<Schedule['runs'][number]> {
  const { runs } = await told({});
  const at = runs[0]?.life.calls.findIndex((call) => name.test(call)) ?? -1;
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

it.each([
  ['after the reply of the creation', DELETE, 'before', / was made by an earlier/],
  ['before the reply of the creation', POST, 'after', / was probably made by an earlier/],
] as const)('killed %s: nothing is made twice, by whichever of the next runs', async (_, name, when, words) => {
  const killed = await death(name, when);
  // A plan, and a run that dies before it has done anything but prune the journal.
  const idle = { crash: { call: killed.crash?.call ?? 0, when: 'before' } } as const;
  for (const between of [[], [{ planOnly: true }, idle]]) {
    const { violations, runs, site } = await told({ runs: [killed, ...between] });
    expect(violations).toEqual([]);
    const next = runs.findLast(({ plan }) => (plan?.steps.length ?? 0) > 0)?.plan;
    expect(next?.changes.flatMap(({ notes }) => notes).join()).toMatch(words);
    expect(verbsOf(site)).toEqual(['POST', 'DELETE', 'POST']);
  }
});

it('killed, and its journal erased: the next run does nothing and says what it needs to know', async () => {
  const { violations, runs, site } = await told({ runs: [await death(DELETE, 'before')], journal: 'erased' });
  expect(violations).toEqual([]);
  expect(runs.at(-1)?.diagnostics.map(({ code }) => code)).toContain('unlisted_successor');
  expect(verbsOf(site)).toEqual(['POST']);
});

it('of a run in which nothing is to be replaced the journal is not read by a plan', async () => {
  const calls = async (yaml: string): Promise<readonly string[]> => {
    if (REPLACEMENT === undefined) throw new Error('no workload replaces anything');
    const { runs } = await told({ workload: { ...REPLACEMENT, yaml }, runs: [{ planOnly: true }] });
    return runs[0]?.life.calls ?? [];
  };
  const reads = (names: readonly string[]): number => names.filter((name) => /journal/.test(name)).length;
  const yaml = REPLACEMENT?.yaml ?? '';
  expect(reads(await calls(yaml))).toBeGreaterThan(0);
  expect(reads(await calls(yaml.replace('type: read_only, ', '').replace(/ {6}next:.*\n/, '')))).toBe(0);
});
