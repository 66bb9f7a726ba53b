// Replies as other makers of the service send them: what is null there counts as missing, what is wrong stays wrong.
import { describe, expect, it } from 'vitest';
import { checkReply, type EndpointList, type OperationList } from '../../../src/api/index.ts';

const endpoint = (more: object): object => ({
  id: 'ep-a',
  project_id: 'p',
  branch_id: 'br-a',
  type: 'read_write',
  autoscaling_limit_min_cu: 1,
  autoscaling_limit_max_cu: 2,
  ...more,
});

describe('null members', () => {
  it('count as missing where they are used, and are left alone elsewhere', () => {
    const found = checkReply<EndpointList>('EndpointList', {
      endpoints: [
        endpoint({ suspend_timeout_seconds: null, pooler_mode: null, proxy_host: null }),
        endpoint({ pooler_mode: 'transaction' }),
        endpoint({ suspend_timeout_seconds: null }),
      ],
    });
    expect(found).toEqual({
      ok: true,
      value: { endpoints: [endpoint({ proxy_host: null }), endpoint({ pooler_mode: 'transaction' }), endpoint({})] },
    });
  });

  it.each([null, { cursor: null }])('count as missing at the end of a list: pagination %j', (pagination) => {
    const found = checkReply<OperationList>('OperationList', { operations: [], pagination });
    expect(found.ok && found.value.pagination?.cursor).toBeUndefined();
    expect(found.ok).toBe(true);
  });

  it('of what a reply must have, and wrong values beside them, are still problems', () => {
    for (const wrong of [endpoint({ id: null }), endpoint({ pooler_mode: null, branch_id: 7 })])
      expect(checkReply('EndpointList', { endpoints: [wrong] }).ok).toBe(false);
  });
});
