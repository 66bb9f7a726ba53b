// What the rows of the account reference share: their form, and short ways to ask.
import { expect } from 'vitest';
import { MAIN, SHOP, type Answer, type TestWorld } from '../world.ts';

/** Looks at the control plane that prove what a row says, by `SECTION what it says`. */
export type Rows = Readonly<Record<string, (world: TestWorld) => Promise<void>>>;

export const BRANCHES = `${SHOP}/branches`;
export const ROLES = `${BRANCHES}/${MAIN}/roles`;
export const DATABASES = `${BRANCHES}/${MAIN}/databases`;

export type Body = Readonly<Record<string, unknown>>;
export type Asking = readonly [method: string, path: string, body?: object];

/** Sends a request, expects its status, and returns the body. */
export async function asked(world: TestWorld, [method, path, body]: Asking, status = 200): Promise<Answer['body']> {
  const answer = await world.send(method, path, body);
  expect([method, path, answer.status, answer.body.message]).toEqual([method, path, status, answer.body.message]);
  return answer.body;
}

/** Any text, and one of this form. */
export const text: unknown = expect.any(String);
export const matching = (form: RegExp): unknown => expect.stringMatching(form);

export const at = (world: TestWorld, ms: number): string => new Date(world.clock.nowMs() + ms).toISOString();

/** A request that is refused, with nothing done. */
export function refused(
  request: Asking,
  status: number,
  message: RegExp,
  before: (world: TestWorld) => Promise<unknown> = () => Promise.resolve(),
): Rows[string] {
  return async (world) => {
    await before(world);
    await world.pass(5000);
    const noted = world.plane.ledger().length;
    const body = await asked(world, request, status);
    expect(`${body.message} ${String(body['code'])}`).toMatch(message);
    expect(world.plane.ledger()).toHaveLength(noted);
  };
}
