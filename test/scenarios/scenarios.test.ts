// Every folder here is a scenario: files, a world, and a transcript of commands with what they print. UPDATE=1 rewrites them.
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { faultPlanOf } from '../../src/control-plane/faults/fault-text.ts';
import { testClock } from '../support/fake-io.ts';
import { requestLocal, seedLocalWorld } from '../support/local-world.ts';
import { checkTranscript } from '../support/transcript.ts';

const root = import.meta.dirname;
const folders = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

describe('scenarios', () => {
  it.each(folders)('%s goes as its transcript says', async (name) => {
    const cwd = mkdtempSync(join(tmpdir(), 'trueup-scenario-'));
    made.push(cwd);
    const source = join(root, name);
    cpSync(source, cwd, { recursive: true });
    const clock = testClock();
    const worldFile = join(source, 'world.yaml');
    const world = existsSync(worldFile) ? { world: readFileSync(worldFile, 'utf8') } : {};
    rmSync(join(cwd, 'world.yaml'), { force: true });
    const awaited: string[] = [];
    seedLocalWorld({ cwd, clock, ...world });
    const { expected, actual } = await checkTranscript(join(source, 'transcript.txt'), {
      cwd,
      clock,
      faults: () => faultPlanOf(awaited.splice(0)),
      commands: {
        // Somebody else's request, e.g. `api PATCH /projects/… '{"endpoint":{…}}'`.
        api: async (words) => requestLocal({ cwd, clock }, words),
        // What goes wrong while the next command runs, e.g. `fault locked,method=POST`.
        fault: async (texts) => {
          awaited.push(...texts);
          return '';
        },
        // Time that passes, in minutes.
        wait: async ([minutes = '0']) => {
          await clock.sleep(Number(minutes) * 60_000);
          return '';
        },
        // A file of the scenario takes the place of another: an edit.
        edit: async ([to = '', from = '']) => {
          cpSync(join(source, from), join(cwd, to));
          return '';
        },
        // What stands in a file.
        cat: async ([file = '']) => readFileSync(join(cwd, file), 'utf8'),
        // A word of a file becomes another: a hand that was there in between.
        replace: async ([file = '', old = '', other = '']) => {
          writeFileSync(join(cwd, file), readFileSync(join(cwd, file), 'utf8').replaceAll(old, other));
          return '';
        },
      },
    });
    expect(actual).toBe(expected);
  });
});
