// How many requests it costs to keep secrets in their places: none where they are, one look and one reading where one lacks, and no plan asks for a secret.
import { describe, expect, it } from 'vitest';
import { openSite, type Site } from '../../support/site.ts';
import { BRANCH, keptWorld, resetElsewhere } from './kept.ts';

const PROJECT = '/projects/shop-1';
const ROLE = `${PROJECT}/branches/${BRANCH}/roles/owner`;
const LISTS = [
  `GET ${PROJECT}/branches`,
  `GET ${PROJECT}/branches/${BRANCH}/databases`,
  `GET ${PROJECT}/branches/${BRANCH}/roles`,
  `GET ${PROJECT}/endpoints`,
];
const LOG = `GET ${PROJECT}/operations`;
const PASSWORD = 'owner: { password: { file: app.json } }';
const CONNECTION = ', connections: { app: { role: owner, database: orders, secret: { file: uri.json } } }';

const sorted = (requests: readonly string[]): readonly string[] => requests.toSorted();

/** What a plan asks for, and an apply after it. */
async function requestsOf({ plan, apply, seen }: Site): Promise<readonly (readonly string[])[]> {
  const from = seen.length;
  await plan();
  const planned = seen.slice(from);
  const { sent } = await apply();
  return [sorted(planned), sorted(sent)];
}

describe('the requests of a place', () => {
  it.each([
    ['that lacks a password', keptWorld(PASSWORD), [`GET ${ROLE}`, `GET ${ROLE}/reveal_password`]],
    ['that lacks a connection', keptWorld('', {}, CONNECTION), [`GET ${ROLE}`, `GET ${PROJECT}/connection_uri`]],
  ])('%s: two to read it, and then none', async (_what, world, reading) => {
    const account = openSite(world);
    // Whether the service keeps passwords is asked where a sink is empty.
    expect(await requestsOf(account)).toEqual([sorted([...LISTS, LOG, `GET ${PROJECT}`]), sorted(reading)]);
    expect(await requestsOf(account)).toEqual([sorted([...LISTS, LOG]), []]);
  });

  it('that holds an older password, or a connection with it: two to read each, nothing beside', async () => {
    const account = openSite(keptWorld(PASSWORD, {}, CONNECTION));
    await account.apply();
    await resetElsewhere(account, 'owner');
    // Whether the service keeps passwords is asked for each kind of which a sink holds an older secret.
    expect(await requestsOf(account)).toEqual([
      sorted([...LISTS, LOG, `GET ${PROJECT}`, `GET ${PROJECT}`]),
      sorted([`GET ${ROLE}`, `GET ${ROLE}`, `GET ${ROLE}/reveal_password`, `GET ${PROJECT}/connection_uri`]),
    ]);
  });

  it('that is rotated: one write, which tells the new password, and a connection that is read with it', async () => {
    const rotated = 'owner: { password: { file: app.json }, rotate: { not_before: 2025-12-31 } }';
    const account = openSite(keptWorld(rotated, {}, CONNECTION));
    const [planned = [], applied = []] = await requestsOf(account);
    expect(planned).toEqual(sorted([...LISTS, LOG, `GET ${PROJECT}`, `GET ${PROJECT}`]));
    expect(applied.filter((one) => !one.startsWith('GET'))).toEqual([`POST ${ROLE}/reset_password`]);
    expect(applied.filter((one) => /reveal_password|connection_uri/.test(one))).toEqual([
      `GET ${PROJECT}/connection_uri`,
    ]);
    expect(await requestsOf(account)).toEqual([sorted([...LISTS, LOG]), []]);
  });
});
