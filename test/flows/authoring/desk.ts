// A desk for commands that write files: a folder, a seeded local world, and the program in memory.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { main } from '../../support/loaded-program.ts';
import { fakeIo, testClock } from '../../support/fake-io.ts';
import { seedLocalWorld } from '../../support/local-world.ts';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface Desk {
  readonly cwd: string;
  /** Runs `trueup …words`; `stdin` is what it may read. */
  run(words: readonly string[], stdin?: string): Promise<Ran>;
  read(file: string): string;
  write(file: string, text: string): void;
  clear(): void;
}

function openDesk(world?: string): Desk {
  const cwd = mkdtempSync(join(tmpdir(), 'trueup-authoring-'));
  const clock = testClock();
  seedLocalWorld({ cwd, clock, ...(world === undefined ? {} : { world }) });
  return {
    cwd,
    async run(words, stdin) {
      const io = fakeIo({ cwd, clock, ...(stdin === undefined ? {} : { stdin }) });
      const code = await clock.run(main(words, io));
      return { code, out: io.out(), err: io.err() };
    },
    read: (file) => readFileSync(join(cwd, file), 'utf8'),
    write: (file, text) => writeFileSync(join(cwd, file), text),
    clear: () => rmSync(cwd, { recursive: true, force: true }),
  };
}

const SHOP_WORLD = `
version: 1
projects:
  - id: spring-example-302709
    name: shop
    branches: [{ id: br-wispy-meadow-118737, name: main, default: true }]
    computes:
      - { id: ep-cool-darkness-123456, branch: main }
      - { id: ep-quiet-hill-000001, branch: main, type: read_only }
`;

/** A desk before one project with a primary and a replica, cleared when the test ends. */
export function shopDesk(): Desk {
  return deskBefore(SHOP_WORLD);
}

/** A desk before the account of this seed, cleared when the test ends. */
export function deskBefore(world: string): Desk {
  const desk = openDesk(world);
  onTestFinished(() => desk.clear());
  return desk;
}
