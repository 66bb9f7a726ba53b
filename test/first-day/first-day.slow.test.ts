// The first day of a new user, as it is shown on a terminal. UPDATE=1 rewrites the transcripts.
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { folderOfTest } from '../support/folder.ts';
import { testClock } from '../support/fake-io.ts';
import { requestLocal, seedLocalWorld } from '../support/local-world.ts';
import { replay } from '../support/transcript.ts';
import { rows, type Row } from './rows.ts';

async function played({ files = {}, world, commands }: Row): Promise<string> {
  const cwd = folderOfTest();
  const clock = testClock();
  seedLocalWorld({ cwd, clock, ...(world === undefined ? {} : { world }) });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  }
  const text = await replay(commands.map((command) => `$ ${command}\n`).join(''), {
    cwd,
    clock,
    env: { NO_COLOR: '1' },
    columns: 80,
    commands: {
      // Somebody else's request.
      api: async (words) => requestLocal({ cwd, clock }, words),
      // The same, and its operations go on.
      start: async (words) => requestLocal({ cwd, clock }, words, false),
      head: async ([file = '']) => `${readFileSync(join(cwd, file), 'utf8').split('\n', 1).join('')}\n`,
      // The places in files that a page names.
      sources: async ([file = '']) =>
        `${[...new Set(readFileSync(join(cwd, file), 'utf8').match(/[\w./-]+\.yaml:\d+/g))].join('\n')}\n`,
    },
  });
  return text.replaceAll(cwd, '/desk');
}

it('goes on a screen of 80 columns as its transcript says', async () => {
  const path = join(import.meta.dirname, '80.txt');
  const parts: string[] = [];
  for (const [title, row] of Object.entries(rows)) parts.push(`# ${title}\n\n${await played(row)}`);
  const actual = parts.join('\n');
  if (process.env['UPDATE'] === '1') writeFileSync(path, actual);
  expect(actual).toBe(readFileSync(path, 'utf8'));
});

it.each([
  ['beside it, as trueup schema prints it', false],
  ['of the package that is installed', true],
])('the schema that init and import name is there, from wherever the file lies: that %s', async (_, isInstalled) => {
  const cwd = folderOfTest();
  if (isInstalled) {
    mkdirSync(join(cwd, 'node_modules'));
    symlinkSync(join(import.meta.dirname, '../..'), join(cwd, 'node_modules/trueup'));
  }
  const clock = testClock();
  seedLocalWorld({ cwd, clock });
  await replay('$ trueup import --local --out-dir infra/live\n$ trueup init\n', { cwd, clock });
  for (const name of ['trueup.yaml', 'infra/live/shop.yaml']) {
    const [, place = ''] =
      /^# yaml-language-server: \$schema=(\S+)$/m.exec(readFileSync(join(cwd, name), 'utf8')) ?? [];
    expect(isAbsolute(place)).toBe(false);
    const shipped = join(import.meta.dirname, '../../schemas/desired-state.schema.json');
    if (!isInstalled) cpSync(shipped, join(cwd, dirname(name), 'desired-state.schema.json'));
    const schema = JSON.parse(readFileSync(resolve(cwd, dirname(name), place), 'utf8')) as object;
    expect(schema).toHaveProperty('title', 'DesiredStateFile');
  }
});
