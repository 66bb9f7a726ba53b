// The rules that hold for every key: who may be revoked, and which key is another one by now.
import { expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { apiKey } from '../../../../src/kinds/api-key/api-key.ts';
import { contextOf, key, type FactsDraft } from './world.ts';

const cases: readonly [string, used: string | null, FactsDraft, isHeld: boolean][] = [
  ['the own key', '0s', { self: '7' }, true],
  ['the own key, known by its value', '90d', { self: '7', isSelfSure: true }, true],
  ['another key, used some minutes ago', '5m', { self: '8' }, false],
  ['another key as far as last uses tell, used just now', '299s', { self: '8' }, true],
  ['another key for certain, used just now', '0s', { self: '8', isSelfSure: true }, false],
  ['another key by the value in its place, used just now', '0s', { self: '8', sinks: '7' }, false],
  ['another key by the value in its place, while nobody knows ours', '0s', { self: null, sinks: '7' }, false],
  ['a key in a place that shows no value, used just now', '0s', { self: '8', sinks: 'told nothing' }, true],
  ['nobody knows, used just now', '0s', { self: null }, true],
  ['nobody knows, used in the future', '-1h', { self: null }, true],
  ['nobody knows, used long ago', '90d', { self: null }, true],
  ['nobody knows, never used', null, { self: null }, true],
];

it.each(cases)('the guard of every revocation: %s', (_what, used, facts, isHeld) => {
  const guard = apiKey.removalGuard?.(key({ id: '7', used }), contextOf(facts));
  expect(guard?.blockedBy).toEqual(isHeld ? ['self'] : []);
});

it.each([
  ['holds a key whose last use cannot be read, for it may be used now', 'a while ago', ['self']],
  ['lets a key go that was never used: the service shows an empty text', '', []],
])('%s', (_what, shown, blockedBy) => {
  const { observed, ...own } = key({ id: '7', used: '90d' });
  const live = { ...own, observed: { ...observed, last_used_at: shown } };
  expect(apiKey.removalGuard?.(live, contextOf({ self: '8' })).blockedBy).toEqual(blockedBy);
});

it('tells a key from the same one that was limited to a project since', () => {
  const marks = (more: JsonObject): unknown => {
    const live = key({ id: '7', made: '8d' });
    return apiKey.fingerprint({ ...live, spec: { ...live.spec, ...more } }).lasting;
  };
  expect(marks({})).toMatchObject({ project_id: null });
  expect(marks({ project_id: 'p-1' })).toMatchObject({ project_id: 'p-1' });
});
