// Nothing dropped: every member of every body is stored and shown, or refused by its name; the page of the documentation says which.
import { describe, expect, it } from 'vitest';
import { committedPage } from '../../docs/committed.ts';
import { MAIN, SHOP, makeWorld, type TestWorld } from '../world.ts';
import { pageOf } from './page.ts';
import { requests, withValue, type View } from './requests.ts';
import { rows } from './rows.ts';
import { allMembers } from './schema-members.ts';

const members = allMembers();
const nameOf = ({ request, path }: { readonly request: string; readonly path: string }): string => `${request} ${path}`;

/** A world whose default branch has one role more than at its beginning. */
async function worldWithRole(): Promise<TestWorld> {
  const world = makeWorld();
  await world.send('POST', `${SHOP}/branches/${MAIN}/roles`, { role: { name: 'app' } });
  await world.pass(5000);
  return world;
}

function valueAt(view: View, path: string): unknown {
  return path.split('.').reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], view);
}

const requestOf = (name: string): (typeof requests)[string] => {
  const request = requests[name];
  if (request === undefined) throw new Error(`nothing is said of how ${name} is sent`);
  return request;
};
/** The status of a request with this value, which does nothing and names the member. */
async function refusal(name: string, path: string, value: unknown): Promise<number> {
  const world = makeWorld();
  const { base, send } = requestOf(name);
  const { status, body } = await send(world, withValue(base, path, value));
  expect(body.message).toContain(path.split('.').at(-1) ?? '');
  expect(world.plane.ledger()).toHaveLength(1);
  return status;
}

describe('the rows', () => {
  it('are one for each member that the wire schemas have, and no other', () => {
    expect(rows.map(nameOf).sort()).toEqual(members.map(nameOf).sort());
  });

  it('are the README beside them', async () => {
    const { committed, current } = await committedPage('test/control-plane/members/README.md', pageOf(rows));
    expect(committed).toBe(current);
  });
});

const stored = rows.filter(({ shown }) => shown !== undefined);

it.each(stored.map((row) => [nameOf(row), row] as const))('a member that is shown: %s', async (_name, row) => {
  const { base, send, view } = requestOf(row.request);
  const around = Object.entries(row.with ?? {}).reduce((body, [path, value]) => withValue(body, path, value), base);
  const shownAfter = async (body: object): Promise<unknown> => {
    const world = await worldWithRole();
    const answer = await send(world, body);
    if (answer.status >= 300) return `refused: ${answer.status} ${answer.body.message}`;
    await world.pass(10_000);
    return valueAt(await view(world, answer), row.shown ?? '');
  };
  const expected = row.as === null ? undefined : (row.as ?? row.value);
  expect(await shownAfter(withValue(around, row.path, row.value))).toEqual(expected);
  expect(await shownAfter(around)).not.toEqual(expected);
});

const refused = rows.filter(({ shown }) => shown === undefined);

it.each(refused.map((row) => [nameOf(row), row] as const))('a member that is refused: %s', async (_name, row) => {
  expect(await refusal(row.request, row.path, row.value)).toBe(row.status);
});

it.each(members.map((member) => [nameOf(member), member] as const))(
  'a value of another type: %s is a 400',
  async (_name, { request, path, wrong }) => expect(await refusal(request, path, wrong)).toBe(400),
);
