// How wide text for people is: as the terminal where it is redrawn, and never narrower than tables need.
import { expect, it } from 'vitest';
import { humanOptions } from '../../../src/cli/session/session.ts';
import { settle } from '../../../src/cli/program/settings.ts';
import { fakeIo } from '../../support/fake-io.ts';

it.each([
  [10, 60, 20],
  [33, 60, 33],
  [59, 60, 59],
  [80, 80, 80],
  [300, 120, 120],
])('on a terminal of %i columns the result has %i and what is told on the way %i', (columns, stdout, stderr) => {
  const io = fakeIo({ cwd: '/', terminal: true, columns });
  const settings = settle({}, io);
  const widthOf = (place: 'stdout' | 'stderr' | 'file'): number => humanOptions({ io, settings }, place).width;
  expect([widthOf('stdout'), widthOf('stderr'), widthOf('file')]).toEqual([stdout, stderr, 80]);
});
