// The rules that hold for every key: who may be revoked, and which key is another one by now.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { apiKey } from '../../../../src/kinds/api-key/api-key.ts';
import { contextOf, key, type FactsDraft, type KeyDraft } from './world.ts';

describe('the guard of every revocation', () => {
  const cases: Record<string, { draft: Omit<KeyDraft, 'id'>; facts: FactsDraft; isHeld: boolean }> = {
    'the own key': { draft: { used: '0s' }, facts: { self: '7' }, isHeld: true },
    'the own key, known by its value': { draft: { used: '90d' }, facts: { self: '7', isSelfSure: true }, isHeld: true },
    'another key, used some minutes ago': { draft: { used: '5m' }, facts: { self: '8' }, isHeld: false },
    'another key as far as last uses tell, used just now': {
      draft: { used: '299s' },
      facts: { self: '8' },
      isHeld: true,
    },
    'another key for certain, used just now': {
      draft: { used: '0s' },
      facts: { self: '8', isSelfSure: true },
      isHeld: false,
    },
    'another key by the value in its place, used just now': {
      draft: { used: '0s' },
      facts: { self: '8', sinks: '7' },
      isHeld: false,
    },
    'another key by the value in its place, while nobody knows ours': {
      draft: { used: '0s' },
      facts: { self: null, sinks: '7' },
      isHeld: false,
    },
    'a key in a place that shows no value, used just now': {
      draft: { used: '0s' },
      facts: { self: '8', sinks: 'told nothing' },
      isHeld: true,
    },
    'nobody knows, used just now': { draft: { used: '0s' }, facts: { self: null }, isHeld: true },
    'nobody knows, used in the future': { draft: { used: '-1h' }, facts: { self: null }, isHeld: true },
    'nobody knows, used long ago': { draft: { used: '90d' }, facts: { self: null }, isHeld: true },
    'nobody knows, never used': { draft: {}, facts: { self: null }, isHeld: true },
  };
  it.each(Object.entries(cases))('%s', (_what, { draft, facts, isHeld }) => {
    const guard = apiKey.removalGuard?.(key({ id: '7', ...draft }), contextOf(facts));
    expect(guard?.blockedBy).toEqual(isHeld ? ['self'] : []);
  });
});

it('tells a key from the same one that was limited to a project since', () => {
  const marks = (more: JsonObject): unknown => {
    const live = key({ id: '7', made: '8d' });
    return apiKey.fingerprint({ ...live, spec: { ...live.spec, ...more } }).lasting;
  };
  expect(marks({})).toMatchObject({ project_id: null });
  expect(marks({ project_id: 'p-1' })).toMatchObject({ project_id: 'p-1' });
});
