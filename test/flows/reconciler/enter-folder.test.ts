// The right to write: what is wrong with lock or journal is said when it is found, also late, and never after the end.
import { expect, it } from 'vitest';
import { VirtualClock } from '../../support/virtual-clock.ts';
import type { Diagnostic } from '../../../src/model/diagnostic.ts';
import { enterFolder } from '../../../src/reconciler/enter-folder.ts';
import { createStep } from '../apply/harness.ts';
import { memoryFiles } from '../../unit/apply/memory-files.ts';

const STEP = createStep('s', { branch_id: 'br-a', type: 'read_only' });
const FOLDER = { type: 'folder', mode: 0o700 } as const;
const self = { pid: 7, startTime: 'then', host: 'here' };

async function enter(): Promise<{
  files: ReturnType<typeof memoryFiles>;
  said: Diagnostic[];
  entered: ReturnType<typeof enterFolder>;
}> {
  const files = memoryFiles();
  const said: Diagnostic[] = [];
  const clock = new VirtualClock();
  const entered = enterFolder({
    fileSystem: { ...files, facts: async (path) => (path === 'state' ? FOLDER : files.facts(path)) },
    folder: 'state',
    clock,
    serverClock: clock,
    processes: { self, isAlive: () => true },
    runId: 'r1',
    account: 'sha256:account',
    say: (diagnostic) => said.push(diagnostic),
  });
  return { files, said, entered };
}

it('says at once that a journal fails that has been open for long, and then no more', async () => {
  const { files, said, entered } = await enter();
  const entry = await entered;
  expect(said).toEqual([]);
  files.failing = { call: files.calls + 1, code: 'ENOSPC' };
  await entry?.journal.intent(STEP, [], false);
  expect(said).toMatchObject([{ code: 'no_journal', message: 'the journal cannot be written (ENOSPC)' }]);
  await entry?.journal.note(STEP, 'acked', 'ep-1');
  await entry?.leave();
  expect(said).toHaveLength(1);
});
