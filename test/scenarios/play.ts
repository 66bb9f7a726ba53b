// A scenario is a folder: files, an account, and a transcript of commands with their output. UPDATE=1 rewrites the transcripts.
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { faultPlanOf } from '../../src/control-plane/faults/check-plan.ts';
import { testClock } from '../support/fake-io.ts';
import { requestLocal, seedLocalWorld } from '../support/local-world.ts';
import { checkTranscript } from '../support/transcript.ts';

/** Plays every scenario of a folder. */
export function playScenarios(root: string): void {
  const folders = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
  const made: string[] = [];
  afterEach(() => {
    for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
  });
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
        // A request by somebody else, such as `api PATCH /projects/… '{"endpoint":{…}}'`.
        api: async (words) => requestLocal({ cwd, clock }, words),
        // Faults of the next command, such as `fault locked,method=POST`.
        fault: async (texts) => {
          awaited.push(...texts);
          return '';
        },
        // Lets minutes pass.
        wait: async ([minutes = '0']) => {
          await clock.sleep(Number(minutes) * 60_000);
          return '';
        },
        // Copies a file of the scenario over another.
        edit: async ([to = '', from = '']) => {
          cpSync(join(source, from), join(cwd, to));
          return '';
        },
        // Prints a file.
        cat: async ([file = '']) => readFileSync(join(cwd, file), 'utf8'),
        // Replaces a word in a file.
        replace: async ([file = '', old = '', other = '']) => {
          writeFileSync(join(cwd, file), readFileSync(join(cwd, file), 'utf8').replaceAll(old, other));
          return '';
        },
      },
    });
    expect(actual).toBe(expected);
  });
}
