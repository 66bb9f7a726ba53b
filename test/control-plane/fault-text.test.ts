// Faults and switches as they are typed on a command line: what each text means, and what is refused.
import { describe, expect, it } from 'vitest';
import { FaultPlanError, switchTable } from '../../src/control-plane/index.ts';
import { switchesOf } from '../../src/control-plane/resources/engine/switches.ts';
import { faultPlanOf } from '../../src/control-plane/faults/check-plan.ts';

describe('faults that are typed', () => {
  it.each<[string, object]>([
    ['locked', { fault: { kind: 'locked' } }],
    [
      'after-commit-before-reply,method=POST,path=/projects/*/branches,nth=2',
      { when: { method: 'POST', path: '/projects/*/branches', nth: 2 }, fault: { kind: 'after-commit-before-reply' } },
    ],
    ['latency,ms=200,times=always', { times: 'always', fault: { kind: 'latency', ms: 200 } }],
    [
      'fail,action=start_compute,applied=true',
      { when: { action: 'start_compute' }, fault: { kind: 'fail', on: 'operation', applied: true } },
    ],
    ['beside,action=apply_config', { fault: { kind: 'beside', on: 'operation', action: 'apply_config' } }],
    ['unavailable,projects=a|b', { fault: { kind: 'unavailable', projects: ['a', 'b'] } }],
    ['unavailable,projects=a', { fault: { kind: 'unavailable', projects: ['a'] } }],
    ['rate-limited, chance=0.1, times=3', { times: 3, when: { chance: 0.1 }, fault: { kind: 'rate-limited' } }],
    ['{"fault":{"kind":"locked"},"times":2}', { times: 2, fault: { kind: 'locked' } }],
  ])('%s', (text, rule) => expect(faultPlanOf([text])).toEqual({ rules: [rule] }));

  it('come together in one plan, in their order', () => {
    const plan = '{"seed":3,"lockedProjects":["x"],"rules":[{"fault":{"kind":"locked"}}]}';
    const rules = [{ fault: { kind: 'locked' } }, { fault: { kind: 'pretend' } }];
    expect(faultPlanOf([plan, 'pretend'])).toEqual({ seed: 3, lockedProjects: ['x'], rules });
    expect(faultPlanOf([])).toEqual({});
  });

  it.each([
    ['', /kind can be/],
    ['latency,200', /"200": expected MEMBER=VALUE/],
    ['{"rules"', /not valid JSON/],
  ])('%s is refused', (text, words) => {
    expect(() => faultPlanOf([text])).toThrow(FaultPlanError);
    expect(() => faultPlanOf([text])).toThrow(words);
  });
});

describe('switches that are typed', () => {
  it('have every setting of the table by its text', () => {
    for (const [name, { settings }] of Object.entries(switchTable))
      for (const setting of settings) expect(switchesOf([`${name}=${String(setting)}`])).toEqual({ [name]: setting });
  });

  it.each([
    ['locking', /NAME=VALUE/],
    ['locking=maybe', /compute, project, off/],
    ['nonsense=1', /no switch "nonsense"/],
    ['toString=1', /no switch "toString"/],
  ])('%s is refused', (text, words) => expect(() => switchesOf([text])).toThrow(words));
});
