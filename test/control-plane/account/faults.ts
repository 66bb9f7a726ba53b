// The last items of the checklist: no password where none belongs, and each new POST under each fault around its commit.
import { expect } from 'vitest';
import type { FaultRule } from '../../../src/control-plane/index.ts';
import { MAIN, SHOP, STAGING, type Answer, type TestWorld } from '../world.ts';
import { BRANCHES, DATABASES, ROLES, asked, row, type Row } from './row.ts';

/** Every POST that the account has beside those of computes, ready to be sent to the default world. */
const posts: readonly (readonly [name: string, path: string, body: object, before?: readonly [string, string]])[] = [
  ['a project', '/projects', { project: { name: 'x' } }],
  ['a branch', BRANCHES, { branch: { name: 'x' } }],
  ['a role', ROLES, { role: { name: 'x' } }],
  ['a password', `${ROLES}/shop_owner/reset_password`, {}],
  ['a database', DATABASES, { database: { name: 'x', owner_name: 'shop_owner' } }],
  ['a default branch', `${BRANCHES}/${STAGING}/set_as_default`, {}],
  ['a restore', `${BRANCHES}/${STAGING}/restore`, { source_branch_id: MAIN }],
  ['a recovered branch', `${BRANCHES}/${STAGING}/recover`, {}, ['DELETE', `${BRANCHES}/${STAGING}`]],
  ['a recovered project', `${SHOP}/recover`, {}, ['DELETE', SHOP]],
  ['a permission', `${SHOP}/permissions`, { email: 'x@example.com' }],
  ['a key', '/api_keys', { key_name: 'x' }],
];

const faulty = (path: string, fault: FaultRule['fault']): { readonly rules: readonly FaultRule[] } => ({
  rules: [{ when: { method: 'POST', path }, fault }],
});

async function outcome(world: TestWorld, path: string, body: object): Promise<Answer | 'lost'> {
  try {
    return await world.send('POST', path, body);
  } catch {
    return 'lost';
  }
}

const moments = [
  ['before the commit', { kind: 'after-send-before-commit' }, false],
  ['after the commit', { kind: 'after-commit-before-reply' }, true],
  ['within the reply', { kind: 'mid-body' }, true],
  ['in a reply that pretends', { kind: 'pretend' }, false],
] as const;

/** Sends the POST under the fault: all that the ledger has then is what was committed all the same. */
async function requireOutcome(
  world: TestWorld,
  [, path, body, before]: (typeof posts)[number],
  [, fault, isDone]: (typeof moments)[number],
): Promise<void> {
  if (before !== undefined) await asked(world, [...before], 200);
  await world.pass(3000);
  const noted = world.plane.ledger().length;
  world.plane.setFaults(faulty(path, fault));
  await outcome(world, path, body);
  const fresh = world.plane.ledger().slice(noted);
  expect(fresh.length > 0).toBe(isDone);
  expect(fresh.every((entry) => entry.verb === 'POST' && entry.path === path)).toBe(true);
}

const lostReplies = posts.flatMap((post) =>
  moments.map((moment): Row => {
    const says = `${post[0]} that fails ${moment[0]} is ${moment[2] ? 'done' : 'not done'}`;
    return ['8.10', says, (world) => requireOutcome(world, post, moment)];
  }),
);

export const faultRows: readonly Row[] = [
  ...lostReplies,
  row('8.8', 'no password is in a list, the ledger or the export', async (world) => {
    const { roles } = await asked(world, ['POST', '/projects', { project: {} }], 201);
    const { role } = await asked(world, ['POST', `${ROLES}/shop_owner/reset_password`], 200);
    const told = [...(roles as readonly { password: string }[]), role as { password: string }];
    await world.pass(3000);
    const lists = [ROLES, DATABASES, BRANCHES, '/projects', SHOP].map(async (path) => asked(world, ['GET', path], 200));
    const texts = JSON.stringify([await Promise.all(lists), world.plane.ledger(), world.plane.exportWorld()]);
    for (const { password } of told) {
      expect(password).toMatch(/^npg_\w{16}$/);
      expect(texts).not.toContain(password);
    }
  }),
];
