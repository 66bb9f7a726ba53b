// What a campaign leaves out: the runs after two schedules that left the same behind are the same, to the byte.
import { expect, it } from 'vitest';
import type { Schedule } from './schedule.ts';
import { play, type Played } from './simulate.ts';
import { faultWords, singleFaults } from './single-faults.ts';
import { referenceWorkloads } from './world/reference.ts';
import { sampleOf } from '../support/full-size.ts';

/** One in so many: each is played twice, and to its end. */
const ONE_IN = 4;
const some = singleFaults.filter((fault, at) => at % ONE_IN === 1 && (fault.kind !== 'garble' || fault.how !== 'huge'));

/** All that the runs after the first one planned, did and said. */
function restOf({ runs, site }: Played): string {
  const wire = site.wire.filter(({ run }) => run > 1);
  return JSON.stringify([
    wire,
    runs.slice(1).map(({ plan, result, events, life }) => [plan, result, events, life.calls]),
  ]);
}

it.each(sampleOf(['W5 ', 'W9 ', 'W11 ', 'W20 '], 2))('after faults in %s', async (name) => {
  const workload = referenceWorkloads.find((one) => one.name.startsWith(name));
  if (workload === undefined) throw new Error(`no workload ${name}`);
  const ends = new Set<string>();
  const rests = new Set<string>();
  let rejoined = 0;
  for (const fault of some) {
    const schedule: Schedule = {
      name: faultWords(fault),
      seed: 1,
      workload,
      faults: [{ when: { nth: 4 }, fault }],
      runs: [{}],
      operationMs: { min: 10, max: 20 },
    };
    const played = await play(schedule, { ends });
    expect(played.violations).toEqual([]);
    if (!played.isRejoined) rests.add(restOf(played));
    else {
      rejoined++;
      expect(rests).toContain(restOf(await play(schedule)));
    }
  }
  expect(rejoined).toBeGreaterThan(5);
});
