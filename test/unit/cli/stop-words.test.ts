// What a signal says is true whenever it comes: before anything began, between steps, and while some are under way.
import { expect, it } from 'vitest';
import { stopWords } from '../../../src/cli/process/stop.ts';
import { RunTracker } from '../../../src/render/view/run-state.ts';

function running(steps: number | null): RunTracker {
  const view = new RunTracker();
  if (steps === null) return view;
  const ref = { address: 'shop/first', action: 'update' as const, resourceId: null, atMs: 0 };
  for (const step of ['one', 'two', 'three']) view.add({ type: 'apply_start', ...ref, step });
  for (const step of ['one', 'two', 'three'].slice(steps))
    view.add({ type: 'apply_complete', ...ref, step, elapsedMs: 1 });
  return view;
}

it.each([
  ['SIGINT', null, 'Interrupted: nothing was changed.'],
  ['SIGTERM', null, 'Terminated: nothing was changed.'],
  ['SIGHUP', null, 'The terminal was closed: nothing was changed.'],
  ['SIGINT', 0, 'Interrupted: no step is running, and no new step starts.'],
  ['SIGINT', 1, 'Interrupted: no new step starts; waiting for one running step (a second signal stops at once).'],
  ['SIGINT', 2, 'Interrupted: no new step starts; waiting for 2 running steps (a second signal stops at once).'],
  ['SIGTERM', 2, 'Terminated: no new step starts; finishing open requests.'],
] as const)('%s while %s steps are under way', (signal, steps, words) => {
  expect(stopWords(signal, running(steps))).toBe(`\n${words}\n`);
});
