// The rules that hold for every key: who may be revoked, what is worth saying of all, and what requests look like.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { rules } from '../../../../src/kinds/api-key/rules/rules.ts';
import { NOW_MS, contextOf, declared, key, type FactsDraft, type KeyDraft } from './world.ts';
import { requestOf } from '../../../../src/plan/diff/draft.ts';

const FILE = { secret: { file: 'ci.json' } };

describe('the guard of every revocation', () => {
  const cases: Record<
    string,
    { draft: KeyDraft; facts: FactsDraft; blockedBy: readonly string[]; allowance: string | null }
  > = {
    'the own key': { draft: { id: '7', used: '0s' }, facts: { self: '7' }, blockedBy: ['self'], allowance: null },
    'the own key, known by its value': {
      draft: { id: '7', used: '90d' },
      facts: { self: '7', isSelfSure: true },
      blockedBy: ['self'],
      allowance: null,
    },
    'another key, used some minutes ago': {
      draft: { id: '7', used: '5m' },
      facts: { self: '8' },
      blockedBy: [],
      allowance: null,
    },
    'another key as far as last uses tell, used just now': {
      draft: { id: '7', used: '299s' },
      facts: { self: '8' },
      blockedBy: [],
      allowance: 'api_keys/7',
    },
    'another key for certain, used just now': {
      draft: { id: '7', used: '0s' },
      facts: { self: '8', isSelfSure: true },
      blockedBy: [],
      allowance: null,
    },
    'another key by the value in its place, used just now': {
      draft: { id: '7', used: '0s' },
      facts: { self: '8', sinks: ['7'] },
      blockedBy: [],
      allowance: null,
    },
    'another key by the value in its place, while nobody knows ours': {
      draft: { id: '7', used: '0s' },
      facts: { self: null, sinks: ['7'] },
      blockedBy: [],
      allowance: null,
    },
    'a key in a place that shows no value, used just now': {
      draft: { id: '7', used: '0s' },
      facts: { self: '8', sinks: ['told nothing'] },
      blockedBy: [],
      allowance: 'api_keys/7',
    },
    'nobody knows, used lately': {
      draft: { id: '7', used: '1h' },
      facts: { self: null },
      blockedBy: [],
      allowance: 'api_keys/7',
    },
    'nobody knows, used in the future': {
      draft: { id: '7', used: '-1h' },
      facts: { self: null },
      blockedBy: ['self'],
      allowance: null,
    },
    'nobody knows, used just now': {
      draft: { id: '7', used: '299s' },
      facts: { self: null },
      blockedBy: ['self'],
      allowance: null,
    },
    'nobody knows, used some minutes ago': {
      draft: { id: '7', used: '5m' },
      facts: { self: null },
      blockedBy: [],
      allowance: 'api_keys/7',
    },
    'nobody knows, and its use moved while we looked': {
      draft: { id: '7', used: '1h' },
      facts: { self: null, suspects: ['7', '8'] },
      blockedBy: ['self'],
      allowance: null,
    },
    'nobody knows, and the use of another one moved': {
      draft: { id: '7', used: '1h' },
      facts: { self: null, suspects: ['8'] },
      blockedBy: [],
      allowance: 'api_keys/7',
    },
    'nobody knows, and its use moved, but a place holds it and its value is not ours': {
      draft: { id: '7', used: '0s' },
      facts: { self: null, sinks: ['7'], suspects: ['7'] },
      blockedBy: [],
      allowance: null,
    },
    'nobody knows, used long ago': {
      draft: { id: '7', used: '90d' },
      facts: { self: null },
      blockedBy: [],
      allowance: 'api_keys/7',
    },
    'nobody knows, and the journal says that a crash left it': {
      draft: { id: '7' },
      facts: { self: null, orphans: ['7'] },
      blockedBy: [],
      allowance: 'api_keys/7',
    },
  };
  it.each(Object.entries(cases))('%s', (_what, { draft, facts, blockedBy, allowance }) => {
    expect(rules.removalGuard?.(key(draft), contextOf(facts))).toMatchObject({ blockedBy, allowance });
  });
});

