// What keys cost: the list is read once by every command that removes nothing, and three times by one that does.
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../../src/base/time/clock.ts';
import { main } from '../../../../src/cli/main.ts';
import { createControlPlane, type ControlPlane } from '../../../../src/control-plane/index.ts';
import { getRequestListener } from '../../../../src/control-plane/api/web.ts';
import { fakeIo } from '../../../support/fake-io.ts';
import { stateOf } from '../../../support/state.ts';

const KEYS = [
  { name: 'ci', id: 500, created_at: '-100d', last_used_at: '-99d' },
  { name: 'ci', id: '9007199254740993', created_at: '-8d', last_used_at: '-1h' },
  { name: 'laptop', id: 600, created_at: '-8d', last_used_at: '-1h' },
];
const OVERLAP = 'version: 1\napi_keys: { ci: { secret: { file: ci.json }, rotate: { every: 90d, overlap: 20d } } }\n';
const DUE = OVERLAP.replace('20d', '7d');

const RECORD = '{"name":"ci","id":9007199254740993,"key":"napi_x","created_at":null}\n';

let plane: ControlPlane;
let server: Server;
const seen: string[] = [];
const folder = mkdtempSync(join(tmpdir(), 'trueup-key-requests-'));

beforeAll(async () => {
  plane = createControlPlane({ seed: { version: 1, api_keys: KEYS } });
  const handle = async (request: Request): Promise<Response> => {
    seen.push(`${request.method} ${new URL(request.url).pathname.replace('/api/v2', '')}`);
    return plane.handle(request);
  };
  // Other test files share this process, and its `Response` is theirs too.
  const listener = getRequestListener(handle, { overrideGlobalObjects: false });
  server = createServer((request, response) => void listener(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  server.close();
  plane.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly requests: readonly string[];
}

/** Runs a command with this file (null: there is none), on a machine with the record of the newest key or without. */
async function run(argv: readonly string[], file: string | null, hasRecord = true): Promise<Ran> {
  const cwd = mkdtempSync(join(folder, 'desk-'));
  if (file !== null) writeFileSync(join(cwd, 'trueup.yaml'), file);
  if (hasRecord) {
    mkdirSync(join(stateOf(cwd), 'secrets'), { recursive: true, mode: 0o700 });
    writeFileSync(join(stateOf(cwd), 'secrets/ci.json'), RECORD, { mode: 0o600 });
  }
  const { port } = server.address() as AddressInfo;
  const env = {
    TRUEUP_API_KEY: plane.rootKey?.reveal() ?? '',
    TRUEUP_BASE_URL: `http://127.0.0.1:${port}/api/v2`,
  };
  seen.length = 0;
  const io = { ...fakeIo({ cwd, env, columns: 200 }), clock: systemClock };
  const code = await main(argv, io);
  return { code, out: io.out(), err: io.err(), requests: [...seen] };
}

describe('the list of keys is read', () => {
  const ONCE = ['GET /api_keys'];
  it.each<readonly [string, readonly string[], string | null]>([
    ['trueup keys without a file', ['keys'], null],
    ['trueup keys with a file that lists no key', ['keys'], 'version: 1\n'],
    ['trueup keys in an overlap', ['keys'], OVERLAP],
    ['trueup keys when a retirement is due', ['keys'], DUE],
    ['trueup list when a retirement is due', ['list'], DUE],
    ['trueup plan in an overlap', ['plan'], OVERLAP],
    ['trueup drift in an overlap', ['drift'], OVERLAP],
    ['trueup plan of a key to be revoked by hand', ['plan'], DUE.replace('7d', '7d, revoke: manual')],
  ])('once by %s', async (_what, argv, file) => {
    expect((await run(argv, file)).requests).toEqual(ONCE);
  });

  it('again, twice, by a plan that revokes: which key is our own?', async () => {
    expect((await run(['plan'], DUE)).requests).toEqual([...ONCE, ...ONCE, ...ONCE]);
  });
});

describe('trueup keys', () => {
  const rows = async (file: string | null): Promise<readonly unknown[]> => {
    const { out } = await run(['keys', '--format', 'json'], file);
    const { keys } = JSON.parse(out) as { readonly keys: readonly Record<string, unknown>[] };
    return keys
      .filter(({ name }) => name !== 'root')
      .map(({ address, id, sink, replaced_by: by, rotation }) => [address, id, sink, by, rotation]);
  };
  const current = ['api_keys/ci', '9007199254740993', 'file:ci.json', null, 'rotates in 82d'];
  const laptop = [null, '600', null, null, null];

  it('says that a sink holds the value of the current key alone, in the overlap and after it', async () => {
    const retired = (words: string): readonly unknown[] => ['api_keys/ci', '500', null, '9007199254740993', words];
    const shown = async (file: string): Promise<string> =>
      JSON.stringify(await rows(file)).replaceAll(/ (8[12]d|1[12]d)[^"a]*/g, (_all, days: string) =>
        days.startsWith('8') ? ' 82d' : ' 12d ',
      );
    expect(await shown(OVERLAP)).toBe(JSON.stringify([current, retired('retiring, for 12d at least'), laptop]));
    expect(await shown(DUE)).toBe(JSON.stringify([current, retired('retiring, to be revoked'), laptop]));
    expect(await shown(DUE.replace('7d', '7d, revoke: manual'))).toBe(
      JSON.stringify([current, retired('retiring, until revoked by hand'), laptop]),
    );
  });

  it('says so in the table', async () => {
    const { out } = await run(['keys'], DUE);
    expect(out.replaceAll(/\s+/g, ' ')).toMatch(
      / ci 500 .* replaced by key 9007199254740993 .*retiring, to be revoked/,
    );
  });

  it('shows all keys of a name when nothing tells which one is meant', async () => {
    const { code, out, requests } = await run(['keys'], DUE, false);
    expect(code).toBe(0);
    expect(out).toMatch(/^ci +9007199254740993 .*\nci +500 /m);
    expect(requests).toEqual(['GET /api_keys']);
  });

  it('shows a key that shall go, and those that no file lists', async () => {
    expect(await rows('version: 1\napi_keys: { laptop: { state: absent } }\n')).toEqual([
      ['api_keys/laptop', '600', null, null, 'to be revoked'],
      [null, '9007199254740993', null, null, null],
      [null, '500', null, null, null],
    ]);
    expect(await rows(null)).toHaveLength(3);
  });
});
