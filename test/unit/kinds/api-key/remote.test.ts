// What the replies to the creation of a key mean.
import { describe, expect, it } from 'vitest';
import { parseJson, type Json } from '../../../../src/base/json.ts';
import { apiKey } from '../../../../src/kinds/api-key/api-key.ts';
import { declared, planOf } from './world.ts';

const BIG = '9007199254740993';

const DESIRED = [declared({ secret: { file: 'ci.json' } })];
const [STEP] = planOf({ desired: DESIRED, live: [], facts: { sinks: 'absent' } }).steps;
if (STEP === undefined) throw new Error('a key is made');

describe('the reply to a creation', () => {
  it('gives the id exactly, the record, and the value as a secret', () => {
    const reply = parseJson(`{"id": ${BIG}, "key": "napi_x", "name": "ci", "created_at": "2026-01-01T00:00:00Z"}`);
    const outcome = apiKey.outcome(STEP, reply);
    expect(outcome).toMatchObject({
      id: BIG,
      operations: [],
      record: { name: 'ci', id: BIG, created_at: '2026-01-01T00:00:00Z' },
    });
    expect(outcome?.secret?.reveal()).toBe('napi_x');
    expect(JSON.stringify(outcome)).not.toContain('napi_x');
  });

  it('may be as short as the API reference shows it', () => {
    expect(apiKey.outcome(STEP, { id: 7, key: 'napi_x' })).toMatchObject({
      id: '7',
      record: { name: 'ci', id: '7', created_at: null },
    });
  });

  const unusable: Record<string, Json> = {
    nothing: null,
    'no key': { id: 7 },
    'no id': { key: 'napi_x' },
    'an id that is none': { id: '../7', key: 'napi_x' },
    'another name': { id: 7, key: 'napi_x', name: 'other' },
    'a list': [],
  };
  for (const [what, reply] of Object.entries(unusable))
    it(`is unusable with ${what}`, () => expect(apiKey.outcome(STEP, reply)).toBeNull());
});

it('nothing recognises a key whose reply was lost, and a shell can remove a key without a credential in an argument', () => {
  expect(apiKey.recognise(STEP)).toBe('nothing');
  expect(apiKey.record?.removedBy?.('https://api.example.test/api_keys/7')).toBe(
    `printf 'Authorization: Bearer %s' "$TRUEUP_API_KEY" | curl -X DELETE -H @- 'https://api.example.test/api_keys/7'`,
  );
});
