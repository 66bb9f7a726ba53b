// The prompt of a retention rule: with --due it asks for the address of each deletion, and without --due it asks for none.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { root } from '../../architecture/source-tree.ts';
import { clearDesks, desk } from '../../outputs/desk.ts';

afterEach(clearDesks);

const FIRST = 'shop/retention/old/br-first-lake-100001';
const FILE = `version: 1
projects:
  shop:
    branches: { main: br-wispy-meadow-118737, qa: { from: main } }
    retention: { old: { match: ["preview/*"], older_than: 7d, max: 1 } }
`;

const WORLD = readFileSync(join(root, 'test/scenarios/apply/retention/world.yaml'), 'utf8');

/** An apply at a terminal at which somebody answers so. */
async function answered(flags: readonly string[], ...answers: readonly string[]): Promise<readonly [number, string]> {
  const { code, err } = await desk({ 'trueup.yaml': FILE }, { world: WORLD }).answered(
    answers,
    'apply',
    '--local',
    ...flags,
  );
  return [code, err];
}

it('asks for no address of a deletion that this run leaves out', async () => {
  const [code, said] = await answered([], 'yes');
  expect(said).not.toContain('Type ');
  expect(code).toBe(0);
});

it('deletes what is named, and keeps what is not', async () => {
  const [code, said] = await answered(['--due'], FIRST, 'yes');
  expect(said).toContain(`Type ${FIRST} to delete it`);
  expect(said).toContain(`${FIRST}: deleted`);
  expect(code).toBe(0);
  const [blocked, kept] = await answered(['--due'], '', 'yes');
  expect(kept).toContain(`Kept ${FIRST}`);
  expect(blocked).toBe(5);
});
