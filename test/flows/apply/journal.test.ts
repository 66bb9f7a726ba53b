// The journal: durable where it must be, without authority, and never in the way.
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { openJournal, readJournal, type Journal } from '../../../src/apply/journal/journal.ts';
import { machineProcesses } from '../../../src/apply/journal/lock.ts';
import { createStep } from './harness.ts';
import { memoryFiles, type MemoryFiles } from '../../unit/apply/memory-files.ts';

const PATH = 'state/journal';
const STEP = createStep('s', { branch_id: 'br-a', type: 'read_only' });

async function journalOf(
  files: MemoryFiles,
  run: string,
  troubles: string[] = [],
  clock: VirtualClock = new VirtualClock(),
): Promise<Journal> {
  return openJournal({
    fileSystem: files,
    path: PATH,
    clock,
    run,
    account: 'sha256:account',
    onTrouble: (why) => troubles.push(why),
  });
}

const text = (files: MemoryFiles): string => new TextDecoder().decode(files.contents.get(PATH));

describe('lines', () => {
  it('come back as they were written, ids beyond 2^53 and all', async () => {
    const files = memoryFiles();
    const journal = await journalOf(files, 'r1');
    await journal.intent(STEP, ['9007199254740993'], true);
    await journal.note(STEP, 'acked', '9007199254740995', 1_700_000_000_123);
    await journal.close();
    const { lines, malformed } = await readJournal(files, PATH);
    expect(malformed).toBe(0);
    expect(lines).toMatchObject([
      {
        type: 'intent',
        run: 'r1',
        account: 'sha256:account',
        step: 's',
        verb: 'POST',
        known: ['9007199254740993'],
        pool: { branch_id: 'br-a' },
      },
      { type: 'note', state: 'acked', id: '9007199254740995', madeAtMs: 1_700_000_000_123 },
    ]);
  });

  it('hold neither body nor secret: only what the step is', async () => {
    const files = memoryFiles();
    const journal = await journalOf(files, 'r1');
    await journal.intent({ ...STEP, body: { key_name: 'visible-only-in-the-body' } }, [], true);
    expect(text(files)).not.toContain('visible-only-in-the-body');
  });
});

describe('a journal', () => {
  it('that cannot be written is done without, and said once', async () => {
    const clean = memoryFiles();
    await (await journalOf(clean, 'r0')).close();
    for (let call = 1; ; call++) {
      const files = memoryFiles();
      const troubles: string[] = [];
      files.failing = { call, code: 'ENOSPC' };
      const journal = await journalOf(files, 'r1', troubles);
      await journal.intent(STEP, [], true);
      await journal.note(STEP, 'acked', '1');
      await journal.close();
      if (files.calls < call) break;
      expect(troubles).toEqual(['the journal cannot be written (ENOSPC)']);
    }
  });

  it('is pruned to what a later run may need, and mends a torn end', async () => {
    const files = memoryFiles();
    const first = await journalOf(files, 'r1');
    for (const id of ['2', '3']) {
      await first.intent(STEP, ['1'], true);
      await first.note(STEP, 'acked', id);
      await first.note(STEP, 'stored', id);
    }
    await first.intent({ ...STEP, id: 'open' }, ['1'], true);
    files.contents.set(PATH, new TextEncoder().encode(`${text(files)}{"torn`));
    const later = new VirtualClock();
    await later.run(later.sleep(60_000));
    const second = await journalOf(files, 'r2', [], later);
    await second.close();
    const { lines, malformed } = await readJournal(files, PATH);
    expect(malformed).toBe(0);
    expect(lines.map((line) => `${line.run} ${line.type}`)).toEqual([
      // The newest that was stored, and what is open.
      'r1 intent',
      'r1 note',
      'r1 note',
      'r1 intent',
    ]);
  });
});

describe('processes of this machine', () => {
  const processes = machineProcesses();

  it('this one is alive; one of another start time, or that does not exist, is not', () => {
    expect(processes.isAlive(processes.self)).toBe(true);
    expect(processes.isAlive({ ...processes.self, pid: 2 ** 30 })).toBe(false);
    if (processes.self.startTime !== '')
      expect(processes.isAlive({ ...processes.self, startTime: 'another boot:1' })).toBe(false);
  });

  it('of another host may be alive for all we know', () => {
    expect(processes.isAlive({ ...processes.self, host: 'elsewhere', pid: 2 ** 30 })).toBe(true);
  });
});
