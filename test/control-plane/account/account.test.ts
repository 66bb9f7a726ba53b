// The account reference row by row: what it states, was seen or recorded is so; what it leaves open has a switch.
import { describe, expect, it } from 'vitest';
import { switchTable } from '../../../src/control-plane/index.ts';
import { makeWorld } from '../world.ts';
import { accessRows } from './access.ts';
import { branchRows } from './branches.ts';
import { contentsRows } from './contents.ts';
import { faultRows } from './faults.ts';
import { projectRows } from './projects.ts';

const rows = [...projectRows, ...branchRows, ...contentsRows, ...accessRows, ...faultRows];

describe('the account reference', () => {
  it.each(rows)('%s: %s', async (_section, _says, run) => {
    expect.hasAssertions();
    await run(makeWorld());
  });

  it('has rows for each of its sections, and no two alike', () => {
    const sections = [...new Set(rows.map(([section]) => section))].sort();
    const all = '0 1.1 1.2 1.3 2.1 2.2 2.3 2.4 2.5 2.6 2.7 2.8 2.9 3 4 5.1 5.2 5.3 5.4 6 7 8.4 8.8 8.10'.split(' ');
    expect(sections).toEqual(all.sort());
    expect(new Set(rows.map(([section, says]) => `${section}: ${says}`)).size).toBe(rows.length);
  });
});

/** What the reference marks as not published, and the switch that decides it. */
const open: readonly (readonly [section: string, says: string, name: keyof typeof switchTable])[] = [
  ['2.2', 'a moment outside the history', 'momentStatus'],
  ['2.5', 'operations of a recovery', 'recoverOperations'],
  ['2.5', 'the last operation of a create, in the newest example', 'branchOperations'],
  ['2.6', 'protecting beyond the number of the plan', 'protectedLimitStatus'],
  ['2.6', 'deletes that are refused', 'refusedDelete'],
  ['2.6', 'resets that are refused', 'refusedRestore'],
  ['2.6', 'a parent that is not ready', 'parentNotReady'],
  ['2.6', 'a rename to the own name', 'renameToSame'],
  ['2.7', 'an expiry that cannot be', 'expiryStatus'],
  ['2.8', 'a moment of a branch that is no root', 'pastRestore'],
  ['2.9', 'computes that are active at once', 'activeComputes'],
  ['3', 'protected roles', 'protectedRole'],
  ['3', 'a branch without a compute', 'contentsWithoutCompute'],
  ['4', 'an unknown owner', 'unknownOwner'],
  ['5.1', 'a grant that is made again', 'regrant'],
  ['5.1', 'an unknown address', 'unknownGrantee'],
  ['5.1', 'revoked grants in the list', 'revokedPermissions'],
  ['8.9', 'members of the newest replies', 'newerMembers'],
  ['9', 'settings that cannot be taken back', 'oneWayStatus'],
  ['9', 'the page of branches', 'branchesPageSize'],
  ['9', 'a quota that is reached', 'quotaStatus'],
];

describe('what the account reference leaves open', () => {
  it.each(open)('%s: %s is the switch %s', (_section, _says, name) => {
    expect(switchTable[name].settings.length).toBeGreaterThan(1);
  });
});
