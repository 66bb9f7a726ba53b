// What is asked before an apply: only after the plan was shown, and only where somebody sees the question.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { machineProcesses } from '../../src/apply/journal/lock.ts';
import { afterAll, describe, expect, it } from 'vitest';
import type { FakeIo } from '../support/fake-io.ts';
import { fullDesk } from './account.ts';
import { clearDesks, type Run } from './desk.ts';
import { stateOf } from '../support/state.ts';

afterAll(clearDesks);

/** An apply at a terminal, with what stood on the screen when the question came; null where nothing was asked. */
async function asked(flags: readonly string[], canAsk = true): Promise<Run & { readonly before: string | null }> {
  let before: string | null = null;
  const ask = (io: FakeIo): Partial<FakeIo> => ({
    stdinIsTerminal: true,
    canAsk,
    async question() {
      before ??= io.err();
      return 'no';
    },
  });
  const ran = await fullDesk().runWith(['apply', '--local', ...flags], ask);
  return { ...ran, before };
}

describe('the question', () => {
  it.each([[[]], [['-q']]])('comes after the plan, with %j', async (flags) => {
    const { before, code } = await asked(flags);
    expect(before).toContain('shop/preview  create');
    expect(before).toContain('Plan: ');
    expect(code).toBe(1);
  });

  it('is not asked where nobody sees it, and nothing is read for it', async () => {
    const { before, code, err } = await asked([], false);
    expect(before).toBeNull();
    expect(err).toContain('cannot ask for approval');
    expect(err).not.toContain('Account');
    expect(code).toBe(1);
  });
});

describe('a run that never began', () => {
  it('has changed nothing, whatever its plan holds back', async () => {
    const at = fullDesk();
    writeFileSync(
      join(stateOf(at.cwd), 'lock.1'),
      JSON.stringify({ ...machineProcesses().self, run: 'other', sinceMs: 0 }),
    );
    const { code, out } = await at.run('apply', '--local', '--auto-approve', '--format', 'json');
    expect(JSON.parse(out)).toMatchObject({ status: 'error', counts: { done: 0, blocked: 2 } });
    expect(code).toBe(1);
  });
});
