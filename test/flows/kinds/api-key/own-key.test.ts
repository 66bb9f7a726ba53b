// A run that rotates the very key that it uses: the new one is made, and the old one stays until a run uses another.
import { expect, it } from 'vitest';
import type { RunProgram } from '../../../../src/apply/sinks/index.ts';
import { memoryFiles } from '../../../unit/apply/memory-files.ts';
import { openAccount } from '../../reconciler/account.ts';

const VALUE = 'napi_ownkeyofthisrun00000000000000000000000000000000000000000000000';
const FILE = `version: 1
api_keys:
  ci: { secret: { exec: vault }, rotate: { not_before: 2025-12-31T00:00:00Z, overlap: 0s, revoke: after_overlap } }
`;

it('converges, and blocks the revocation of its own key in the next plan', async () => {
  const runProgram: RunProgram = async () => ({ end: 'exited', code: 0, stderr: '', problem: null });
  const processes = { self: { pid: 1, startTime: '1', host: 'here' }, isAlive: () => false };
  const account = await openAccount({
    file: FILE,
    seed: { version: 1, api_keys: [{ name: 'ci', id: 900, key: VALUE, created_at: '-90d', last_used_at: '-1h' }] },
    reconciler: { credential: VALUE, machine: { fileSystem: memoryFiles(), processes, runProgram } },
  });
  const { result } = await account.apply();
  expect(result.diagnostics.map(({ code }) => code)).not.toContain('held_back');
  expect(result.status).toBe('converged');
  const next = await account.plan();
  expect(next.changes.map(({ action, resourceId, blockedBy }) => [action, resourceId, blockedBy])).toContainEqual([
    'revoke',
    '900',
    ['self'],
  ]);
  expect(next.steps).toEqual([]);
  account.close();
});
