// The stored record says when its key was made, also where the reply to the creation does not (api-rules 2.3).
import { describe, expect, it } from 'vitest';
import type { ExchangeFault } from '../../../../src/control-plane/faults/plan.ts';
import type { Switches } from '../../../../src/control-plane/index.ts';
import { openSite } from '../../../support/site.ts';

const FILE = 'version: 1\napi_keys: { ci: { secret: { exec: vault } } }\n';

interface Made {
  readonly record: Readonly<Record<string, unknown>>;
  readonly createdAt: string;
  readonly requests: readonly string[];
}

async function make(keyCreateReply: Switches['keyCreateReply'], fault?: ExchangeFault): Promise<Made> {
  const { apply, controlPlane, vault } = openSite({ file: FILE, switches: { keyCreateReply } });
  // The plan, the look before the step, then the one for the record.
  if (fault !== undefined)
    controlPlane.setFaults({ rules: [{ when: { method: 'GET', path: '/api_keys', after: 2 }, times: 5, fault }] });
  const { sent } = await apply();
  const live = controlPlane.truth.keys().find(({ name }) => name === 'ci');
  return {
    record: JSON.parse(vault.get('vault') ?? '{}') as Made['record'],
    createdAt: new Date(live?.createdMs ?? 0).toISOString(),
    requests: sent,
  };
}

describe('a record', () => {
  const [LIST, CREATE, USE] = ['GET /api_keys', 'POST /api_keys', 'GET /projects'];
  it.each([
    ['reply tells, without another request', 'with_name', [LIST, CREATE, USE, LIST]],
    ['list tells where the reply has only id and value', 'id_and_key', [LIST, CREATE, LIST, USE, LIST]],
  ] as const)('has the time that the %s', async (_what, keyCreateReply, asked) => {
    const { record, createdAt, requests } = await make(keyCreateReply);
    expect(record['created_at']).toBe(createdAt);
    expect(requests).toEqual(asked);
  });

  it.each<readonly [string, ExchangeFault]>([
    ['fails', { kind: 'reply', status: 500, commit: false }],
    ['is refused', { kind: 'reply', status: 403, commit: false }],
    ['does not show the key yet', { kind: 'list', how: 'empty' }],
  ])('is stored without the time when the list %s: the value does not wait', async (_what, fault) => {
    const { record } = await make('id_and_key', fault);
    expect(record).toMatchObject({ name: 'ci', created_at: null });
    expect(record['key']).toMatch(/^napi_/);
  });
});
