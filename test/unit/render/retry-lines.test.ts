// Retries on stderr: a host that is gone fills no screen, and nothing is kept from whoever asks for all of it.
import { describe, expect, it } from 'vitest';
import type { ApplyEvent } from '../../../src/model/outcome/event.ts';
import { retryTeller } from '../../../src/render/human/run-log.ts';
import { applyLog } from './every.ts';
import { AT } from './worlds.ts';

const GONE = 'was not sent: nothing accepts connections there';

function retry(path: string, atMs: number, more: { method?: string; attempt?: number; cause?: string } = {}) {
  const { method = 'GET', attempt = 3, cause = GONE } = more;
  const step = { step: null, address: null, delayMs: 700 };
  return {
    type: 'retry',
    atMs: AT + atMs,
    ...step,
    method,
    path,
    attempt,
    cause: `${method} ${path} ${cause}`,
  } as const;
}

/** A hundred repeats within ten seconds: five for each of twenty projects. */
const HUNDRED = Array.from({ length: 100 }, (_, at) => retry(`/projects/p-${at % 20}`, at * 100));

describe('repeats of reads', () => {
  it('are told at most every five seconds', () => {
    const tell = retryTeller(false);
    expect(HUNDRED.map(tell).filter((text) => text !== null)).toEqual([
      `GET /projects/p-0 again in 700ms (attempt 3): it ${GONE}`,
      `GET /projects/p-10 again in 700ms (attempt 3): it ${GONE}`,
    ]);
  });

  it('are all told when verbose', () => {
    expect(HUNDRED.map(retryTeller(true)).filter((text) => text !== null)).toHaveLength(100);
  });
});

it('each repeat of a write is told', () => {
  const tell = retryTeller(false);
  const texts = Array.from({ length: 10 }, (_, at) => tell(retry('/api_keys', at, { method: 'POST' })));
  expect(texts.filter((text) => text !== null)).toHaveLength(10);
});

it('while nobody answers, the log says since when, and what was last known', () => {
  const step = { step: 'create:shop/branches/x', address: 'shop/branches/x', action: 'create' } as const;
  const operation = { id: 'op-1', action: 'create_branch', status: 'running', failuresCount: 0 };
  const progress = { ...step, elapsedMs: 1000, operation, waitingFor: null };
  const read = {
    method: 'GET',
    path: '/projects/p/operations',
    cause: 'was refused',
    address: null,
    step: null,
    delayMs: 1000,
  };
  const events: readonly ApplyEvent[] = [
    { type: 'apply_start', atMs: AT, ...step, resourceId: null },
    { type: 'apply_progress', atMs: AT + 1000, ...progress, progress: { done: 0, total: 1 } },
    ...[2, 4, 8, 16, 32].map((seconds, at): ApplyEvent => ({
      type: 'retry',
      atMs: AT + seconds * 1000,
      attempt: at + 1,
      ...read,
    })),
  ];
  expect(applyLog(events, false).trimEnd().split('\n').at(-1)).toBe(
    'Still waiting, 0 of 1 done: shop/branches/x creating 32s (no answer since 02:00:02 UTC; last known: create_branch running)',
  );
});
