// The journal and its lock: durable where it must be, without authority, and never in the way.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../support/property-runs.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { openJournal, readJournal, type Journal } from '../../../src/apply/journal/journal.ts';
import { lineText, parseJournal, type Owner } from '../../../src/apply/journal/lines.ts';
import { acquireLock } from '../../../src/apply/journal/lock.ts';
import { orphansFrom, settleDelayMs } from '../../../src/apply/journal/orphans.ts';
import { machineProcesses, type Processes } from '../../../src/apply/journal/processes.ts';
import { createStep } from './harness.ts';
import { memoryFiles, type MemoryFiles } from '../../unit/apply/memory-files.ts';

const PATH = 'state/journal';
const OWNER: Owner = { pid: 42, startTime: 'boot:1', host: 'here' };
const STEP = createStep('s', { branch_id: 'br-a', type: 'read_only' });
const dead: Processes = { self: { ...OWNER, pid: 43 }, isAlive: (owner) => owner.pid === 43 };

async function journalOf(files: MemoryFiles, run: string, troubles: string[] = []): Promise<Journal> {
  const clock = new VirtualClock();
  return openJournal({
    fileSystem: files,
    path: PATH,
    clock,
    run,
    owner: OWNER,
    account: { baseUrl: 'https://one.example/api/v2', orgId: null },
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
    const { lines, damaged } = await readJournal(files, PATH);
    expect(damaged).toBe(0);
    expect(lines).toMatchObject([
      { type: 'run', run: 'r1', seq: 1, owner: OWNER, account: { baseUrl: 'https://one.example/api/v2', orgId: null } },
      { type: 'intent', step: 's', verb: 'POST', known: ['9007199254740993'], pool: { branch_id: 'br-a' } },
      { type: 'note', state: 'acked', id: '9007199254740995', madeAtMs: 1_700_000_000_123 },
      { type: 'end', seq: 4 },
    ]);
  });

  it('hold neither body nor secret: only what the step is', async () => {
    const files = memoryFiles();
    const journal = await journalOf(files, 'r1');
    await journal.intent({ ...STEP, body: { key_name: 'visible-only-in-the-body' } }, [], true);
    expect(text(files)).not.toContain('visible-only-in-the-body');
  });

  it('a flipped bit anywhere loses at most the lines it touches, and never makes one up', async () => {
    const files = memoryFiles();
    const journal = await journalOf(files, 'r1');
    for (const id of ['1', '2', '3']) {
      await journal.intent(STEP, [id], true);
      await journal.note(STEP, 'acked', id);
    }
    const whole = text(files);
    const original = new Set(parseJournal(whole).lines.map((line) => JSON.stringify(line)));
    const bytes = new TextEncoder().encode(whole);
    fc.assert(
      fc.property(fc.nat({ max: bytes.length - 1 }), fc.nat({ max: 7 }), (at, bit) => {
        const broken = Uint8Array.from(bytes);
        broken[at] = (broken[at] ?? 0) ^ (1 << bit);
        const { lines, damaged } = parseJournal(new TextDecoder().decode(broken));
        expect(lines.every((line) => original.has(JSON.stringify(line)))).toBe(true);
        expect(lines.length + damaged).toBeGreaterThanOrEqual(original.size - 2);
        expect(lines.length).toBeGreaterThanOrEqual(original.size - 2);
      }),
      runs(500),
    );
  });

  it.each([
    ['rubbish', 'not a journal\n\u0000\n'],
    ['a torn line', lineText({ type: 'end', run: 'r', seq: 1, atMs: 0 }).slice(0, -9)],
    ['another version', lineText({ type: 'end', run: 'r', seq: 1, atMs: 0 }).replace('"v":1', '"v":2')],
    ['a foreign line with a right sum', 'x,"crc":"00000000"}\n'],
  ])('%s is no line', (_, content) => {
    expect(parseJournal(content)).toMatchObject({ lines: [] });
    expect(parseJournal(content).damaged).toBeGreaterThan(0);
  });
});

describe('a journal', () => {
  it('syncs intents and acknowledgements before it goes on', async () => {
    const files = memoryFiles();
    const journal = await journalOf(files, 'r1');
    let before = files.calls;
    await journal.intent(STEP, [], true);
    expect(files.calls - before).toBe(2);
    before = files.calls;
    await journal.note(STEP, 'done', '1');
    expect(files.calls - before).toBe(1);
  });

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
    const second = await journalOf(files, 'r2');
    await second.close();
    const { lines, damaged } = await readJournal(files, PATH);
    expect(damaged).toBe(0);
    expect(lines.map((line) => `${line.run} ${line.type}`)).toEqual([
      'r1 run',
      // The newest that was stored, and what is open.
      'r1 intent',
      'r1 note',
      'r1 note',
      'r1 intent',
      'r2 run',
      'r2 end',
    ]);
  });
});

