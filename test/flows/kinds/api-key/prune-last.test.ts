// A prune runs last: what it revokes may be what a key that could not be made was to take over from.
import { expect, it } from 'vitest';
import type { RunProgram } from '../../../../src/apply/sinks/index.ts';
import { openAccount, type Account } from '../../reconciler/account.ts';
import { memoryFiles } from '../../../unit/apply/memory-files.ts';

const FILE = `version: 1
expect: { has_project: shop-000001 }
api_keys_prune: true
api_keys:
  next: { secret: { exec: vault } }
  root: {}
`;

/** An account with a key that no file lists, and a place for secrets that takes what it is given or not. */
async function account(takes: boolean): Promise<Account> {
  let isStored = false;
  const runProgram: RunProgram = async ({ args: [verb] }) => {
    if (verb === 'put') isStored = takes;
    const code = verb === 'put' ? (takes ? 0 : 1) : isStored ? 0 : 3;
    return { end: 'exited', code, stderr: '', problem: null };
  };
  const processes = { self: { pid: 1, startTime: '1', host: 'here' }, isAlive: () => false };
  return openAccount({
    file: FILE,
    seed: {
      version: 1,
      api_keys: [{ name: 'before', id: 900, created_at: '-90d', last_used_at: '-2d' }],
      projects: [{ name: 'shop', id: 'shop-000001' }],
    },
    reconciler: { machine: { fileSystem: memoryFiles(), processes, runProgram } },
  });
}

async function applied(takes: boolean): Promise<{ requests: readonly string[]; reasons: readonly string[] }> {
  const { close, reconciler, clock, desired, seen } = await account(takes);
  const allow = [{ action: 'revoke', address: 'api_keys/900' }] as const;
  const { plan, reading } = await clock.run(reconciler.plan({ desired, allow }));
  if (plan === null) throw new Error('no plan');
  seen.length = 0;
  const reasons: string[] = [];
  await clock.run(
    reconciler.apply({
      plan,
      desired,
      reading,
      request: { allow },
      onEvent: (event) => {
        if (event.type === 'step_skipped') reasons.push(`${event.address}: ${event.reason}`);
      },
    }),
  );
  close();
  return { requests: seen.filter((line) => !line.startsWith('GET /api_keys')), reasons };
}

it('revokes only when the new key is made, stored and was used', async () => {
  const { requests, reasons } = await applied(true);
  const from = requests.indexOf('POST /api_keys');
  expect(requests.slice(from, from + 3)).toEqual(['POST /api_keys', 'GET /projects', 'DELETE /api_keys/900']);
  expect(reasons).toEqual([]);
});

it('revokes nothing and says why when the new key could not be stored', async () => {
  const { requests, reasons } = await applied(false);
  expect(requests.filter((line) => line.startsWith('DELETE'))).toEqual([expect.not.stringContaining('/900')]);
  expect(reasons).toEqual(['api_keys/900: depends on create of api_keys/next, which failed']);
});
