// When a branch expires: what the service would refuse is held back, and a time that is past asks for nothing any more.
import { describe, expect, it } from 'vitest';
import type { World } from '../../../../src/control-plane/index.ts';
import { openSite, type Site } from '../../../support/site.ts';
import { MAIN, MAIN_BRANCH, shopWorld } from '../../../support/shop.ts';
import { always } from '../../../support/faults.ts';

const world = shopWorld({
  branches: [
    MAIN_BRANCH,
    { id: 'br-calm-sea-220011', name: 'kept', parent_id: MAIN, protected: true },
    { id: 'br-old-river-991122', name: 'parent', parent_id: MAIN },
    { id: 'br-cold-star-771133', name: 'child', parent_id: 'br-old-river-991122' },
    { id: 'br-misty-field-330021', name: 'leased', parent_id: MAIN, expires_at: '2026-01-20T00:00:00Z' },
  ],
});
const goingAt = (expiresAt: string): World =>
  shopWorld({
    branches: [MAIN_BRANCH, { id: 'br-old-river-9911', name: 'going', parent_id: MAIN, expires_at: expiresAt }],
  });
const file = (branches: string): string => `version: 1\nprojects: { shop: { branches: { ${branches} } } }\n`;

describe('an expiry that the service would refuse', () => {
  it.each([
    ['of the default branch', 'main: { ttl: 7d }', 'the default branch cannot expire'],
    ['of a protected branch', 'kept: { ttl: 7d }', 'a protected branch cannot expire'],
    ['of a branch with a child that no file lists', 'parent: { ttl: 7d }', 'its child is br-cold-star-771133'],
    ['of a branch that is to be the default one', 'leased: { default: true }', 'and cannot be default'],
    ['of a branch that is to be protected', 'leased: { protected: true }', 'and cannot be protected'],
    ['of a branch that is to be a parent', 'leased: {}, next: { from: leased }', 'cannot be a parent'],
    ['too far ahead', 'child: { expires_at: 2099-01-01T00:00:00Z }', 'more than 30 days ahead'],
    ['too far ahead, of one to be made', 'next: { expires_at: 2099-01-01T00:00:00Z }', 'more than 30 days ahead'],
  ])('is held back: one %s', async (_name, branches, words) => {
    const plan = await openSite({ seed: world }).plan(file(branches), ['expire:shop/**']);
    expect(plan.steps).toEqual([]);
    const [change] = plan.changes.filter(({ action }) => action !== 'none');
    expect(change?.blockedBy).toEqual(['refused']);
    expect(change?.notes.join()).toContain(words);
  });

  it('ends before what cannot expire begins', async () => {
    const site = openSite({ seed: world });
    const { result } = await site.apply(file('leased: { default: true, protected: true, expires_at: null }'));
    expect(result.status).toBe('converged');
  });
});

describe('an expiry that is left to others', () => {
  const LEASE = 'leased: { ttl: 3d';
  it.each([
    ['ignored by its key', `${LEASE}, lifecycle: { ignore: [ttl] } }`],
    ['ignored by the name that plans have for it', `${LEASE}, lifecycle: { ignore: [ttl_seconds] } }`],
    ['ignored, and to be cleared', 'leased: { ttl: null, lifecycle: { ignore: [ttl] } }'],
    ['ignored as a time', 'leased: { expires_at: null, lifecycle: { ignore: [expires_at] } }'],
    ['ignored on what cannot expire', 'kept: { ttl: 7d, lifecycle: { ignore: [ttl] } }'],
    ['held where it is', `${LEASE}, lifecycle: { hold: [{ path: ttl, value: 19d, until: 2099-01-01, reason: x }] } }`],
  ])('is let be: %s', async (_name, branches) => {
    const plan = await openSite({ seed: world }).plan(file(branches), ['expire:shop/**']);
    expect(plan.steps).toEqual([]);
    expect(plan.upkeep).toEqual([]);
    expect(plan.changes.flatMap(({ notes, blockedBy }) => [...notes, ...blockedBy])).toEqual([]);
  });

  it.each([
    ['protected', 'leased: { protected: true, ttl: null, lifecycle: { ignore: [ttl] } }', 'cannot be protected'],
    ['a parent', 'leased: { ttl: null, lifecycle: { ignore: [ttl] } }, next: { from: leased }', 'cannot be a parent'],
  ])('still rules out that it is %s', async (_name, branches, words) => {
    const plan = await openSite({ seed: world }).plan(file(branches));
    expect(plan.steps).toEqual([]);
    expect(plan.changes.flatMap(({ notes }) => notes).join()).toContain(words);
  });
});

describe('what is to be kept, of a branch that expires', () => {
  const seed = goingAt('2026-01-20T00:00:00Z');

  it.each([
    ['protected', 'going: { protected: true, ttl: null }'],
    ['the default', 'going: { default: true, expires_at: null }'],
    ['a parent', 'going: { ttl: null }, next: { from: going }'],
    ['a parent of another name', 'gone: { renamed_from: going, ttl: null }, next: { from: gone }'],
  ])('goes where its end is cleared: to be %s', async (_name, written) => {
    const { result } = await openSite({ seed }).apply(file(written));
    expect(result.status).toBe('converged');
  });
});

