// The digest of the files in a saved plan: another as soon as they mean something else, and the same wherever that stands.
import { describe, expect, it } from 'vitest';
import type { DesiredProject, DesiredResource, DesiredState, Hold, MemberSet } from '../../../src/model/desired.ts';
import { desiredDigestOf } from '../../../src/plan/json/plan-json.ts';
import { at, declaredAs, inputOf, NO_LIMITS } from './support/world.ts';

const HOLD: Hold = { path: 'size', value: 1, untilMs: 0, reason: 'launch', source: at(9) };
const { desired } = inputOf({ file: 'shop: { computes: { a: { branch: br-1 }, b: { branch: br-2 } } }\nblog: {}' });
const [A, B] = desired.resources as [DesiredResource, DesiredResource];
const [SHOP, BLOG] = desired.projects as [DesiredProject, DesiredProject];
const LIFECYCLE = { ...A.lifecycle, hold: [HOLD] };
const MEMBER = declaredAs({ address: 'shop/previews/pr/KEY', scope: 'shop', name: 'KEY' });
const SET: MemberSet = { name: 'pr', keys: ['1'], closed: [], template: [MEMBER], gone: 'delete', graceMs: 0 };
const RULE = { name: 'old', match: ['pr-*'], olderThanMs: 1, idleForMs: 1, keep: [], isKeepGiven: false, max: 1 };

const STATE: DesiredState = {
  ...desired,
  expect: { baseUrl: 'https://one.example.com', hasProject: null, source: at(1) },
  projects: [{ ...SHOP, sets: [SET], retention: [{ ...RULE, template: MEMBER }] }, BLOG],
  resources: [{ ...A, lifecycle: LIFECYCLE }, B],
  accountPrune: ['key', 'token'],
  safety: [{ ...NO_LIMITS, maxDeletes: 1, source: at(3) }, NO_LIMITS],
};

const digest = (own: Partial<DesiredState>): string => desiredDigestOf({ ...STATE, ...own });
const project = (own: Partial<DesiredProject>): Partial<DesiredState> => {
  return { projects: STATE.projects.map((one) => (one.label === 'shop' ? { ...one, ...own } : one)) };
};
const first = (own: Partial<DesiredResource>): Partial<DesiredState> => {
  return { resources: STATE.resources.map((one) => (one.name === 'a' ? { ...one, ...own } : one)) };
};
const held = (own: Partial<Hold>): Partial<DesiredState> =>
  first({ lifecycle: { ...LIFECYCLE, hold: [{ ...HOLD, ...own }] } });
const expecting = (own: object): Partial<DesiredState> => {
  return { expect: { baseUrl: 'https://one.example.com', hasProject: null, source: at(1), ...own } };
};
const member = (own: Partial<DesiredResource>): DesiredResource => ({ ...MEMBER, ...own });

describe('the digest of the files', () => {
  it.each<[string, Partial<DesiredState>]>([
    ['the account that they expect', expecting({ baseUrl: 'https://two.example.com' })],
    ['whether they expect one', { expect: null }],
    ['a project', project({ prune: true })],
    ['a resource', first({ spec: {} })],
    ['a hold', held({ value: 2 })],
    ['a set', project({ sets: [{ ...SET, keys: ['1', '2'] }] })],
    ['the members of a set', project({ sets: [{ ...SET, template: [member({ spec: { size: 1 } })] }] })],
    ['a retention rule', project({ retention: [{ ...RULE, template: MEMBER, max: 2 }] })],
    ['what a retention rule deletes', project({ retention: [{ ...RULE, template: member({ absent: true }) }] })],
    ['what is pruned in the account', { accountPrune: ['key'] }],
    ['whether they list every project', { projectsComplete: true }],
    ['a limit', { safety: STATE.safety.map((one) => ({ ...one, maxRestarts: 1 })) }],
  ])('depends on %s', (_name, own) => {
    expect(digest(own)).not.toBe(digest({}));
  });

  it.each<[string, Partial<DesiredState>]>([
    ['the account is expected', expecting({ source: at(7) })],
    ['a project stands', project({ source: at(7), sources: { name: at(8) } })],
    ['a resource stands', first({ source: at(7), sources: () => ({ size: at(8) }) })],
    ['a hold stands', held({ source: at(7) })],
    ['a member of a set stands', project({ sets: [{ ...SET, template: [member({ source: at(7) })] }] })],
    ['what a rule deletes stands', project({ retention: [{ ...RULE, template: member({ source: at(7) }) }] })],
    ['a limit stands', { safety: STATE.safety.map((one) => ({ ...one, source: at(7) })) }],
  ])('does not depend on where %s', (_name, own) => {
    expect(digest(own)).toBe(digest({}));
  });

  it('does not depend on any order, nor on what only the operator limits', () => {
    const turned = {
      projects: STATE.projects.toReversed(),
      resources: STATE.resources.toReversed(),
      accountPrune: STATE.accountPrune.toReversed(),
      safety: STATE.safety.toReversed(),
    };
    expect(digest(turned)).toBe(digest({}));
    const operators = { ...NO_LIMITS, maxDeletes: 0, isOperators: true } as const;
    expect(digest({ safety: [...STATE.safety, operators] })).toBe(digest({}));
  });
});
