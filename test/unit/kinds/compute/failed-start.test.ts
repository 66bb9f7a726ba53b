// A start that failed is no difference, and is said all the same.
import { describe, expect, it } from 'vitest';
import { planOf, shop } from '../../plan/support/world.ts';

function warnings(log: readonly string[], live = 'state: idle', entry = 'branch: br-1'): readonly string[] {
  const { changes, diagnostics } = planOf(shop(`a: { ${entry} }`, `ep-a: { branch: br-1, ${live} }`, { log }));
  expect(changes.map(({ action }) => action)).toEqual(entry.includes('absent') ? ['delete'] : ['none']);
  return diagnostics.map(({ code, message }) => `${code}: ${message}`);
}

describe('start_failed', () => {
  it.each(['idle', 'init'])('is a warning while the compute is %s', (state) => {
    expect(warnings(['1h start_compute failed ep-a', '2h start_compute finished ep-a'], `state: ${state}`)).toContain(
      `start_failed: the last start of shop/a (start_compute op-0) ended as failed; its state is ${state}`,
    );
  });

  it.each([
    ['a later start that succeeded', ['1h start_compute finished ep-a', '2h start_compute failed ep-a']],
    ['a later start that is under way', ['1m start_compute running ep-a', '2h start_compute failed ep-a']],
    ['the start of another compute', ['1h start_compute failed ep-b']],
    ['another action that failed', ['1h suspend_compute failed ep-a']],
    ['nothing', []],
  ])('is not said after %s', (_name, log) => {
    expect(warnings(log)).toEqual([]);
  });

  it.each([
    ['is disabled', 'state: idle, disabled: true', 'branch: br-1'],
    ['is to go', 'state: idle', 'branch: br-1, state: absent'],
  ])('is not said of a compute that %s', (_name, live, entry) => {
    expect(warnings(['1h start_compute failed ep-a'], live, entry)).toEqual([]);
  });
});
