// Looking at a place for secrets while planning: it ends with the run, and nothing is asked of a key that is to be absent.
import { expect, it, onTestFinished } from 'vitest';
import type { RunProgram } from '../../../src/apply/sinks/index.ts';
import { memoryFiles } from '../../unit/apply/memory-files.ts';
import { openAccount, type Account, type AccountOptions } from './account.ts';
import { withAccount } from './fleet.ts';
import { keptWorld } from './kept.ts';

async function accountOf(keys: string, runProgram: RunProgram): Promise<Account> {
  const processes = { self: { pid: 1, startTime: '1', host: 'here' }, isAlive: () => false };
  const machine = { fileSystem: memoryFiles(), processes, runProgram };
  const account = await openAccount({ file: `version: 1\napi_keys:\n  ci: ${keys}\n`, reconciler: { machine } });
  onTestFinished(() => account.close());
  return account;
}

it('a program that is still at its check when the time is over is ended, and so is the plan', async () => {
  const told = new AbortController();
  let ended = false;
  const hanging: RunProgram = async ({ signal }) =>
    new Promise((resolve) => {
      signal?.addEventListener('abort', () => {
        ended = true;
        resolve({ end: 'stopped', code: null, stderr: '', problem: 'late' });
      });
      told.abort(new Error('the run was stopped'));
    });
  const { clock, reconciler, desired } = await accountOf('{ secret: { exec: vault } }', hanging);
  const planned = clock.run(reconciler.plan({ desired, signal: told.signal }));
  await expect(planned).rejects.toThrow('the run was stopped');
  expect(ended).toBe(true);
});

const KEY = { file: 'version: 1\napi_keys: { ci: { secret: { exec: vault } } }\n' };
const STORED: AccountOptions = { ...KEY, seed: { version: 1, api_keys: [{ name: 'ci', id: 900 }] } };

it.each([
  ['of a key', STORED, 'api_keys/ci'],
  ['of a password', keptWorld('owner: { password: { exec: vault } }'), 'shop/branches/main/roles/owner'],
  [
    'of a connection',
    keptWorld('', {}, ', connections: { app: { role: owner, database: orders, secret: { exec: vault } } }'),
    'shop/branches/main/connections/app',
  ],
])('drift does not say that a place holds the newest one which tells nothing: that %s', async (_, options, of) => {
  await withAccount({ ...options, stored: ['vault'] }, async (account) => {
    const { report } = await account.clock.run(account.reconciler.drift({ desired: account.desired }));
    expect(report?.notCompared).toEqual([
      { address: of, paths: [], reason: expect.stringMatching(/^exec:vault does not show its content/) as string },
    ]);
  });
});

it.each([
  ['that is broken', { ...STORED, reconciler: { sinks: new Map() } }],
  ['that is empty', STORED],
] as const)('drift tells of a place %s, since nothing was compared with it', async (_name, options) => {
  await withAccount(options, async (account) => {
    const { report } = await account.clock.run(account.reconciler.drift({ desired: account.desired }));
    expect(report?.notCompared.map(({ address }) => address)).toEqual(['api_keys/ci']);
  });
});

it.each([
  ['of keys', 'api_keys', 'ci', 'secret: { exec: NAME }', ''],
  ['of keys with several places', 'api_keys', 'ci', 'secret: [{ exec: NAME }, { exec: NAME-2 }, { file: NAME }]', ''],
])('a plan starts at most a hundred programs %s, those of the first addresses', async (_, section, label, place) => {
  const names = Array.from({ length: 130 }, (__, at) => `${label}-${String(at).padStart(3, '0')}`);
  const entries = names.map((name) => `  ${name}: { ${place.replaceAll('NAME', name)} }\n`);
  const started: string[] = [];
  const runProgram: RunProgram = async ({ args }) => {
    started.push(args[1] ?? '');
    return { end: 'exited', code: 3, stderr: '', problem: null };
  };
  const processes = { self: { pid: 1, startTime: '1', host: 'here' }, isAlive: () => false };
  const machine = { fileSystem: memoryFiles(), processes, runProgram };
  const file = `version: 1\n${section}:\n${entries.toReversed().join('')}`;
  const reconciler = { machine, sinks: new Map([['*', '/vault']]) };
  const account = await openAccount({ file, reconciler });
  onTestFinished(() => account.close());
  const { changes } = await account.plan();
  expect(changes.filter(({ action }) => action === 'create')).toHaveLength(names.length);
  expect(changes.filter(({ blockedBy }) => blockedBy.length > 0)).toEqual([]);
  const places = names.flatMap((name) => (place.includes('NAME-2') ? [name, `${name}-2`] : [name]));
  expect(started.toSorted()).toEqual(places.slice(0, 100));
});
