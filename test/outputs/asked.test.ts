// What is asked before an apply: only after the plan was shown.
import { afterAll, describe, expect, it } from 'vitest';
import type { FakeIo } from '../support/fake-io.ts';
import { fullDesk } from './account.ts';
import { clearDesks, type Run } from './desk.ts';

afterAll(clearDesks);

/** An apply at a terminal, with what stood on the screen when the question came; null where nothing was asked. */
async function asked(flags: readonly string[]): Promise<Run & { readonly before: string | null }> {
  let before: string | null = null;
  const ask = (io: FakeIo): Partial<FakeIo> => ({
    stdinIsTerminal: true,
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
});
