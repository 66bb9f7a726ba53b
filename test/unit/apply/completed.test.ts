// What only the moment of sending tells of a body: the end of a lease and the run's own id, each at its place alone.
import { expect, it } from 'vitest';
import { completed } from '../../../src/apply/step/resolve-step.ts';

const MOMENT = { nowMs: Date.parse('2026-01-01T00:00:00Z'), runId: 'run-7', projectId: 'shop-1' };

it.each([
  ['a lease', { expires_at: { ttl_seconds: 60 } }, { expires_at: '2026-01-01T00:01:00.000Z' }],
  ['a mark of the run', { value: { 'trueup.run': { run_id: true } } }, { value: { 'trueup.run': 'run-7' } }],
  ['settings like a lease', { pgbouncer_settings: { ttl_seconds: 60 } }, { pgbouncer_settings: { ttl_seconds: 60 } }],
  ['settings that look like a mark', { pg_settings: { run_id: true } }, { pg_settings: { run_id: true } }],
  ['a list of such', { expires_at: [{ ttl_seconds: 60 }] }, { expires_at: [{ ttl_seconds: 60 }] }],
] as const)('%s', (_, body, wanted) => {
  expect(completed(structuredClone(body) as never, MOMENT)).toEqual(wanted);
});
