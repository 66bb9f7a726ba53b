// The stored record says when its key was made, also where the reply to the creation does not (api-rules 2.3).
import { describe, expect, it } from 'vitest';
import type { ExchangeFault } from '../../../../src/control-plane/faults/plan.ts';
import type { Switches } from '../../../../src/control-plane/index.ts';
import type { Machine } from '../../../../src/reconciler/types.ts';
import { memoryFiles } from '../../../unit/apply/memory-files.ts';
import { openAccount } from '../../reconciler/account.ts';

const FILE = 'version: 1\napi_keys: { ci: { secret: { exec: vault } } }\n';

interface Made {
  readonly record: Readonly<Record<string, unknown>>;
  readonly createdAt: string;
  readonly requests: readonly string[];
}

async function make(keyCreateReply: Switches['keyCreateReply'], fault?: ExchangeFault): Promise<Made> {
  const kept: string[] = [];
  const machine: Machine = {
    fileSystem: memoryFiles(),
    processes: { self: { pid: 1, startTime: '1', host: 'here' }, isAlive: () => false },
    runProgram: async ({ stdin }) => {
      if (stdin !== null) kept.push(stdin);
      return { end: 'exited', code: kept.length > 0 ? 0 : 3, stderr: '', problem: null };
    },
  };
  const account = await openAccount({ file: FILE, switches: { keyCreateReply }, reconciler: { machine } });
  // The plan, the look before the step, then the one for the record.
  if (fault !== undefined)
    account.controlPlane.setFaults({
      rules: [{ when: { method: 'GET', path: '/api_keys', after: 2 }, times: 5, fault }],
    });
  const { after } = await account.apply();
  const live = account.controlPlane.truth.keys().find(({ name }) => name === 'ci');
  account.close();
  return {
    record: JSON.parse(kept[0] ?? '{}') as Made['record'],
    createdAt: new Date(live?.createdMs ?? 0).toISOString(),
    requests: after,
  };
}

describe('a record', () => {
  it('has the time that the reply tells, without another request', async () => {
    const { record, createdAt, requests } = await make('with_name');
    expect(record['created_at']).toBe(createdAt);
    expect(requests).toEqual(['GET /api_keys', 'POST /api_keys', 'GET /projects', 'GET /api_keys']);
  });

  it('has the time that the list tells where the reply has only id and value', async () => {
    const { record, createdAt, requests } = await make('id_and_key');
    expect(record['created_at']).toBe(createdAt);
    expect(requests).toEqual(['GET /api_keys', 'POST /api_keys', 'GET /api_keys', 'GET /projects', 'GET /api_keys']);
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
