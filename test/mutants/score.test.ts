// The score counts what a test noticed among all that could be noticed: what no test reaches lowers it.
import { expect, it } from 'vitest';
import { scoreOf, scoreWords, sumOf, survivorsOf, type Files } from './score.mjs';

const STATUSES = ['Killed', 'Timeout', 'Killed', 'Survived', 'NoCoverage', 'Ignored', 'CompileError', 'RuntimeError'];

const files: Files = {
  'src/a.ts': {
    source: 'first;\nif (ready) go();\n',
    mutants: STATUSES.map((status, at) => ({
      status,
      mutatorName: 'ConditionalExpression',
      replacement: `change ${at}`,
      location: { start: { line: 2, column: 5 }, end: { line: 2, column: 10 } },
    })),
  },
};

it('is of the mutants that were noticed, survived, or were never reached', () => {
  expect(scoreOf(files)).toEqual({ noticed: 3, of: 5 });
  expect(scoreOf({})).toEqual({ noticed: 0, of: 0 });
});

it('of several rooms is that of their mutants', () => {
  expect(sumOf([scoreOf(files), { noticed: 1, of: 7 }])).toEqual({ noticed: 4, of: 12 });
  expect(sumOf([])).toEqual({ noticed: 0, of: 0 });
});

it.each([
  [{ noticed: 3, of: 5 }, '3 of 5 (60.0 %)'],
  [{ noticed: 2, of: 3 }, '2 of 3 (66.7 %)'],
  [{ noticed: 0, of: 0 }, 'nothing to change'],
])('of %j is written so', (score, words) => {
  expect(scoreWords(score)).toBe(words);
});

it('tells what stood there instead of what', () => {
  expect(survivorsOf(files)).toEqual([
    'src/a.ts:2:5 Survived ConditionalExpression\n    - ready\n    + change 3',
    'src/a.ts:2:5 NoCoverage ConditionalExpression\n    - ready\n    + change 4',
  ]);
});
