// Protects other people's keys, and stored ones: which keys count as what an interrupted run of ours left behind.
import { expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { SinkFact } from '../../../../src/kinds/api-key/facts/facts.ts';
import { leftoversOf } from '../../../../src/kinds/api-key/facts/leftovers.ts';
import { liveKey } from '../../../../src/kinds/api-key/live-key.ts';
import { inMs } from './times.ts';
import { key, NOW_MS } from './world.ts';

const ADDRESS = 'api_keys/ci';
/** Its owner is dead, its reply never came. */
const LOST: JsonObject = {
  kind: 'api_key',
  address: ADDRESS,
  pool: { name: 'ci' },
  known: ['41'],
  id: null,
  state: 'open',
  alive: false,
  stored_since: null,
  at_ms: NOW_MS - inMs('1h'),
};
const ANSWERED: JsonObject = { ...LOST, id: '42', made_at_ms: NOW_MS - inMs('1h') };
const old = key({ id: '41', made: '60d', used: '1h' });
const made = key({ id: '42', made: '1h' });
const holding = (id: string | null, state: SinkFact['state'] = 'stored'): SinkFact => ({
  label: 'file:ci.json',
  state,
  id,
  name: null,
  reason: null,
  warning: null,
  isOurs: false,
});

interface Case {
  readonly intents?: readonly JsonObject[];
  readonly live?: readonly ReturnType<typeof key>[];
  readonly sinks?: readonly SinkFact[];
  readonly orphans: readonly string[];
  /** Those of them that no place can hold. */
  readonly unstored?: readonly string[];
  /** Those that no answer told; as `unstored` unless told. */
  readonly probable?: readonly string[];
  readonly uncertain?: readonly string[];
}

const cases: Record<string, Case> = {
  'the newcomer of a lost reply': { orphans: ['42'], unstored: ['42'] },
  'the key that a reply named': { intents: [ANSWERED], orphans: ['42'], unstored: [] },
  'such a key, although another was stored since': {
    intents: [{ ...ANSWERED, stored_since: '43' }],
    orphans: ['42'],
    unstored: ['42'],
    probable: [],
  },
  'no key that was stored since': { intents: [{ ...LOST, stored_since: '42' }], orphans: [] },
  'no answered key that all places hold': { intents: [ANSWERED], sinks: [holding('42')], orphans: [] },
  'no newcomer that all places hold': { sinks: [holding('42'), holding('42')], orphans: [] },
  'an answered key that one of two places lacks': {
    intents: [ANSWERED],
    sinks: [holding('42'), holding(null, 'absent')],
    orphans: ['42'],
    unstored: [],
  },
  'nothing of a living run': { intents: [{ ...LOST, alive: true }], orphans: [] },
  'nothing of a run of which nobody knows whether it lives': {
    intents: [{ ...LOST, alive: null }],
    orphans: [],
  },
  'nothing of another name': { intents: [{ ...LOST, pool: { name: 'other' } }], orphans: [] },
  'nothing that was used': { live: [old, key({ id: '42', made: '1h', used: '1m' })], orphans: [] },
  'nothing that was there before': { live: [key({ id: '41', made: '1h' })], orphans: [] },
  'what was made a minute before the request by the clock of the service': {
    live: [key({ id: '42', made: '61m' })],
    orphans: ['42'],
    unstored: ['42'],
  },
  'what was made a quarter of an hour after it': {
    live: [key({ id: '42', made: '45m' })],
    orphans: ['42'],
    unstored: ['42'],
  },
  'nothing that was made longer before': { live: [key({ id: '42', made: '62m' })], orphans: [], uncertain: ['42'] },
  'nothing that was made hours before': { live: [key({ id: '42', made: '3h' })], orphans: [], uncertain: ['42'] },
  'nothing that was made later': { live: [key({ id: '42', made: '44m' })], orphans: [], uncertain: ['42'] },
  'what an answer named and dated, whatever the clocks say': {
    intents: [{ ...ANSWERED, at_ms: NOW_MS - inMs('3d') }],
    orphans: ['42'],
    unstored: [],
  },
  'the same where the list tells whole seconds': {
    intents: [{ ...ANSWERED, made_at_ms: NOW_MS - inMs('1h') + 999 }],
    orphans: ['42'],
    unstored: [],
  },
  'no key of the same id that was made at another time: a new store counts from the same number': {
    intents: [ANSWERED],
    live: [key({ id: '42', made: '59m' })],
    orphans: [],
  },
  'no such key that was made before': { intents: [ANSWERED], live: [key({ id: '42', made: '3d' })], orphans: [] },
  'what an answer named without its time, made then': {
    intents: [{ ...ANSWERED, made_at_ms: null }],
    orphans: ['42'],
    unstored: [],
  },
  'nothing that an answer named without its time, made at another one': {
    intents: [{ ...ANSWERED, made_at_ms: null }],
    live: [key({ id: '42', made: '3d' })],
    orphans: [],
    uncertain: ['42'],
  },
  'nothing that an answer named, where the list tells no time': {
    intents: [{ ...ANSWERED, at_ms: null }],
    live: [key({ id: '42', made: null })],
    orphans: [],
    uncertain: ['42'],
  },
  'nothing when the time of the request is lost': {
    intents: [{ ...LOST, at_ms: null }],
    orphans: [],
    uncertain: ['42'],
  },
  'no key whose age the service does not tell': {
    live: [key({ id: '42', made: null })],
    orphans: [],
    uncertain: ['42'],
  },
  'neither of two newcomers for one lost reply': {
    live: [made, key({ id: '43', made: '1h' })],
    orphans: [],
    uncertain: ['42', '43'],
  },
  'neither of two newcomers for two lost replies of which one was lost the day before': {
    intents: [{ ...LOST, at_ms: NOW_MS - inMs('25h') }, LOST],
    live: [made, key({ id: '43', made: '1h' })],
    orphans: [],
    uncertain: ['42', '43'],
  },
  'the newcomer of the time beside one that came later': {
    live: [made, key({ id: '43', made: '5m' })],
    orphans: ['42'],
    unstored: ['42'],
    uncertain: ['43'],
  },
  'both newcomers for two lost replies': {
    intents: [LOST, LOST],
    live: [made, key({ id: '43', made: '1h' })],
    orphans: ['42', '43'],
    unstored: ['42', '43'],
  },
  'the newcomer beside the one that another reply named': {
    intents: [LOST, { ...LOST, id: '43' }],
    live: [made, key({ id: '43', made: '1h' })],
    orphans: ['42', '43'],
    unstored: ['42'],
    probable: ['42'],
  },
  'the newcomers of two replies, of which the second was lost when the first key was there': {
    intents: [LOST, { ...LOST, known: ['41', '42'] }],
    live: [made, key({ id: '43', made: '1h' })],
    orphans: ['42', '43'],
    unstored: ['42', '43'],
  },
  'only the newest of three newcomers for two such replies': {
    intents: [LOST, { ...LOST, known: ['41', '42', '43'] }],
    live: [made, key({ id: '43', made: '1h' }), key({ id: '44', made: '1h' })],
    orphans: ['44'],
    unstored: ['44'],
    uncertain: ['42', '43'],
  },
  'no newcomer of two for replies that were lost at different times': {
    intents: [LOST, { ...LOST, known: ['41', '40'] }],
    live: [made, key({ id: '43', made: '1h' })],
    orphans: [],
    uncertain: ['42', '43'],
  },
  'nothing for an intent that cannot be read': {
    intents: [
      { ...LOST, pool: null },
      { ...LOST, known: 'x' },
      { ...LOST, pool: { name: 7 } },
    ],
    orphans: [],
  },
};

it.each(Object.entries(cases))(
  'counts %s',
  (_what, { intents = [LOST], live = [old, made], sinks = [], ...expected }) => {
    const found = leftoversOf(intents, live.map(liveKey), { [ADDRESS]: sinks });
    const { orphans, unstored = [], probable = unstored, uncertain = [] } = expected;
    expect(found).toEqual({ orphans, unstored, probable, uncertain });
  },
);
