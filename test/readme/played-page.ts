// A page that shows what the program prints, played: its YAML is written to files, its commands run, and what they print takes the place of what it shows.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { testClock } from '../support/fake-io.ts';
import { requestLocal, seedLocalWorld } from '../support/local-world.ts';
import { replay } from '../support/transcript.ts';
import { blocksOf } from '../docs/markdown-blocks.ts';

/** The page as it stands, and as it really went in a folder with the small account. UPDATE=1 rewrites it. */
export async function playPage(path: string): Promise<{ readonly expected: string; readonly actual: string }> {
  const cwd = mkdtempSync(join(tmpdir(), 'trueup-page-'));
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
  let seed = 1;
  try {
    for (const { language, name, body, whole } of blocksOf(text)) {
      const at = text.indexOf(whole, end);
      actual += text.slice(end, at);
      end = at + whole.length;
      if (language === 'yaml' && name !== '') {
        mkdirSync(dirname(join(cwd, name)), { recursive: true });
        writeFileSync(join(cwd, name), body);
      }
      if (language === 'console') {
        const output = await replay(body, { cwd, clock, seed, commands });
        const around = '`'.repeat(1 + Math.max(2, ...(output.match(/`+/g) ?? []).map(({ length }) => length)));
        actual += `${around}console\n${output}${around}`;
        seed += 100;
      } else actual += whole;
    }
    actual += text.slice(end);
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
  if (process.env['UPDATE'] === '1') writeFileSync(path, actual);
  return { expected: process.env['UPDATE'] === '1' ? actual : text, actual };
}
