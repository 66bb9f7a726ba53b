// Profiles that expand to a million values.
import { expect, it } from 'vitest';
import { load } from '../../support/files.ts';
import { atFullSize } from '../../support/full-size.ts';
import { profile } from './wide-profile.ts';

const codes = async (files: Readonly<Record<string, string>>): Promise<readonly string[]> =>
  (await load({ files })).diagnostics.map(({ code }) => code);

it('the files of a run expand to so many values by their profiles', async () => {
  const computes = (count: number): string =>
    `projects:\n  shop:\n    branches: { main: br-a }\n    use: a\n    computes:\n${Array.from({ length: count }, (_, at) => `      c${at}: { branch: main, type: read_only }\n`).join('')}`;
  expect(await codes({ 'a.yaml': `${profile('a', 2000)}${computes(atFullSize(450, 45))}` })).toEqual([]);
  expect(await codes({ 'a.yaml': `${profile('a', 2000)}${computes(550)}` })).toEqual(['profile_expansion']);
});
