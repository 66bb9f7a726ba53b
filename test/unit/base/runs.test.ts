// Long runs are found wherever they stand, and nothing shorter is taken for one.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DIGITS, hasRun } from '../../../src/base/text/runs.ts';
import { runs } from '../../support/property-runs.ts';

const digits = fc.stringMatching(/^[0-9]{0,20}$/);
const others = fc.stringMatching(/^[a-z:é ]{0,3}$/);

it('finds what a pattern finds', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(digits, others), { maxLength: 6 }),
      fc.integer({ min: 1, max: 18 }),
      (parts, length) => {
        const text = parts.flat().join('');
        expect(hasRun(text, length, DIGITS)).toBe(new RegExp(`[0-9]{${length}}`).test(text));
      },
    ),
    runs(500),
  );
});
