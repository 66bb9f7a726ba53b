// Fuzzing in its short form: everything that was kept, and a few hundred new inputs. `npm run fuzz` draws as many as it is told.
import { describe, expect, it } from 'vitest';
import { keepFound, keepShortest, kept } from './corpus.ts';
import { drawsOf } from './draw.ts';
import { fileOf } from './files/fuzz.ts';
import { judgeFile } from './files/law.ts';
import { judgeNames } from './names/law.ts';
import { textsOf } from './names/texts.ts';
import { spoilt } from './replies/damage.ts';
import { deedsOf, judgeReply } from './replies/law.ts';
import { planOf, record } from './replies/tape.ts';

/** Inputs of each kind, relative to the short form; the first seed; whether what is found is kept. */
const TIMES = Number(process.env['TRUEUP_FUZZ_TIMES'] ?? 1);
const FROM = Number(process.env['TRUEUP_FUZZ_FROM'] ?? 0);
const KEEPS = process.env['TRUEUP_FUZZ_KEEP'] === '1';
const TIMEOUT_MS = 60_000 + 60_000 * TIMES;

const seeds = (count: number): number[] => Array.from({ length: count * TIMES }, (_, at) => FROM + at);

describe('files', () => {
  it.each(kept('files'))('%s', async (_, text) => {
    expect((await judgeFile(text)).violations).toEqual([]);
  });

  it('as people and programs write them', { timeout: TIMEOUT_MS }, async () => {
    for (const seed of seeds(300)) {
      const text = fileOf(seed);
      const { violations, codes } = await judgeFile(text);
      if (KEEPS && violations.length > 0) keepFound('files', text);
      if (KEEPS) for (const code of codes) keepShortest('files', code, text);
      expect(violations, `seed ${seed}\n${text}`).toEqual([]);
    }
  });
});

describe('answers of the service', async () => {
  const tape = await record();
  const { plan } = await planOf(tape, -1, '');
  if (plan === null) throw new Error('the sound answers give no plan');
  const deeds = deedsOf(plan);
  const indexOf = (path: string): number => tape.takes.findIndex((take) => take.path.split('?')[0] === path);

  it('as they should be, lead to a plan that changes, takes away and revokes', () => {
    expect(new Set([...deeds].map((deed) => deed.split(' ')[0]))).toEqual(new Set(['update', 'delete', 'revoke']));
  });

  // The first line of a kept answer is the path that it answers.
  it.each(kept('replies'))('%s', async (_, text) => {
    const end = text.indexOf('\n');
    const at = indexOf(text.slice(0, end));
    expect(at).toBeGreaterThanOrEqual(0);
    expect(await judgeReply(tape, deeds, at, text.slice(end + 1))).toEqual([]);
  });

  it('spoilt in form, type or size', { timeout: TIMEOUT_MS }, async () => {
    for (const seed of seeds(150)) {
      const draw = drawsOf(seed);
      const at = draw.below(tape.takes.length);
      const { path, text: sound } = tape.takes[at] as (typeof tape.takes)[number];
      const text = spoilt(sound, draw);
      const violations = await judgeReply(tape, deeds, at, text);
      if (KEEPS && violations.length > 0) keepFound('replies', `${path.split('?')[0]}\n${text}`);
      expect(violations, `seed ${seed}, ${path}\n${text.slice(0, 2000)}`).toEqual([]);
    }
  });
});

describe('names', () => {
  it.each(kept('names'))('%s', (_, text) => {
    expect(judgeNames(text)).toEqual([]);
  });

  it('as an attacker chooses them', { timeout: TIMEOUT_MS }, () => {
    for (const seed of seeds(30)) expect(judgeNames(textsOf(seed)), `seed ${seed}`).toEqual([]);
  });
});
