// The table of remedies, cell by cell.
import { expect, it } from 'vitest';
import { REMEDIES, type Remedy } from '../../../src/apply/step/remedies.ts';
import type { Repeat } from '../../../src/apply/kind-remote.ts';
import type { FailureClass } from '../../../src/client/types.ts';

const words = (remedy: Remedy): string =>
  remedy.act === 'settle' ? `absent ${remedy.absent}, ${remedy.sends} in all` : remedy.act;

const TABLE: readonly (readonly [Repeat, FailureClass, string])[] = [
  ['fenced', 'not_sent', 'fail'],
  ['fenced', 'come_later', 'wait'],
  ['fenced', 'refused', 'judge'],
  ['fenced', 'ambiguous', 'absent send_again, 3 in all'],
  ['fenced', 'unusable', 'absent send_again, 3 in all'],
  ['named', 'not_sent', 'fail'],
  ['named', 'come_later', 'wait'],
  ['named', 'refused', 'judge'],
  ['named', 'ambiguous', 'absent send_again, 3 in all'],
  ['named', 'unusable', 'absent send_again, 3 in all'],
  ['once', 'not_sent', 'fail'],
  ['once', 'come_later', 'wait'],
  ['once', 'refused', 'judge'],
  ['once', 'ambiguous', 'absent unknown, 1 in all'],
  ['once', 'unusable', 'absent unknown, 1 in all'],
  ['converging', 'not_sent', 'fail'],
  ['converging', 'come_later', 'wait'],
  ['converging', 'refused', 'judge'],
  ['converging', 'ambiguous', 'absent send_again, 2 in all'],
  ['converging', 'unusable', 'absent send_again, 2 in all'],
  ['never', 'not_sent', 'fail'],
  ['never', 'come_later', 'wait'],
  ['never', 'refused', 'judge'],
  ['never', 'ambiguous', 'absent unknown, 1 in all'],
  ['never', 'unusable', 'absent unknown, 1 in all'],
  ['secret', 'not_sent', 'fail'],
  ['secret', 'come_later', 'wait'],
  ['secret', 'refused', 'judge'],
  ['secret', 'ambiguous', 'absent send_again, 3 in all'],
  ['secret', 'unusable', 'absent send_again, 3 in all'],
];

it.each(TABLE)('%s after %s', (repeat, failureClass, expected) => {
  expect(words(REMEDIES[repeat][failureClass])).toBe(expected);
});

it('has no other cell', () => {
  const cells = Object.values(REMEDIES).flatMap((row) => Object.values(row));
  expect(cells).toHaveLength(TABLE.length);
});
