// A story that breaks a law is printed by its name: the name must lead back to exactly that story, and to a folder that tells it.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { scheduleOf } from './random-schedule.ts';
import { retell } from './retell.ts';
import { operationFaults, singleFaults } from './single-faults.ts';
import { crashed, crashedTwice, faulted, keyFaults, lasting, scheduleNamed, undisturbed } from './single-stories.ts';
import { referenceWorkloads } from './world/reference.ts';

it.each(referenceWorkloads.map((workload) => [workload.name, workload] as const))(
  'every story of %s is found by its name',
  (_, workload) => {
    const crashes = (['before', 'after'] as const).map((when) => ({ call: 12, when }));
    const stories = [
      undisturbed(workload),
      ...singleFaults.map((fault) => faulted(workload, 3, fault)),
      ...operationFaults.map((fault) => faulted(workload, 2, { on: 'operation', ...fault })),
      ...lasting(workload),
      ...crashes.flatMap((crash) => [false, true].map((power) => crashed(workload, { ...crash, power }))),
      ...crashes.map((crash) => crashedTwice(workload, crash, null)),
      ...crashes.flatMap((crash) => keyFaults.map((fault) => crashedTwice(workload, crash, { nth: 4, fault }))),
    ];
    expect(new Set(stories.map(({ name }) => name)).size).toBe(stories.length);
    for (const story of stories) expect(scheduleNamed(story.name)).toEqual(story);
  },
);

it('a seed is found by its name, and what is no name is refused', () => {
  expect(scheduleNamed('seed 2737')).toEqual(scheduleOf(2737));
  expect(() => scheduleNamed('W99 nothing: undisturbed')).toThrow('no workload');
  expect(() => scheduleNamed(`${referenceWorkloads[0]?.name ?? ''}: a whim at exchange 1`)).toThrow('no story');
});

it('a named story is told and written down', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trueup-story-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const told = await retell(`${referenceWorkloads[0]?.name ?? ''}: before-connect at exchange 2`, folder);
  expect(told).toMatch(/\nno violation\n/);
  const into = /written to (.+)\n$/.exec(told)?.[1] ?? '';
  expect(JSON.parse(readFileSync(join(into, 'schedule.json'), 'utf8'))).toMatchObject({
    faults: [{ when: { nth: 2 }, fault: { kind: 'before-connect' } }],
  });
  expect(readFileSync(join(into, 'story.txt'), 'utf8')).toBe(told.replace(/\nwritten to .*\n$/, ''));
});
