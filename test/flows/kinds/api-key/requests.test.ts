// What keys cost: the list is read once by every command that removes nothing, and three times by one that does.
import { expect, it } from 'vitest';
import { desiredOf } from '../../../support/files.ts';
import { openSite, STATE } from '../../../support/site.ts';

const KEYS = [
  { name: 'ci', id: 500, created_at: '-100d', last_used_at: '-99d' },
  { name: 'ci', id: '9007199254740993', created_at: '-8d', last_used_at: '-1h' },
  { name: 'laptop', id: 600, created_at: '-8d', last_used_at: '-1h' },
];
const RECORD = '{"name":"ci","id":9007199254740993,"key":"napi_x","created_at":null}\n';
const rotating = (rotate: string): string =>
  `version: 1\napi_keys: { ci: { secret: { file: ci.json }, rotate: { every: 90d, ${rotate} } } }\n`;
const OVERLAP = rotating('overlap: 20d');
const DUE = rotating('overlap: 7d');

it.each([
  ['once by trueup keys in an overlap', 'keys', OVERLAP, 1],
  ['once by trueup keys when a retirement is due', 'keys', DUE, 1],
  ['once by trueup list when a retirement is due', 'list', DUE, 1],
  ['once by trueup plan in an overlap', 'plan', OVERLAP, 1],
  ['once by trueup drift in an overlap', 'drift', OVERLAP, 1],
  ['once by trueup plan of a key to be revoked by hand', 'plan', rotating('overlap: 7d, revoke: manual'), 1],
  // Which key is our own?
  ['again, twice, by trueup plan that revokes', 'plan', DUE, 3],
] as const)('the list of keys is read %s', async (_, command, file, times) => {
  const { clock, disk, drift, plan, seen, started } = openSite({ file, seed: { version: 1, api_keys: KEYS } });
  disk.plant(`${STATE}/secrets/ci.json`, RECORD);
  const run = {
    plan,
    drift,
    list: async () => clock.run(started().list({ desired: await desiredOf(file) })),
    keys: async () => plan({ target: ['api_keys/*'], once: true }),
  };
  await run[command]();
  expect(seen).toEqual(Array<string>(times).fill('GET /api_keys'));
});
