// What a run itself comes with is not removed, also where the plan comes from another run, which may have had another credential.
import { describe, expect, it } from 'vitest';
import { ownCredential } from '../../../src/apply/judge/own-credential.ts';
import type { Run } from '../../../src/apply/run/run.ts';
import type { Step } from '../../../src/model/outcome/plan.ts';

const STEP = {
  address: 'api_keys/old',
  kind: 'api_key',
  action: 'revoke',
  expects: { state: 'present', id: '7' },
  achieves: null,
} as unknown as Step;

/** A run in which looking finds `own`; null: none is established. */
function runOf(own: string | null, isPlannedHere: boolean): Run {
  const remote = { credential: { own: async () => Promise.resolve(own) } };
  return {
    use: { kinds: new Map([['api_key', { remote }]]), signals: { requests: null, admission: null } },
    known: { own: { searches: new Map(), isPlannedHere } },
  } as unknown as Run;
}

describe('a revocation', () => {
  const cases: Record<string, { own: string | null; isPlannedHere: boolean; held: RegExp | null }> = {
    'of what the run uses': { own: '7', isPlannedHere: true, held: /never removed$/ },
    'of another one': { own: '8', isPlannedHere: false, held: null },
    'while nobody knows, judged by the plan of this run': { own: null, isPlannedHere: true, held: null },
    'while nobody knows, planned by another run': {
      own: null,
      isPlannedHere: false,
      held: /may be the credential of this run; plan and apply in one run$/,
    },
  };
  it.each(Object.entries(cases))('%s', async (_what, { own, isPlannedHere, held }) => {
    const reason = await ownCredential(runOf(own, isPlannedHere), STEP, []);
    if (held === null) expect(reason).toBeNull();
    else expect(reason).toMatch(held);
  });
});
