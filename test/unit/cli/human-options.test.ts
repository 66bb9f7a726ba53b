// How wide text for people is: as the terminal, and never narrower than tables need.
import { expect, it } from 'vitest';
import { humanOptions } from '../../../src/cli/session/session.ts';
import { settle } from '../../../src/cli/program/settings.ts';
import { fakeIo } from '../../support/fake-io.ts';

it.each([
  [10, 60],
  [80, 80],
  [300, 120],
])('on a terminal of %i columns the texts have %i', (columns, width) => {
  const io = fakeIo({ cwd: '/', terminal: true, columns });
  const settings = settle({}, io);
  const widthOf = (place: 'stdout' | 'stderr' | 'file'): number => humanOptions({ io, settings }, place).width;
  expect([widthOf('stdout'), widthOf('stderr'), widthOf('file')]).toEqual([width, width, 80]);
});
