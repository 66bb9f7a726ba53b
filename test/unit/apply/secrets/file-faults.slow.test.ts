// Every single file call fails once, in every way: the place then holds the old secret or the new one, whole, and says which.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SinkFailure } from '../../../../src/apply/sinks/sink.ts';
import { NEW, OLD, recordOf, sinkIn, spiedFileSystem, systemError, workFolder, type Spy } from './world.ts';
import { sampleOf } from '../../../support/full-size.ts';

type Held = 'nothing' | 'old' | 'new';

function heldIn(workDir: string): Held {
  let text: string;
  try {
    text = readFileSync(join(workDir, 'state/secrets/ci.json'), 'utf8');
  } catch {
    return 'nothing';
  }
  const { id, key } = JSON.parse(text) as { id: number; key: string };
  if (id === 41 && key === OLD.reveal()) return 'old';
  if (id === 42 && key === NEW.reveal()) return 'new';
  throw new Error(`half a secret: ${text.length} bytes`);
}

/** Reserves and stores the new secret through `spy`; `reached` tells how far it came. */
async function attempt(
  workDir: string,
  spy: Spy,
): Promise<{ reached: 'start' | 'reserved' | 'stored'; error: unknown }> {
  let reached: 'start' | 'reserved' | 'stored' = 'start';
  try {
    const reservation = await sinkIn(workDir, { fileSystem: spiedFileSystem(spy) }).reserve();
    reached = 'reserved';
    await reservation.store(recordOf('42'), { key: NEW });
    reached = 'stored';
    return { reached, error: null };
  } catch (error) {
    return { reached, error };
  }
}

async function prepared(start: Held): Promise<string> {
  const workDir = workFolder();
  if (start === 'old') await (await sinkIn(workDir).reserve()).store(recordOf('41'), { key: OLD });
  return workDir;
}

function failing(n: number, code: string, forever: boolean): { spy: Spy; calls: () => readonly string[] } {
  const calls: string[] = [];
  let failed = '';
  return {
    calls: () => calls,
    spy(call) {
      calls.push(call);
      // A disk that stays full or broken fails every later call of the sort, but removing and reading still work.
      const again = forever && failed !== '' && ['open', 'write', 'sync', 'rename', 'syncFolder'].includes(call);
      if (calls.length !== n && !again) return;
      failed = call;
      throw systemError(code);
    },
  };
}

describe.each(['nothing', 'old'] as const)('with %s in place, the n-th file call fails, n until clean', (start) => {
  for (const code of sampleOf(['ENOSPC', 'EIO', 'EROFS', 'EXDEV', 'EACCES', 'EMFILE'], 2))
    it(`with ${code}, once: stored, or given up with the old secret in place`, async () => {
      for (let n = 1; ; n++) {
        const workDir = await prepared(start);
        const { spy, calls } = failing(n, code, false);
        const { reached, error } = await attempt(workDir, spy);
        const where = `call ${n} (${calls()[n - 1]})`;
        if (reached === 'stored') expect(heldIn(workDir), where).toBe('new');
        else {
          expect(error, where).toBeInstanceOf(SinkFailure);
          expect(heldIn(workDir), where).toBe(start);
        }
        if (calls().length < n) {
          expect(n).toBeGreaterThan(20);
          return;
        }
      }
    });

  it('and stays broken: never half a secret, and a failure is never called a success', async () => {
    for (let n = 1; ; n++) {
      const workDir = await prepared(start);
      const { spy, calls } = failing(n, 'EIO', true);
      const { reached, error } = await attempt(workDir, spy);
      const held = heldIn(workDir);
      if (reached === 'stored') expect(held).toBe('new');
      else if (held !== start) expect(String(error)).toContain('the former content of the file could not be restored');
      if (calls().length >= n) continue;
      expect(n).toBeGreaterThan(20);
      return;
    }
  });

  it('as the crash of the process: old or new, whole, and the next run cleans up and succeeds', async () => {
    for (let n = 1; ; n++) {
      const workDir = await prepared(start);
      let count = 0;
      const { reached } = await attempt(workDir, () => {
        if (++count >= n) throw new Error('the process is gone');
      });
      expect(['new', start]).toContain(heldIn(workDir));
      const later = sinkIn(workDir, { runId: 'run2' });
      await (await later.reserve()).store(recordOf('42'), { key: NEW });
      expect(heldIn(workDir)).toBe('new');
      expect(readdirSync(join(workDir, 'state/secrets'))).toEqual(['ci.json']);
      if (reached === 'stored' && count < n) return;
    }
  });
});

describe('the disk', () => {
  it.each([1, 7, 0])('takes %i bytes at a time: complete, or refused when it takes none', async (short) => {
    const workDir = workFolder();
    const { reached, error } = await attempt(workDir, (call) => (call === 'write' ? { short } : undefined));
    expect(reached).toBe(short === 0 ? 'start' : 'stored');
    expect(error === null).toBe(short !== 0);
    expect(heldIn(workDir)).toBe(short === 0 ? 'nothing' : 'new');
  });

  it('is asked to keep the content before the name, and the name before the secret is read back', async () => {
    const workDir = await prepared('old');
    const calls: string[] = [];
    await attempt(workDir, (call) => {
      calls.push(call);
    });
    const end = calls.slice(calls.indexOf('truncate') - 1);
    expect(end.slice(0, 6)).toEqual(['write', 'truncate', 'sync', 'close', 'rename', 'syncFolder']);
    expect(end.slice(6)).toEqual(['open', 'facts of open file', 'read', 'close']);
  });

  it('shows a reader the old secret or the new one at every moment', async () => {
    const workDir = await prepared('old');
    const seen: Held[] = [];
    await attempt(workDir, () => {
      seen.push(heldIn(workDir));
    });
    expect(new Set(seen)).toEqual(new Set(['old', 'new']));
    expect([...seen].sort((a, b) => (a === b ? 0 : a === 'old' ? -1 : 1))).toEqual(seen);
  });
});
