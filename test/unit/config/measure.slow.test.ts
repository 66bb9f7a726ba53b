// Profiles that expand to a million values.
import { expect, it } from 'vitest';
import { load } from '../../support/files.ts';
import { atFullSize } from '../../support/full-size.ts';

const settings = (name: string, entries: number): string =>
  ['pg_settings', 'pgbouncer_settings']
    .map(
      (group) =>
        `      ${group}:\n${Array.from({ length: entries / 2 }, (_, at) => `        ${name}${at}: a\n`).join('')}`,
    )
    .join('');
const profile = (name: string, entries: number): string =>
  `version: 1\nprofiles:\n${Array.from({ length: Math.ceil(entries / 2000) }, (_, at) => `  ${name}${at === 0 ? '' : at}:\n    settings:\n${settings(name, Math.min(entries, 2000))}`).join('')}`;
const codes = async (files: Readonly<Record<string, string>>): Promise<readonly string[]> =>
  (await load({ files })).diagnostics.map(({ code }) => code);

it('the files of a run expand to so many values by their profiles', async () => {
  const computes = (count: number): string =>
    `projects:\n  shop:\n    branches: { main: br-a }\n    use: a\n    computes:\n${Array.from({ length: count }, (_, at) => `      c${at}: { branch: main, type: read_only }\n`).join('')}`;
  expect(await codes({ 'a.yaml': `${profile('a', 2000)}${computes(atFullSize(450, 45))}` })).toEqual([]);
  expect(await codes({ 'a.yaml': `${profile('a', 2000)}${computes(550)}` })).toEqual(['profile_expansion']);
});
