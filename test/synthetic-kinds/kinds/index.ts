// The registry's words for the invented kinds.
import type { Kind } from '../../../src/kinds/index.ts';
import { remoteOf } from './remote.ts';
import { rulesOf } from './rules.ts';
import { sectionOf } from './section.ts';
import { SHAPES } from './shapes.ts';

export const syntheticKinds: readonly Kind[] = SHAPES.map((shape) => ({
  ...sectionOf(shape),
  ...rulesOf(shape),
  ...remoteOf(shape),
}));
