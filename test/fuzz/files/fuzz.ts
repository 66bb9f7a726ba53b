// One file for each seed.
import { drawsOf } from '../draw.ts';
import { damaged } from './damage.ts';
import { drawState } from './grammar.ts';
import { writeFile } from './write.ts';

/** Valid ones, wrong ones, and damaged ones, a third each. */
export function fileOf(seed: number): string {
  const draw = drawsOf(seed);
  const wrong = draw.pick([0, 0.02, 0.1]);
  const text = writeFile(drawState(draw, wrong), draw);
  return draw.chance(0.4) ? damaged(text, draw) : text;
}
