// After a death: the next run makes the account as the file says, with every resource made once and one key that is kept.
import { existsSync, readdirSync } from 'node:fs';
import { expect } from 'vitest';
import { deeds, type Desk } from './desk.ts';
import type { Server } from './server.ts';

export const APPLY = ['apply', '--auto-approve', '--poll-interval', '200ms'];
/** Two computes that are missing. */
export const WISH = { stage: 'branch: staging', reader: 'branch: main, type: read_only' };

/** A key of this name in a file of this name. */
export const fileKey = (name: string): string => `api_keys: { ${name}: { secret: { file: ${name}.json } } }\n`;

/** Runs again: all is as the file says, and a plan finds nothing to do; every resource was made once. */
export async function converges(server: Server, desk: Desk, name: string, args: readonly string[] = []): Promise<void> {
  await runAgain(desk, [...APPLY, ...args]);
  const again = await desk.run(['plan', '--detailed-exitcode', ...args]);
  expect(again.code, again.out + again.err).toBe(0);
  expect(deeds(await desk.ledger())).toEqual(['POST compute', 'POST compute']);
  const ofKey = (await server.ledger()).filter(({ kind }) => kind === 'key').filter((entry) => nameIn(entry) === name);
  const made = ofKey.filter(({ verb }) => verb === 'POST').map(({ id }) => id);
  const revoked = ofKey.filter(({ verb }) => verb === 'DELETE').map(({ id }) => id);
  // Every key but the last is gone, and the last is the one that is kept.
  expect(revoked).toEqual(made.slice(0, -1));
  expect(made.length).toBeLessThanOrEqual(2);
  // Nor is anything left lying about: the one lock is the newest run's, given back or a dead one's where nothing was left to do.
  const files = readdirSync(desk.state('.')).filter((file) => file !== 'secrets');
  expect(files).toEqual(['journal', expect.stringMatching(/^lock\.\d+$/)]);
  if (existsSync(desk.state('secrets'))) expect(readdirSync(desk.state('secrets'))).toEqual([`${name}.json`]);
}

/** A key that a dead run made and kept nowhere is held back until it is allowed, in the words that the run prints; nothing else is. */
export async function runAgain(desk: Desk, args: readonly string[] = APPLY): Promise<void> {
  const next = await desk.run(args);
  if (next.code === 0) return;
  expect(next.code, next.out + next.err).toBe(5);
  const [, consent = ''] = /--allow\s+(revoke:api_keys\/[^\s,]+)/.exec(next.out + next.err) ?? [];
  const allowed = await desk.run([...args, '--allow', consent]);
  expect(allowed.code, next.out + next.err + allowed.out + allowed.err).toBe(0);
}

function nameIn({ before, after }: { readonly before: unknown; readonly after: unknown }): string | undefined {
  return ((after ?? before) as { readonly name?: string }).name;
}
