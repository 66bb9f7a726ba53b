// The prompt of a retention rule: with --due it asks for the address of each deletion, and without --due it asks for none.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { root } from '../../architecture/source-tree.ts';
import { fakeIo, testClock } from '../../support/fake-io.ts';
import { main } from '../../support/loaded-program.ts';
import { seedLocalWorld } from '../../support/local-world.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const FIRST = 'shop/retention/old/br-first-lake-100001';
const FILE = `version: 1
projects:
  shop:
    branches: { main: br-wispy-meadow-118737, qa: { from: main } }
    retention: { old: { match: ["preview/*"], older_than: 7d, max: 1 } }
`;

async function answered(argv: readonly string[], answers: readonly string[]): Promise<readonly [number, string]> {
  const cwd = mkdtempSync(join(tmpdir(), 'trueup-prompt-'));
  folders.push(cwd);
  writeFileSync(join(cwd, 'trueup.yaml'), FILE);
  const clock = testClock();
  const world = readFileSync(join(root, 'test/scenarios/apply/retention/world.yaml'), 'utf8');
  seedLocalWorld({ cwd, clock, world });
  const io = fakeIo({ cwd, clock, answers: [...answers] });
  return [await clock.run(main(['apply', '--local', ...argv], io)), io.err()];
}

it('asks for no address of a deletion that this run leaves out', async () => {
  const [code, said] = await answered([], ['yes']);
  expect(said).not.toContain('Type ');
  expect(code).toBe(0);
});

it('deletes what is named, and keeps what is not', async () => {
  const [code, said] = await answered(['--due'], [FIRST, 'yes']);
  expect(said).toContain(`Type ${FIRST} to delete it`);
  expect(said).toContain(`${FIRST}: deleted`);
  expect(code).toBe(0);
  const [blocked, kept] = await answered(['--due'], ['', 'yes']);
  expect(kept).toContain(`Kept ${FIRST}`);
  expect(blocked).toBe(5);
});
