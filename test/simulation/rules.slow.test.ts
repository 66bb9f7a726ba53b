// Sets and retention rules whose lists change from run to run, in a short sample. Nightly, `npm run simulate` plays all.
import { expect, it } from 'vitest';
import { ruleScheduleOf } from './rule-schedule.ts';
import { play } from './simulate.ts';
import { useLightWeb } from './world/light-web.ts';

const STORIES = 80;

it('rules touch only what they may', { timeout: 600_000 }, async () => {
  useLightWeb();
  const problems: string[] = [];
  const seen = new Set<string>();
  for (let seed = 0; seed < STORIES; seed++) {
    const { site, runs, violations } = await play(ruleScheduleOf(seed));
    problems.push(...violations.map((problem) => `rules ${seed}: ${problem}`));
    const requests = new Set(site.wire.map(({ requestId }) => requestId));
    for (const { kind, verb, requestId } of site.plane.ledger())
      if (kind === 'branch') seen.add(`${verb} ${requests.has(requestId) ? 'by a run' : 'by others'}`);
    for (const { desired, plan } of runs) {
      if (desired === null) seen.add('a refused list');
      for (const { origin, blockedBy } of plan?.changes ?? [])
        for (const block of blockedBy) seen.add(`${origin}: ${block}`);
    }
  }
  expect(problems).toEqual([]);
  const runs = ['POST by a run', 'PATCH by a run', 'DELETE by a run', 'DELETE by others', 'a refused list'];
  const blocks = ['file: foreign', 'previews: foreign', 'previews: list_in_doubt', 'retention: allowance'];
  expect([...seen]).toEqual(expect.arrayContaining([...runs, ...blocks]));
});
