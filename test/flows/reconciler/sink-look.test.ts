// Looking at a place for secrets while planning: it ends with the run, and nothing is asked of a key that is to be absent.
import { expect, it } from 'vitest';
import type { RunProgram } from '../../../src/apply/sinks/run-program.ts';
import { memoryFiles } from '../../unit/apply/memory-files.ts';
import { openSite, type SiteOptions } from '../../support/site.ts';
import { keptWorld } from './kept.ts';

const KEY = { file: 'version: 1\napi_keys: { ci: { secret: { exec: vault } } }\n' };
const processes = { self: { pid: 1, startTime: '1', host: 'here' }, isAlive: () => false };
const MACHINE = { fileSystem: memoryFiles(), processes };

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
  const { outcome } = openSite({ ...KEY, reconciler: { machine: { ...MACHINE, runProgram: hanging } } });
  await expect(outcome({ signal: told.signal })).rejects.toThrow('the run was stopped');
  expect(ended).toBe(true);
});

const STORED: SiteOptions = { ...KEY, seed: { version: 1, api_keys: [{ name: 'ci', id: 900 }] } };

it.each([
  ['of a key', STORED, 'api_keys/ci'],
  ['of a password', keptWorld('owner: { password: { exec: vault } }'), 'shop/branches/main/roles/owner'],
  [
    'of a connection',
    keptWorld('', {}, ', connections: { app: { role: owner, database: orders, secret: { exec: vault } } }'),
    'shop/branches/main/connections/app',
  ],
])('drift does not say that a place holds the newest one which tells nothing: that %s', async (_, options, of) => {
  const account = openSite({ ...options, stored: ['vault'] });
  const { report } = await account.drift();
  expect(report.notCompared).toEqual([
    { address: of, paths: [], reason: expect.stringMatching(/^exec:vault does not show its content/) as string },
  ]);
});

it.each([
  ['that is broken', { ...STORED, reconciler: { sinks: new Map() } }],
  ['that is empty', STORED],
] as const)('drift tells of a place %s, since nothing was compared with it', async (_name, options) => {
  const account = openSite(options);
  const { report } = await account.drift();
  expect(report.notCompared.map(({ address }) => address)).toEqual(['api_keys/ci']);
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
  const machine = { ...MACHINE, fileSystem: memoryFiles(), runProgram };
  const file = `version: 1\n${section}:\n${entries.toReversed().join('')}`;
  const reconciler = { machine, sinks: new Map([['*', '/vault']]) };
  const account = openSite({ file, reconciler });
  const { changes } = await account.plan();
  expect(changes.filter(({ action }) => action === 'create')).toHaveLength(names.length);
  expect(changes.filter(({ blockedBy }) => blockedBy.length > 0)).toEqual([]);
  const places = names.flatMap((name) => (place.includes('NAME-2') ? [name, `${name}-2`] : [name]));
  expect(started.toSorted()).toEqual(places.slice(0, 100));
});
