// When the computes of a project were last in use: the latest of them, however many they are.
import { expect, it } from 'vitest';
import { lastUseOf } from '../../../src/kinds/shared/effects.ts';
import type { LiveResource } from '../../../src/model/live.ts';

const LATEST = '2026-01-02T00:00:00Z';
const idle = (last: string): LiveResource => ({
  kind: 'compute',
  id: 'ep-a',
  projectId: 'p',
  spec: {},
  observed: { current_state: 'idle', last_active: last },
  createdAtMs: null,
});

it('of more computes than a call takes arguments', () => {
  const many = Array.from({ length: 200_000 }, () => idle('2026-01-01T00:00:00Z'));
  expect(lastUseOf([...many, idle(LATEST)])).toBe(Date.parse(LATEST));
  expect(lastUseOf([])).toBeNull();
});

it('is the last start or suspension where a compute tells no activity', () => {
  const silent = (observed: LiveResource['observed']): LiveResource => ({
    ...idle(LATEST),
    observed: { current_state: 'idle', ...observed },
  });
  expect(lastUseOf([silent({ last_active: null, started_at: LATEST })])).toBe(Date.parse(LATEST));
  expect(lastUseOf([silent({ started_at: '2026-01-01T00:00:00Z', suspended_at: LATEST })])).toBe(Date.parse(LATEST));
  expect(lastUseOf([silent({})])).toBeNull();
  expect(lastUseOf([silent({ suspended_at: LATEST })], true)).toBe(Infinity);
});

it.each(['never', '2026-01-02T00:00:00', '2026-02-30T00:00:00Z', 1_767_312_000])(
  'may be now where the time that is shown cannot be read: %j',
  (shown) => {
    const live = { ...idle(LATEST), observed: { current_state: 'idle', last_active: shown } };
    expect(lastUseOf([live, idle(LATEST)])).toBe(Infinity);
  },
);
