// A working folder with files and a local control plane of its own, at which commands are run in memory.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { VirtualClock } from '../support/virtual-clock.ts';
import { main } from '../support/loaded-program.ts';
import { fakeIo, testClock, type FakeIo } from '../support/fake-io.ts';
import { requestLocal, seedLocalWorld } from '../support/local-world.ts';

export interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface Desk {
  readonly cwd: string;
  run(...argv: string[]): Promise<Run>;
  /** The same at a terminal at which somebody answers so. */
  answered(answers: readonly string[], ...argv: string[]): Promise<Run>;
  /** The same with an Io that the test has its hands on: it is given to `during` while the command runs. */
  runWith(argv: readonly string[], during: (io: FakeIo) => Partial<FakeIo> | void): Promise<Run>;
  /** Somebody else's request to the control plane. */
  api(...words: string[]): Promise<void>;
  write(name: string, text: string): void;
  /** Time that passes, in milliseconds. */
  wait(ms: number): Promise<void>;
}

export interface DeskOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** YAML of the account; the small default one when left out. */
  readonly world?: string;
  readonly clock?: VirtualClock;
}

const made: string[] = [];

/** Removes every folder that was made since the last call. */
export function clearDesks(): void {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** Files by name; folders in names are made. */
export function desk(
  files: Readonly<Record<string, string>>,
  { env = {}, world, clock = testClock() }: DeskOptions = {},
): Desk {
  const cwd = mkdtempSync(join(tmpdir(), 'trueup-desk-'));
  made.push(cwd);
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), text);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  seedLocalWorld({ cwd, clock, ...(world === undefined ? {} : { world }) });
  const ran = async (io: FakeIo, argv: readonly string[], more: Partial<FakeIo> = {}): Promise<Run> => {
    const code = await clock.run(main(argv, { ...io, ...more }));
    return { code, out: io.out(), err: io.err() };
  };
  const runWith: Desk['runWith'] = async (argv, during) => {
    const io = fakeIo({ cwd, clock, env });
    return ran(io, argv, during(io) ?? {});
  };
  return {
    cwd,
    write,
    runWith,
    run: async (...argv) => runWith(argv, () => undefined),
    answered: async (answers, ...argv) => ran(fakeIo({ cwd, clock, env, answers }), argv),
    wait: async (ms) => clock.run(clock.sleep(ms)),
    async api(...words) {
      const status = await clock.run(requestLocal({ cwd, clock }, words));
      if (!status.startsWith('2')) throw new Error(`${words.join(' ')}: ${status}`);
    },
  };
}