describe('orphans', () => {
  it('are the secrets that an earlier run intended and did not store', async () => {
    const files = memoryFiles();
    const journal = await journalOf(files, 'r1');
    await journal.intent({ ...STEP, id: 'stored' }, [], true);
    await journal.note({ ...STEP, id: 'stored' }, 'acked', '5');
    await journal.note({ ...STEP, id: 'stored' }, 'done', '5');
    await journal.intent({ ...STEP, id: 'lost' }, ['1'], true);
    await journal.note({ ...STEP, id: 'lost' }, 'lost', null);
    await journal.intent({ ...STEP, id: 'lost' }, ['1', '2'], true);
    await journal.note({ ...STEP, id: 'lost' }, 'acked', '7', 77);
    await journal.intent({ ...STEP, id: 'plain' }, [], false);
    const { lines } = await readJournal(files, PATH);
    expect(orphansFrom(lines, dead)).toMatchObject([
      { known: ['1'], id: null, made_at_ms: null, owner_alive: false },
      { known: ['1', '2'], id: '7', made_at_ms: 77, owner_alive: false },
    ]);
  });

  it('of a living run are marked so', async () => {
    const files = memoryFiles();
    await (await journalOf(files, 'r1')).intent(STEP, [], true);
    const { lines } = await readJournal(files, PATH);
    expect(orphansFrom(lines, { ...dead, isAlive: () => true })).toMatchObject([{ owner_alive: true }]);
  });
});

describe('the wait for an interrupted run', () => {
  it('is what is left of two seconds, never more, and nothing after an orderly end', () => {
    const intent = {
      type: 'intent',
      run: 'r',
      seq: 1,
      atMs: 1000,
      step: 's',
      kind: 'k',
      address: 'a',
      verb: 'POST',
      path: '/',
      pool: null,
      known: [],
      secret: true,
    } as const;
    expect(settleDelayMs([intent], 1500)).toBe(1500);
    expect(settleDelayMs([intent], 9000)).toBe(0);
    expect(settleDelayMs([intent], -900_000)).toBe(2000);
    expect(settleDelayMs([intent, { type: 'end', run: 'r', seq: 2, atMs: 1000 }], 1500)).toBe(0);
    expect(settleDelayMs([], 0)).toBe(0);
  });
});

describe('the lock', () => {
  const lockIn = async (files: MemoryFiles, run: string, processes: Processes = dead) => {
    const clock = new VirtualClock();
    return clock.run(acquireLock({ fileSystem: files, path: 'state/lock', run, processes, clock }));
  };

  it('is held by one, and free again when it is released', async () => {
    const files = memoryFiles();
    const first = await lockIn(files, 'r1');
    expect(await lockIn(files, 'r2')).toMatchObject({ state: 'held', owner: { pid: 43 } });
    if (first.state === 'acquired') await first.lock.release();
    expect(await lockIn(files, 'r3')).toMatchObject({ state: 'acquired', tookOver: null });
  });

  it('of a dead owner is taken over at once', async () => {
    const files = memoryFiles();
    files.contents.set('state/lock.1', new TextEncoder().encode(JSON.stringify({ ...OWNER, run: 'r0' })));
    expect(await lockIn(files, 'r1')).toMatchObject({ state: 'acquired', tookOver: { pid: 42 } });
  });

  it('without an owner is looked at again, then taken', async () => {
    const files = memoryFiles();
    files.contents.set('state/lock.1', new TextEncoder().encode('{"pid":'));
    expect(await lockIn(files, 'r1')).toMatchObject({ state: 'acquired' });
  });

  it('of another run is not removed by a release', async () => {
    const files = memoryFiles();
    const first = await lockIn(files, 'r1');
    files.contents.set('state/lock.2', new TextEncoder().encode('another'));
    if (first.state === 'acquired') await first.lock.release();
    expect(new TextDecoder().decode(files.contents.get('state/lock.2'))).toBe('another');
  });

  it('that cannot be written is said, not thrown', async () => {
    const files = memoryFiles();
    files.failing = { call: 1, code: 'EROFS' };
    expect(await lockIn(files, 'r1')).toEqual({ state: 'unusable', reason: 'EROFS' });
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
