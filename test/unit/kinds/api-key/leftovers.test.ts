// Which keys an interrupted run left: unused ones that its requests explain, and never a key that a sink holds.
import { expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { leftoversIn, type Leftover } from '../../../../src/kinds/api-key/key.ts';
import { contextOf, inMs, key, NOW_MS } from './world.ts';

/** Its run is dead, and its reply never came. */
const LOST: JsonObject = {
  address: 'api_keys/ci',
  pool: { name: 'ci' },
  known: ['41'],
  id: null,
  state: 'open',
  alive: false,
  stored_since: null,
};
const ANSWERED: JsonObject = { ...LOST, id: '42', made_at_ms: NOW_MS - inMs('1h') };
const old = key({ id: '41', made: '60d', used: '1h' });
const made = key({ id: '42', made: '1h' });

interface Case {
  readonly intents?: readonly JsonObject[];
  readonly live?: readonly ReturnType<typeof key>[];
  readonly sinks?: string;
  readonly left: Readonly<Record<string, Leftover>>;
}

const cases: Record<string, Case> = {
  'the newcomer of a lost reply, as a guess': { left: { 42: 'guess' } },
  'the key that a reply named, which a sink may hold': { intents: [ANSWERED], left: { 42: 'stored' } },
  'such a key that no sink can hold, since another was stored later': {
    intents: [{ ...ANSWERED, stored_since: '43' }],
    left: { 42: 'told' },
  },
  'no key that was stored since': { intents: [{ ...LOST, stored_since: '42' }], left: {} },
  'no answered key that all sinks hold': { intents: [ANSWERED], sinks: '42', left: {} },
  'no newcomer that all sinks hold': { sinks: '42, 42', left: {} },
  'an answered key that one of two sinks lacks': { intents: [ANSWERED], sinks: '42, absent', left: { 42: 'stored' } },
  'nothing of a living run': { intents: [{ ...LOST, alive: true }], left: {} },
  'nothing of another name': { intents: [{ ...LOST, pool: { name: 'other' } }], left: {} },
  'nothing that was used': { live: [old, key({ id: '42', made: '1h', used: '1m' })], left: {} },
  'nothing that was there before': { live: [key({ id: '41', made: '1h' })], left: {} },
  'the same key where the list tells whole seconds': {
    intents: [{ ...ANSWERED, made_at_ms: NOW_MS - inMs('1h') + 999 }],
    left: { 42: 'stored' },
  },
  'no key of the same id that was made at another time: a new store counts from the same number': {
    intents: [ANSWERED],
    live: [key({ id: '42', made: '59m' })],
    left: {},
  },
  'a key that a reply named without its time, as a guess': {
    intents: [{ ...ANSWERED, made_at_ms: null }],
    left: { 42: 'guess' },
  },
  'the newcomer beside the one that another reply named': {
    intents: [LOST, { ...ANSWERED, id: '43' }],
    live: [made, key({ id: '43', made: '1h' })],
    left: { 42: 'guess', 43: 'stored' },
  },
  'nothing for an intent that cannot be read': { intents: [{ ...LOST, pool: null }, {}], left: {} },
};

it.each(Object.entries(cases))('counts %s', (_what, { intents = [LOST], live = [old, made], sinks = '', left }) => {
  expect(leftoversIn(intents, live, contextOf({ sinks }).facts)).toEqual(left);
});
