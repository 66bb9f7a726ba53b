// Protects waiting from the log: whatever its order, pages and size, the operations are found.
import { describe, expect, it } from 'vitest';
import { OperationService } from './operation-service.ts';
import { settled } from './waiting-support.ts';
import { json } from './world.ts';

describe('an unruly log', () => {
  it.each<[string, (service: OperationService) => void]>([
    [
      'L5: shows everything twice',
      (service) => (service.twist = (entries) => entries.flatMap((entry) => [entry, entry])),
    ],
    ['L8: is oldest first', (service) => (service.twist = (entries) => entries.toReversed())],
    [
      'L6: repeats its cursor',
      (service) => {
        const full = Array.from({ length: 200 }, (_, at) => ({ id: `old-${at}`, action: 'start', status: 'finished' }));
        service.intercept = (path, query) =>
          path.endsWith('/operations')
            ? json({ operations: full.slice(0, Number(query.get('limit'))), pagination: { cursor: 'same' } })
            : null;
      },
    ],
    [
      'L6: is empty, with a cursor',
      (service) => {
        service.intercept = (path) =>
          path.endsWith('/operations') ? json({ operations: [], pagination: { cursor: 'x' } }) : null;
      },
    ],
    [
      'L6: has no pagination and ignores the limit',
      (service) => {
        const many = Array.from({ length: 700 }, (_, at) => ({ id: `old-${at}`, action: 'start', status: 'finished' }));
        service.intercept = (path) => (path.endsWith('/operations') ? json({ operations: many }) : null);
      },
    ],
  ])('%s', async (_name, spoil) => {
    const service = new OperationService();
    spoil(service);
    const operation = service.start('op-1', 900);
    expect((await settled(service, [operation])).end).toBe('finished');
    expect(service.nowMs).toBeLessThan(2000);
    expect(service.requests.length).toBeLessThan(20);
  });

  it('with years of entries is not paged back to its beginning', async () => {
    const service = new OperationService();
    for (let at = 0; at < 2000; at++)
      service.start(`old-${at}`, [{ atMs: 0, status: 'finished' }], { action: 'other' });
    const operation = service.start('op-1', 900, { listedAfterMs: 1e9 });
    expect((await settled(service, [operation])).end).toBe('finished');
    expect(service.requests.length).toBeLessThanOrEqual(16);
  });
});
