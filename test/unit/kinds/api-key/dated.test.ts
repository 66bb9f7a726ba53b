// Protects rotations from a service that dates what it makes by another clock than its replies: the journal tells when a run made a key.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { datedBy } from '../../../../src/kinds/api-key/facts/facts.ts';
import { liveKey } from '../../../../src/kinds/api-key/live-key.ts';
import { key, NOW_MS } from './world.ts';

const HOUR_MS = 3_600_000;
/** Made two hours ago, as the list tells it. */
const LISTED = [liveKey(key({ id: '42', made: '2h' }))];
const TOLD_MS = NOW_MS - 2 * HOUR_MS;

const answered = (atMs: number, madeAtMs: number | null, id: string = '42'): JsonObject => {
  return { kind: 'api_key', address: 'api_keys/ci', id, made_at_ms: madeAtMs, answered_at_ms: atMs };
};

describe('a key of ours was made', () => {
  it.each<[string, JsonObject, number | undefined]>([
    ['when the reply came, where the list repeats what it told', answered(NOW_MS, TOLD_MS), NOW_MS],
    ['then also when that was before', answered(TOLD_MS - HOUR_MS, TOLD_MS), TOLD_MS - HOUR_MS],
    ['when the service says, within a minute', answered(TOLD_MS + 59_000, TOLD_MS), undefined],
    [
      'when the service says, where the reply told another time: it is another key',
      answered(NOW_MS, NOW_MS),
      undefined,
    ],
    ['not before the reply came, where that told no time', answered(NOW_MS, null), NOW_MS],
    ['nor before the service says', answered(TOLD_MS - HOUR_MS, null), TOLD_MS],
    ['when the service says, where the journal speaks of another', answered(NOW_MS, TOLD_MS, '41'), undefined],
  ])('%s', (_, line, expected) => {
    expect(datedBy([line], LISTED)['42']).toBe(expected);
  });
});