it('tells a key from the same one that was limited to a project since', () => {
  const marks = (more: JsonObject): unknown => {
    const live = key({ id: '7', made: '8d' });
    return rules.fingerprint({ ...live, spec: { ...live.spec, ...more } }).lasting;
  };
  expect(marks({})).toMatchObject({ project_id: null });
  expect(marks({ project_id: 'p-1' })).toMatchObject({ project_id: 'p-1' });
});

describe('the survey of all keys', () => {
  const survey = (drafts: readonly KeyDraft[]) =>
    rules.survey?.({ live: drafts.map(key), unmanaged: [], context: contextOf() }) ?? [];

  it('names those never used or not for 90 days, but not those just made', () => {
    const found = survey([
      { id: '1', used: '89d' },
      { id: '2', used: '90d', name: 'old' },
      { id: '3', made: '1h' },
      { id: '4', made: '2d', name: 'idle' },
    ]);
    expect(found).toMatchObject([{ severity: 'warning', code: 'unused_keys' }]);
    expect(found[0]?.message).toMatch(/^2 keys never used or not for 90 days: "old" \(id 2, .* and "idle" \(id 4, /);
  });

  it('says nothing of use where the service shows none at all', () => {
    expect(survey([{ id: '1' }, { id: '2' }])).toEqual([]);
  });

  it.each([
    [8999, []],
    [9000, ['many_keys']],
  ])('with %i keys warns of %o', (count, codes) => {
    const drafts = Array.from({ length: count }, (_, at) => ({ id: String(at + 1), used: '1h' }));
    expect(survey(drafts).map(({ code }) => code)).toEqual(codes);
  });
});

it('the requests are those of the API page, and an id that is no id never enters a path', () => {
  const ask = (action: 'create' | 'rotate' | 'revoke', id: string | null) =>
    requestOf(rules, action, { projectId: null, parentId: null, id, attributes: { name: 'ci' }, live: null });
  expect(ask('create', null)).toEqual({ method: 'POST', path: '/api_keys', body: { key_name: 'ci' } });
  expect(ask('rotate', null)).toEqual({ method: 'POST', path: '/api_keys', body: { key_name: 'ci' } });
  expect(ask('revoke', '9007199254740993')).toEqual({
    method: 'DELETE',
    path: '/api_keys/9007199254740993',
    body: null,
  });
  for (const id of ['', '1/../2', '1?x', '-1', '1e3', ' 1']) expect(() => ask('revoke', id)).toThrow('a row of digits');
});

it('a step that makes a key carries where its value goes, and no other step does', () => {
  const desired = declared({ ...FILE, rotate: { every: '90d' } });
  expect(rules.stepOptions('create', desired, 0)).toEqual({ secret: [{ file: 'ci.json' }] });
  expect(rules.stepOptions('rotate', desired, 0)).toEqual({ secret: [{ file: 'ci.json' }] });
  expect(rules.stepOptions('revoke', desired, 0)).toEqual({});
  expect(rules.stepOptions('revoke', null, 0)).toEqual({});
});

it('the plan names the contingency of a creation, and that a revocation is for good', () => {
  const effect = (action: 'create' | 'revoke') =>
    rules.effects[action]?.({
      action,
      before: null,
      after: null,
      attributes: [],
      around: [],
      live: action === 'create' ? null : key({ id: '1', used: '3h' }),
      project: null,
    });
  expect(effect('create')).toMatchObject({
    impact: ['secret_created'],
    notes: [expect.stringContaining('the new key is revoked') as string],
  });
  expect(effect('revoke')).toEqual({
    impact: ['permanent'],
    details: {},
    notes: ['last used 2026-06-01T09:00:00.000Z from 192.0.2.7'],
  });
  expect(NOW_MS).toBe(Date.parse('2026-06-01T12:00:00Z'));
});
