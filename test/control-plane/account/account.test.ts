// The account reference row by row: what it states, was seen or recorded is so.
import { describe, expect, it } from 'vitest';
import { makeWorld } from '../world.ts';
import { accessRows } from './access.ts';
import { branchRows } from './branches.ts';
import { contentsRows } from './contents.ts';
import { projectRows } from './projects.ts';

const rows = Object.entries({ ...projectRows, ...branchRows, ...contentsRows, ...accessRows });

describe('the account reference', () => {
  it.each(rows)('%s', async (_says, run) => {
    expect.hasAssertions();
    await run(makeWorld());
  });

  it('has rows for each of its sections', () => {
    const sections = [...new Set(rows.map(([says]) => says.split(' ')[0] ?? ''))].sort();
    const all = '0 1.1 1.2 1.3 2.1 2.2 2.3 2.4 2.5 2.6 2.7 2.8 2.9 3 4 5.1 5.3 5.4 7 8.4 8.8'.split(' ');
    expect(sections).toEqual(all.sort());
  });
});
