// Draws sentences of documents, help, messages and schemas for a reader to judge: the same ones for the same seed and tree.
// Each stands below the heading and the key under which people read it.
// usage: node test/docs/draw-sentences.mjs [--seed N] [--count N]
import { argv, stdout } from 'node:process';
import { parseArgs } from 'node:util';
import { sentences } from './sentences.mjs';

const { values } = parseArgs({
  args: argv.slice(2),
  options: { seed: { type: 'string', default: '1' }, count: { type: 'string', default: '100' } },
});

/** Numbers from 0 to 1 that follow from a seed alone. */
function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const random = randomOf(Number(values.seed));
// A heading, a cell or a label of a word or two, or code alone, says nothing about the prose.
const pool = sentences(['docs', 'help', 'messages', 'schemas']).filter(
  ({ text }) =>
    text
      .replaceAll(/`[^`]*`/g, '')
      .split(/\s+/)
      .filter((word) => /[a-z]/i.test(word)).length >= 4,
);
const drawn = [];
while (drawn.length < Number(values.count) && pool.length > 0)
  drawn.push(...pool.splice(Math.floor(random() * pool.length), 1));
drawn.sort((one, other) => (one.path < other.path ? -1 : one.path > other.path ? 1 : 0));
stdout.write(
  drawn
    .map(({ path, text, within = '' }, at) => `${at + 1}. ${path}${within === '' ? '' : ` (${within})`}: ${text}\n`)
    .join(''),
);
