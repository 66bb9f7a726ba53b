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

/** A run in which looking finds `own` (`?` and a suspect: none is established); `named` are the allowances of a plan that another run made. */
function runOf(own: string | null, named: readonly string[] | null): Run {
  const found = own?.startsWith('?') === true ? { id: null, suspects: [own.slice(1)] } : { id: own, suspects: [] };
  const remote = { own: async () => Promise.resolve(found) };
  return {
    use: { kinds: new Map([['api_key', { remote }]]), signals: { requests: null, admission: null } },
    known: { own: { searches: new Map(), named } },
  } as unknown as Run;
}

const HELD = /^it is not established what this run itself uses.* --allow revoke:api_keys\/7$/;

describe('a revocation', () => {
  const cases: Record<string, { own: string | null; named: readonly string[] | null; held: RegExp | null }> = {
    'of what the run uses': { own: '7', named: null, held: /never removed$/ },
    'of what the run uses, allowed by its id': { own: '7', named: ['revoke:api_keys/7'], held: /never removed$/ },
    'of what it may use, allowed by its id': {
      own: '?7',
      named: ['revoke:api_keys/7'],
      held: /is never removed while/,
    },
    'of what it may use, planned by this run': { own: '?7', named: null, held: /is never removed while/ },
    'of another one than it may use, allowed by its id': { own: '?8', named: ['revoke:api_keys/7'], held: null },
    'of another one': { own: '8', named: [], held: null },
    'while nobody knows, planned by this run': { own: null, named: null, held: null },
    'while nobody knows, planned by another run': { own: null, named: [], held: HELD },
    'while nobody knows, allowed by a pattern': { own: null, named: ['revoke:api_keys/*'], held: HELD },
    'while nobody knows, allowed for one whose id ends alike': { own: null, named: ['revoke:api_keys/77'], held: HELD },
    'while nobody knows, allowed by its id': { own: null, named: ['revoke:api_keys/7'], held: null },
    'while nobody knows, allowed by its address': { own: null, named: ['*:api_keys/old'], held: null },
  };
  it.each(Object.entries(cases))('%s', async (_what, { own, named, held }) => {
    const reason = await ownCredential(runOf(own, named), STEP, []);
    if (held === null) expect(reason).toBeNull();
    else expect(reason).toMatch(held);
  });
});
