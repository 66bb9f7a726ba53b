// What replies mean, and what the first use of a new key proves.
import { describe, expect, it } from 'vitest';
import { parseJson, type Json } from '../../../../src/base/json.ts';
import { Secret } from '../../../../src/base/secret.ts';
import { ApiFailure } from '../../../../src/client/failure.ts';
import type { FailureClass, ApiClient } from '../../../../src/client/types.ts';
import { isAccepted } from '../../../../src/client/pages.ts';
import { requestOf } from '../../../../src/plan/diff/draft.ts';
import { apiKey } from '../../../../src/kinds/api-key/api-key.ts';
import type { Step } from '../../../../src/model/outcome/plan.ts';

const signal = new AbortController().signal;
const BIG = '9007199254740993';

function step(action: 'create' | 'revoke', id: string | null): Step {
  const { method, path, body } = requestOf(apiKey, action, {
    projectId: null,
    parentId: null,
    id,
    attributes: { name: 'ci' },
    live: null,
  });
  return {
    id: 's',
    address: 'api_keys/ci',
    kind: 'api_key',
    action,
    projectId: null,
    method,
    path,
    body,
    needs: [],
    expects: { state: 'absent', joins: { where: { name: 'ci' }, known: [] } },
    achieves: { name: 'ci' },
    options: {},
  };
}

describe('the reply to a creation', () => {
  it('gives the id exactly, the record, and the value as a secret', () => {
    const reply = parseJson(`{"id": ${BIG}, "key": "napi_x", "name": "ci", "created_at": "2026-01-01T00:00:00Z"}`);
    const outcome = apiKey.outcome(step('create', null), reply);
    expect(outcome).toMatchObject({
      id: BIG,
      operations: [],
      record: { name: 'ci', id: BIG, created_at: '2026-01-01T00:00:00Z' },
    });
    expect(outcome?.secret?.reveal()).toBe('napi_x');
    expect(JSON.stringify(outcome)).not.toContain('napi_x');
  });

  it('may be as short as the API reference shows it', () => {
    expect(apiKey.outcome(step('create', null), { id: 7, key: 'napi_x' })).toMatchObject({
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
    it(`is unusable with ${what}`, () => expect(apiKey.outcome(step('create', null), reply)).toBeNull());
});

it('nothing recognises a key whose reply was lost, and a shell can remove a key without a credential in an argument', () => {
  expect(apiKey.recognise(step('create', null))).toBe('nothing');
  expect(apiKey.record?.removedBy?.('https://api.example.test/api_keys/7')).toBe(
    `printf 'Authorization: Bearer %s' "$TRUEUP_API_KEY" | curl -X DELETE -H @- 'https://api.example.test/api_keys/7'`,
  );
});

describe('the first use of a new key', () => {
  const failure = (status: number | null, failureClass: FailureClass, isFromService = false): ApiFailure =>
    new ApiFailure('no', { failureClass, method: 'GET', path: '/projects', status, isFromService });
  const cases: Record<string, { fails: Error | null; proved: boolean | 'throws' }> = {
    'is answered': { fails: null, proved: true },
    'is not authorized': { fails: failure(401, 'refused', true), proved: false },
    'is stopped by a gate in between': { fails: failure(401, 'refused'), proved: 'throws' },
    'is refused for another reason': { fails: failure(400, 'refused'), proved: 'throws' },
    'is forbidden': { fails: failure(403, 'refused'), proved: 'throws' },
    'is answered with what cannot be read': { fails: failure(200, 'unusable'), proved: 'throws' },
    'is redirected': { fails: failure(302, 'refused'), proved: 'throws' },
    'meets a broken service': { fails: failure(500, 'ambiguous'), proved: 'throws' },
    'meets no service': { fails: failure(null, 'not_sent'), proved: 'throws' },
    'is interrupted': { fails: new DOMException('stop', 'AbortError'), proved: 'throws' },
  };
  it.each(Object.entries(cases))('%s', async (_what, { fails, proved }) => {
    const used: string[] = [];
    const client: ApiClient = {
      baseUrl: 'https://api.example.test',
      turn: async () => Promise.reject(new Error('a proof writes nothing')),
      isPaced: () => false,
      requests: () => 0,
      postgresAddress: () => null,
      serverTime: () => 0,
      clockDoubt: () => null,
      get: async <T>() => (fails === null ? Promise.resolve({ projects: [] } as T) : Promise.reject(fails)),
      write: async () => Promise.reject(new Error('a proof writes nothing')),
      pauseAfter: async () => Promise.resolve(''),
      usesCredential: () => false,
      withCredential: (secret) => {
        used.push(secret.reveal());
        return client;
      },
    };
    const proof = isAccepted(client, new Secret('napi_x'), signal);
    if (proved === 'throws') await expect(proof).rejects.toBe(fails);
    else expect(await proof).toBe(proved);
    expect(used).toEqual(['napi_x']);
  });
});
