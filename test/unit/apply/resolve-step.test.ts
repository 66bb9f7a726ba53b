// Protects the last change of a step before it is sent: ids that this run made, the end of a lease, and the mark of the run.
import { describe, expect, it } from 'vitest';
import type { Expectation, Step } from '../../../src/model/outcome/plan.ts';
import { completed, hasUnknowns, resolveStep } from '../../../src/apply/step/resolve-step.ts';

const MOMENT = { nowMs: Date.parse('2026-01-01T00:00:00Z'), runId: 'run-7', projectId: 'shop-1' };

describe('the moment of sending completes', () => {
  it.each([
    ['a lease', { expires_at: { ttl_seconds: 60 } }, { expires_at: '2026-01-01T00:01:00.000Z' }],
    ['a mark of the run', { value: { 'trueup.run': { run_id: true } } }, { value: { 'trueup.run': 'run-7' } }],
    ['a mark of a set', { value: { 'trueup.set': { set: 'pr' } } }, { value: { 'trueup.set': 'shop-1/pr' } }],
  ] as const)('%s', (_, body, wanted) => {
    expect(completed(structuredClone(body) as never, MOMENT)).toEqual(wanted);
  });

  it('no body at all', () => expect(completed(null, MOMENT)).toBeNull());

  it.each([
    { pgbouncer_settings: { ttl_seconds: 60 } },
    { expires_at: { ttl_seconds: '60' } },
    { expires_at: { ttl_seconds: 60, more: 1 } },
    { expires_at: [{ ttl_seconds: 60 }] },
    { pg_settings: { run_id: true } },
    { 'trueup.run': { run_id: 'true' } },
    { 'trueup.run': { run_id: true, more: 1 } },
    { settings: { set: 'pr' } },
    { 'trueup.set': { set: 1 } },
    { 'trueup.set': { set: 'pr', more: 1 } },
  ])('nothing that only looks like it: %j', (body) => {
    expect(completed(structuredClone(body) as never, MOMENT)).toEqual(body);
  });
});

const OLD: Expectation = {
  state: 'present',
  id: 'ep-old',
  attributes: {},
  fingerprint: { lasting: {}, passing: {}, restsOn: [] },
  joins: null,
};

function step(part: Partial<Step>): Step {
  return {
    id: 'update:shop/primary',
    address: 'shop/primary',
    kind: 'compute',
    action: 'update',
    method: 'PATCH',
    path: '/projects/shop-1/endpoints/ep-old',
    projectId: 'shop-1',
    body: { endpoint: {} },
    options: {},
    needs: [],
    expects: OLD,
    achieves: {},
    ...part,
  };
}

const NEXT = { ref: 'shop/branches/next', field: 'id' };
const TAKES: Expectation = { state: 'absent', joins: { where: { branch_id: NEXT }, known: [] } };

describe('a step', () => {
  it.each<[string, Partial<Step>]>([
    ['its project', { projectId: '{shop}' }],
    ['its parent', { parentId: '{shop/branches/next}' }],
    ['its path', { path: '/projects/{shop}/endpoints' }],
    ['its body', { body: { endpoint: { branch_id: NEXT } } }],
    ['what it achieves', { achieves: { branch_id: NEXT } }],
    ['its place', { expects: TAKES }],
    ['its own target', { expects: { ...OLD, id: '{shop/primary}' } }],
  ])('waits for an id in %s, and gets it', (_, part) => {
    const made = new Map([
      ['shop', 'shop-1'],
      ['shop/branches/next', 'br-next'],
      ['shop/primary', 'ep-new'],
    ]);
    const resolved = resolveStep(step(part), made);
    expect([hasUnknowns(step(part)), hasUnknowns(resolved)]).toEqual([true, false]);
    expect(JSON.stringify(resolved)).toMatch(/"(shop-1|br-next|ep-new)"/);
    expect(hasUnknowns(resolveStep(step(part), new Map()))).toBe(true);
  });

  it('that needs no id stays the same object', () => {
    const known = step({});
    expect(hasUnknowns(known)).toBe(false);
    expect(resolveStep(known, new Map([['shop', 'shop-2']]))).toBe(known);
  });

  it('that creates a project does not wait for its own id', () => {
    const place: Expectation = { state: 'absent', joins: { where: { name: 'shop' }, known: [] } };
    const creation = step({ address: 'shop', projectId: '{shop}', path: '/projects', expects: place });
    expect(hasUnknowns(creation)).toBe(false);
    expect(resolveStep(creation, new Map([['shop', 'shop-9']])).projectId).toBe('shop-9');
    expect(hasUnknowns({ ...creation, expects: OLD })).toBe(true);
  });

  it.each(['.', '..', ''])('never has the id %j as a segment of its path', (id) => {
    const path = '/projects/{shop}/endpoints';
    expect(resolveStep(step({ path }), new Map([['shop', id]])).path).toBe(path);
  });

  it('has an id encoded in its path', () => {
    const { path } = resolveStep(step({ path: '/projects/{shop}/endpoints' }), new Map([['shop', 'a/b']]));
    expect(path).toBe('/projects/a%2Fb/endpoints');
  });
});
