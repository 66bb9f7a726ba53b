// What is said is printed and kept for the machine formats, however much it is.
import { expect, it } from 'vitest';
import { settle } from '../../../src/cli/program/settings.ts';
import { say } from '../../../src/cli/session/session.ts';
import type { Diagnostic } from '../../../src/model/diagnostic.ts';
import { fakeIo } from '../../support/fake-io.ts';

it('more problems than a call takes arguments', async () => {
  const one: Diagnostic = { severity: 'warning', code: 'c', message: 'm' };
  const io = fakeIo({ cwd: '/' });
  await say(
    { io, settings: settle({}, io) },
    Array.from({ length: 200_000 }, () => one),
  );
  expect(io.said).toHaveLength(200_000);
  expect(io.err()).toContain('200000 warnings in all');
});
