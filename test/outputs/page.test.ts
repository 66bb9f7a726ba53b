// docs/outputs.md is true: its files are written, its commands run, and their output is what it shows. UPDATE=1 rewrites it.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { testClock } from '../support/fake-io.ts';
import { requestLocal, seedLocalWorld } from '../support/local-world.ts';
import { replay } from '../support/transcript.ts';

const root = join(import.meta.dirname, '../..');
const path = join(root, 'docs/outputs.md');
const BLOCK = /^(`{3,})(\S+)(?: (\S+))?\n([\s\S]*?)^\1$/gm;

it('every console block prints what it shows', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'trueup-outputs-'));
  const clock = testClock();
  seedLocalWorld({ cwd, clock });
  const linesOf = (file: string): string[] => readFileSync(join(cwd, file), 'utf8').trimEnd().split('\n');
  const commands = {
    api: async (words: readonly string[]) => requestLocal({ cwd, clock }, words),
    cat: async ([file = '']: readonly string[]) => linesOf(file).join('\n'),
    head: async ([, count, file = '']: readonly string[]) => linesOf(file).slice(0, Number(count)).join('\n'),
    tail: async ([, count, file = '']: readonly string[]) => linesOf(file).slice(-Number(count)).join('\n'),
    grep: async ([pattern = '', file = '']: readonly string[]) =>
      linesOf(file)
        .filter((line) => new RegExp(pattern).test(line))
        .join('\n'),
  };
  const text = readFileSync(path, 'utf8');
  let actual = '';
  let end = 0;
  try {
    let seed = 1;
    for (const match of text.matchAll(BLOCK)) {
      const [whole, , language = '', file, body = ''] = match;
      let replacement = whole;
      if (language === 'yaml' && file !== undefined) {
        mkdirSync(dirname(join(cwd, file)), { recursive: true });
        writeFileSync(join(cwd, file), body);
      }
      if (language === 'console') {
        const output = await replay(body, { cwd, clock, seed, commands });
        const around = '`'.repeat(1 + Math.max(2, ...(output.match(/`+/g) ?? []).map(({ length }) => length)));
        replacement = `${around}console\n${output}${around}`;
        seed += 100;
      }
      actual += text.slice(end, match.index) + replacement;
      end = match.index + whole.length;
    }
    actual += text.slice(end);
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
  if (process.env['UPDATE'] === '1') writeFileSync(path, actual);
  else expect(actual).toBe(text);
});

it('the tools that it names are the ones that are run, in their versions', () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'test/consumers/package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const text = readFileSync(path, 'utf8');
  const named = [...text.matchAll(/^\| `([a-z@/-]+)` +\| ([\w.-]+) +\|/gm)].map(
    ([, name, version]) => `${name} ${version}`,
  );
  const run = Object.entries(dependencies)
    .filter(([name]) => name !== 'ajv')
    .map(([name, version]) => `${name} ${version}`);
  expect(named.toSorted()).toEqual(run.toSorted());
});
