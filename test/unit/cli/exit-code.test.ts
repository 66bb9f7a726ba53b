// Protects the order of the exit codes: of all that is true of a run, the one that asks for most is told.
import { expect, it } from 'vitest';
import { strongest, type ExitCode } from '../../../src/cli/process/exit-code.ts';

/** A secret at risk, a signal, stale, incomplete, blocked, differences, an error, nothing. */
const ORDER: readonly ExitCode[] = [6, 130, 143, 4, 3, 5, 2, 1, 0];

it.each(ORDER.flatMap((code, at) => ORDER.slice(at).map((weaker) => [code, weaker] as const)))(
  '%i wins over %i',
  (code, weaker) => {
    expect(strongest([weaker, code])).toBe(code);
    expect(strongest([code, weaker])).toBe(code);
  },
);
