// One signal of a run serves a thousand waits: each is told once, and the signal itself carries one listener.
import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { onAbort } from '../../../src/base/time/on-abort.ts';
import { runs } from '../../support/property-runs.ts';

const count = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

describe('onAbort', () => {
  it('tells everyone once, in the order they came', () => {
    const controller = new AbortController();
    const told: number[] = [];
    for (let at = 0; at < 3; at++) onAbort(controller.signal, () => told.push(at));
    controller.abort();
    controller.abort();
    expect(told).toEqual([0, 1, 2]);
  });

  it('puts one listener on the signal, however many wait, and none when all have left', () => {
    const { signal } = new AbortController();
    const leave = Array.from({ length: 1000 }, () => onAbort(signal, () => undefined));
    expect(count(signal)).toBe(1);
    for (const one of leave) one();
    expect(count(signal)).toBe(0);
  });

  it('tells exactly those who wait, in the order they came, whoever leaves before or meanwhile', () => {
    const visitor = fc.record({ leavesBefore: fc.boolean(), sendsAway: fc.array(fc.nat(9), { maxLength: 3 }) });
    fc.assert(
      fc.property(fc.array(visitor, { maxLength: 10 }), fc.nat(9), (visitors, late) => {
        const controller = new AbortController();
        const told: number[] = [];
        const leave: (() => void)[] = [];
        const come = ({ sendsAway }: (typeof visitors)[number], at: number): void => {
          leave[at] = onAbort(controller.signal, () => {
            told.push(at);
            for (const other of sendsAway) leave[other]?.();
          });
        };
        visitors.slice(0, late).forEach(come);
        for (const [at, { leavesBefore }] of visitors.slice(0, late).entries()) if (leavesBefore) leave[at]?.();
        for (const [at, one] of visitors.entries()) if (at >= late) come(one, at);
        controller.abort();
        const gone = new Set([...visitors.keys()].filter((at) => at < late && visitors[at]?.leavesBefore === true));
        const expected: number[] = [];
        for (const [at, { sendsAway }] of visitors.entries()) {
          if (gone.has(at)) continue;
          expected.push(at);
          for (const other of sendsAway) gone.add(other);
        }
        expect(told).toEqual(expected);
      }),
      runs(300),
    );
  });

  it('tells the others when one of them fails, and keeps the error', () => {
    const told: string[] = [];
    let tell = (): void => undefined;
    // A signal of its own: what its listener throws would end this process.
    const signal = {
      aborted: false,
      addEventListener: (_: string, listener: () => void) => {
        tell = listener;
      },
    } as unknown as AbortSignal;
    onAbort(signal, () => told.push('first'));
    onAbort(signal, () => {
      throw new Error('a listener failed');
    });
    onAbort(signal, () => told.push('last'));
    expect(tell).toThrow('a listener failed');
    expect(told).toEqual(['first', 'last']);
  });
});
