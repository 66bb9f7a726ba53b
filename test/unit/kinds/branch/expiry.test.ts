// When a branch expires: what the service would refuse is held back, and a time that is past asks for nothing any more.
import { describe, expect, it } from 'vitest';
import type { World } from '../../../../src/control-plane/index.ts';
import { openSite } from '../project/site.ts';

const MAIN = 'br-wispy-meadow-118737';
const world: World = {
  version: 1,
  projects: [
    {
      name: 'shop',
      id: 'spring-example-302709',
      branches: [
        { id: MAIN, name: 'main', default: true },
        { id: 'br-calm-sea-220011', name: 'kept', parent_id: MAIN, protected: true },
        { id: 'br-old-river-991122', name: 'parent', parent_id: MAIN },
        { id: 'br-cold-star-771133', name: 'child', parent_id: 'br-old-river-991122' },
      ],
    },
  ],
};
const file = (branches: string): string => `version: 1\nprojects: { shop: { branches: { ${branches} } } }\n`;

describe('an expiry that the service would refuse', () => {
  it.each([
    ['of the default branch', 'main: { ttl: 7d }', 'it is the default branch'],
    ['of a protected branch', 'kept: { ttl: 7d }', 'it is protected'],
    ['of a branch with a child that no file lists', 'parent: { ttl: 7d }', 'it has the child br-cold-star-771133'],
    ['too far ahead', 'child: { expires_at: 2099-01-01T00:00:00Z }', 'more than 30 days ahead'],
    [
      'too far ahead, of one that is to be made',
      'next: { expires_at: 2099-01-01T00:00:00Z }',
      'more than 30 days ahead',
    ],
  ])('is held back: one %s', async (_name, branches, words) => {
    const { plan } = await openSite({ seed: world }).plan(file(branches), ['expire:shop/**']);
    expect(plan.steps).toEqual([]);
    const [change] = plan.changes.filter(({ action }) => action !== 'none');
    expect(change?.blockedBy).toEqual(['refused']);
    expect(change?.notes.join()).toContain(words);
  });

  it('goes where nothing speaks against it', async () => {
    const { plan } = await openSite({ seed: world }).plan(file('child: { ttl: 7d }'), ['expire:shop/**']);
    expect(plan.steps).toHaveLength(1);
  });
});

describe('an expiry that is past', () => {
  it.each([
    ['a branch that lives', 'child: { expires_at: 2020-01-01T00:00:00Z }'],
    [
      'a branch that lives and differs otherwise',
      'child: { expires_at: 2020-01-01T00:00:00Z, name: other, id: br-cold-star-771133 }',
    ],
    ['a branch that is gone', 'gone: { expires_at: 2020-01-01T00:00:00Z }'],
  ])('asks nothing of %s, and is told', async (_name, branches) => {
    const { plan } = await openSite({ seed: world }).plan(file(branches), ['expire:shop/**']);
    expect(plan.changes.filter(({ action }) => action !== 'none')).toEqual([]);
    expect(plan.diagnostics.map(({ code }) => code)).toContain('expired');
  });
});
