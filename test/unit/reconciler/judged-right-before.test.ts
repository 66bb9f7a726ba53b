// A step is judged right before it is sent: what somebody else did since the plan was made is never overwritten or taken away.
import { describe, expect, it } from 'vitest';
import { Secret } from '../../../src/base/secret.ts';
import type { Account, AccountOptions } from './account.ts';
import { withAccount } from './fleet.ts';

const SAVED = { desired: null, reading: null } as const;

const writes = (requests: readonly string[]): readonly string[] => requests.filter((line) => !line.startsWith('GET'));

describe('the old key of a rotation, to be revoked because nobody uses it', () => {
  const rotated = (revoke: string): AccountOptions => ({
    file: `version: 1\napi_keys: { ci: { secret: { exec: vault }, rotate: { every: 900d, overlap: 1d, revoke: ${revoke} } } }\n`,
    seed: {
      version: 1,
      api_keys: [
        { name: 'ci', id: 900, created_at: '-90d', last_used_at: '-80d', key: 'old-value' },
        { name: 'ci', id: 901, created_at: '-8d', last_used_at: '-1h' },
      ],
    },
    stored: ['vault'],
  });
  const use =
    ({ reconciler }: Account): (() => Promise<void>) =>
    async () => {
      await reconciler.client
        .withCredential(new Secret('old-value'))
        .get('/projects', 'ProjectList', { signal: new AbortController().signal });
    };

  it.each([
    { revoke: 'when_unused', mode: 'a saved plan', more: SAVED, status: 'stale', left: 1 },
    { revoke: 'after_overlap', mode: 'a saved plan', more: SAVED, status: 'converged', left: 0 },
    { revoke: 'after_overlap', mode: 'a fresh plan', more: {}, status: 'converged', left: 0 },
  ])('$revoke, used again after $mode was made: $status', async ({ revoke, more, status, left }) => {
    await withAccount(rotated(revoke), async (account) => {
      const { result, after } = await account.apply(use(account), more);
      expect(result.status).toBe(status);
      expect(writes(after)).toHaveLength(1 - left);
    });
  });
});
