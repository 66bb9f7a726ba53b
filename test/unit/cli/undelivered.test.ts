// The exit code of a run whose result could not be written.
import { describe, expect, it } from 'vitest';
import { exitCodes, type ExitCode } from '../../../src/cli/process/exit-code.ts';
import { sayUndelivered } from '../../../src/cli/process/start.ts';
import { fakeIo } from '../../support/fake-io.ts';

describe('a result', () => {
  it('that was written leaves the code as it is, and says nothing', async () => {
    const io = fakeIo({ cwd: '/' });
    expect(await sayUndelivered(io, ['plan'], exitCodes.done)).toBe(exitCodes.done);
    expect(io.all()).toBe('');
  });

  it.each<[string[], ExitCode, ExitCode]>([
    [['plan'], exitCodes.done, exitCodes.error],
    [[], exitCodes.error, exitCodes.error],
    [['drift'], exitCodes.differences, exitCodes.differences],
    [['apply', '-q'], exitCodes.done, exitCodes.incomplete],
    [['-q', 'apply'], exitCodes.stale, exitCodes.stale],
    [['apply'], exitCodes.interrupted, exitCodes.interrupted],
    [['-q', 'apply'], exitCodes.done, exitCodes.incomplete],
  ])('of %j that could not be: %i comes to %i', async (argv, code, expected) => {
    const io = fakeIo({ cwd: '/' });
    const full = { ...io, stdout: { ...io.stdout, failure: () => 'ENOSPC' } };
    expect(await sayUndelivered(full, argv, code)).toBe(expected);
    expect(io.err()).toBe('error: cannot write to standard output: ENOSPC\n');
  });
});
