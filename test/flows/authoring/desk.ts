// A desk for commands that write files: a folder, a seeded local world, and the program in memory.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { clearDesks, desk, type Run } from '../../outputs/desk.ts';

export interface Desk {
  readonly cwd: string;
  /** Runs `trueup …words`; `stdin` is what it may read. */
  run(words: readonly string[], stdin?: string): Promise<Run>;
  read(file: string): string;
  write(file: string, text: string): void;
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
  const { cwd, runWith, write } = desk({}, { world });
  onTestFinished(clearDesks);
  return {
    cwd,
    run: async (words, stdin) =>
      runWith(words, () => (stdin === undefined ? {} : { readStdin: async () => new TextEncoder().encode(stdin) })),
    read: (file) => readFileSync(join(cwd, file), 'utf8'),
    write,
  };
}
