// What is asked of each project is found in one pass over all that is declared and live, however many projects there are.
import { expect, it } from 'vitest';
import { withUnknownBranches } from '../../../src/kinds/compute/verdict.ts';
import type { DesiredResource } from '../../../src/model/desired.ts';
import type { LiveProject, LiveResource } from '../../../src/model/live.ts';
import { processorMs } from '../../support/processor-time.ts';

const PROJECTS = 10_000;
const COMPUTES = 10;

it('looks for branches that nobody knows in ten thousand projects of ten computes within seconds', () => {
  const numbers = Array.from({ length: PROJECTS }, (_, at) => at);
  const placed = numbers.flatMap((at) => Array.from({ length: COMPUTES }, (_, own) => ({ at, own })));
  const projects = numbers.map((at) => ({ id: `p-${at}`, label: `l${at}` }) as LiveProject);
  const live = placed.map(({ at, own }) => ({
    id: `ep-${at}-${own}`,
    projectId: `p-${at}`,
    spec: { branch_id: `br-${own}` },
  })) as unknown as LiveResource[];
  const desired = placed.map(({ at, own }) => ({
    scope: `l${at}`,
    absent: false,
    pin: null,
    spec: { branch_id: `br-${own}` },
  })) as unknown as DesiredResource[];
  const since = processorMs();
  expect(withUnknownBranches({ projects, live, desired, around: [] })).toEqual([]);
  expect(withUnknownBranches({ projects, live: live.slice(1), desired, around: [] })).toEqual(projects.slice(0, 1));
  expect(processorMs() - since).toBeLessThan(5000);
});