describe('an expiry of what is protected no more', () => {
  it('is sent when the protection has ended', async () => {
    const plan = await openSite({ seed: world }).plan(file('kept: { protected: false, ttl: 7d }'), ['expire:shop/**']);
    const [first, then] = [...plan.steps].sort((a, b) => a.needs.length - b.needs.length);
    expect([first?.body, then?.body]).toEqual([
      { branch: { protected: false } },
      { branch: { expires_at: { ttl_seconds: 604_800 } } },
    ]);
    expect(then?.needs).toEqual([first?.id]);
  });
});

describe('an expiry that is past', () => {
  it.each([
    ['a branch that lives', 'child: { expires_at: 2020-01-01T00:00:00Z }'],
    [
      'a branch that lives and differs otherwise',
      'child: { expires_at: 2020-01-01T00:00:00Z, name: other, id: br-cold-star-771133 }',
    ],
  ])('asks nothing of %s, and is told', async (_name, branches) => {
    const plan = await openSite({ seed: world }).plan(file(branches), ['expire:shop/**']);
    expect(plan.changes.filter(({ action }) => action !== 'none')).toEqual([]);
    expect(plan.diagnostics.map(({ code }) => code)).toContain('expired');
  });
});

describe('what rests on a branch whose time is over, and that is gone', () => {
  const BELOW =
    'roles: { a: { password: { file: a.json } } }, databases: { d: { owner: a } }, connections: { c: { role: a, database: d, secret: { file: c.json } } }';
  it('is neither made nor missed', async () => {
    const site = openSite({ seed: world });
    const yaml = file(`gone: { expires_at: 2020-01-01T00:00:00Z, ${BELOW} }`).replace(
      ' } } }\n',
      ' }, computes: { c: { branch: gone } } } }\n',
    );
    const plan = await site.plan(yaml);
    expect(plan.changes.filter(({ action }) => action !== 'none')).toEqual([]);
    expect([plan.steps, plan.upkeep, plan.diagnostics.map(({ code }) => code)]).toEqual([[], [], ['expired']]);
    expect((await site.apply(yaml)).result.status).toBe('converged');
  });
});

describe('a lease that ran out', () => {
  const LEASED = file('try: { from: main, ttl: 2h }, main: {}');
  it('is taken again, without a consent, and what was there is told', async () => {
    const site = openSite({ seed: world });
    await site.apply(LEASED);
    await site.clock.advance(3 * 3_600_000);
    const plan = await site.plan(LEASED);
    const [change] = plan.changes.filter(({ action }) => action === 'create');
    expect(change?.blockedBy).toEqual([]);
    expect(change?.notes.join()).toMatch(/expired at .*recover that branch until/);
    expect((await site.apply(LEASED)).result.status).toBe('converged');
  });
});

describe('what is declared on a branch that expired and still lives', () => {
  const BELOW = 'roles: { a: {} }, databases: { d: { owner: a } }';
  /** The service removes what expired some time later. */
  function late(): Site {
    const site = openSite({ seed: goingAt('2026-01-03T00:00:00Z') });
    const value = new Date(site.clock.nowMs() - 60_000).toISOString();
    const going = { kind: 'rewrite', at: 'branches.1.expires_at', value } as const;
    site.controlPlane.setFaults({ rules: [always({ path: '/projects/*/branches' }, going)] });
    return site;
  }
  const on = (branch: string): string =>
    file(branch).replace(' } } }\n', ' }, computes: { c: { branch: going } } } }\n');

  it('is not made where the file has it expire', async () => {
    const site = late();
    const plan = await site.plan(on(`going: { expires_at: 2020-01-01T00:00:00Z, ${BELOW} }`));
    expect([plan.steps, plan.diagnostics.map(({ code }) => code)]).toEqual([[], ['expired']]);
    expect(plan.diagnostics[0]?.message).toContain('nothing is created on it');
    expect(
      plan.changes.filter(({ notes }) => notes.includes('a resource that this resource depends on has expired')),
    ).toHaveLength(3);
  });

  it('is told where the file says nothing of it, and goes where the file keeps it', async () => {
    const plan = await late().plan(on(`going: { ${BELOW} }`));
    expect(plan.steps).toHaveLength(3);
    expect(plan.diagnostics).toMatchObject([
      {
        code: 'expired',
        address: 'shop/branches/going',
        message: expect.stringContaining('will delete the branch with its contents') as string,
      },
    ]);
    for (const kept of ['expires_at: null', 'ttl: 7d'])
      expect((await late().plan(on(`going: { ${kept}, ${BELOW} }`))).diagnostics).toEqual([]);
  });
});
