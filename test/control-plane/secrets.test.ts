// No secret is anywhere but where it was told: not in the files of the store, the ledger, the export, the log of requests, or the console.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { folderOfTest } from '../support/folder.ts';
import { served as serve } from '../support/served.ts';
import { DEV, MAIN as ROOT, SHOP } from './world.ts';

const MAIN = `${SHOP}/branches/${ROOT}`;
const SECRET = /(napi|npg)_[a-z0-9]{16,}/g;

it('secrets that the API has told are found nowhere else', async () => {
  const folder = folderOfTest();
  const lines: string[] = [];
  const onRequest = (line: object): void => void lines.push(JSON.stringify(line));
  const operationMs = { min: 0, max: 1 };
  const served = await serve({ dataDir: folder, operationMs, admin: { token: 'a-token-for-tests' }, onRequest });
  const told = new Set([served.key]);
  const ask = async (method: string, path: string, body?: object): Promise<Record<string, never>> => {
    const headers = { Authorization: `Bearer ${served.key}`, 'Content-Type': 'application/json' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const text = await (await fetch(`${served.url}/api/v2${path}`, { method, headers, ...sent })).text();
    for (const [secret] of text.matchAll(SECRET)) told.add(secret);
    await expect.poll(() => served.controlPlane.truth.operations({ open: true }).length).toBe(0);
    return JSON.parse(text === '' ? '{}' : text) as Record<string, never>;
  };
  const { organizations } = (await ask('GET', '/users/me/organizations')) as unknown as {
    organizations: { id: string }[];
  };
  await ask('POST', '/api_keys', { key_name: 'ci' });
  await ask('POST', `/organizations/${organizations[0]?.id}/api_keys`, { key_name: 'org' });
  await ask('POST', '/projects', { project: { name: 'fresh' } });
  await ask('POST', '/projects', { project: { name: 'forgetful', store_passwords: false } });
  await ask('POST', `${MAIN}/roles`, { role: { name: 'app' } });
  await ask('POST', `${MAIN}/roles/app/reset_password`);
  await ask('DELETE', `${MAIN}/roles/app`);
  await ask('GET', `${MAIN}/roles/shop_owner/reveal_password`);
  await ask('GET', `${SHOP}/connection_uri?database_name=shopdb&role_name=shop_owner`);
  await ask('PATCH', MAIN, { branch: { protected: true } });
  await ask('POST', `${SHOP}/branches`, { branch: { name: 'guarded' }, endpoints: [{ type: 'read_write' }] });
  await ask('DELETE', `${SHOP}/branches/${DEV}`);
  // A client that puts its key where none belongs.
  await ask('GET', `/projects/${served.key}?cursor=${served.key}`);
  expect(told.size).toBe(9);

  const admin = async (path: string): Promise<string> => {
    const headers = { Authorization: 'Bearer a-token-for-tests' };
    return (await fetch(`${served.url}/admin${path}`, { headers })).text();
  };
  const places: [place: string, text: string][] = [['the log of requests', lines.join('\n')]];
  for (const path of ['/ledger', '/world', '/faults', '/switches', '/clock', '/states'])
    places.push([path, await admin(path)]);
  places.push(['/openapi.json', await (await fetch(`${served.url}/openapi.json`)).text()]);
  places.push(['the console', await (await fetch(served.url, { headers: { Accept: 'text/html' } })).text()]);
  const files = (): [string, string][] =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== 'root-key')
      .map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name), 'latin1')]);
  places.push(...files());
  await served.close();
  places.push(...files());

  expect(places.map(([place]) => place)).toContain('store.db');
  expect(lines.length).toBeGreaterThan(13);
  const found = places.flatMap(([place, text]) => [...told].filter((secret) => text.includes(secret)).map(() => place));
  expect(found).toEqual([]);
}, 30_000);
