// The time of a whole run: whatever stalls, the run ends soon after its time is over, and tells what is not known.
import { describe, expect, it } from 'vitest';
import { fileOf, idOf, worldOf } from './fleet.ts';
import { openSite } from '../../support/site.ts';

const HALF_A_MINUTE = { timeoutMs: 30_000 };
/** What open requests and the read-back may still take. */
const LATEST_MS = 38_000;

const world = { file: fileOf(2, { changed: 1 }), seed: worldOf(2), operationMs: { min: 1000, max: 1000 } };

/** True for what comes after the write. */
function afterTheWrite(): (request: string) => boolean {
  let written = false;
  return (request) => {
    written ||= request.startsWith('PATCH');
    return written && !request.startsWith('PATCH');
  };
}

describe('a run with a limit', () => {
  it('that a write stalls', async () => {
    const stalls = (request: string): boolean => request.startsWith('PATCH');
    const { apply, clock } = openSite({ ...world, stalls });
    const { result } = await apply(HALF_A_MINUTE);
    expect(clock.monotonicMs()).toBeLessThanOrEqual(LATEST_MS);
    expect(result).toMatchObject({ status: 'incomplete', steps: [{ outcome: 'unknown' }] });
  });

  it('that the read-back stalls', async () => {
    const { apply, clock } = openSite({ ...world, stalls: afterTheWrite() });
    const { result } = await apply(HALF_A_MINUTE);
    expect(clock.monotonicMs()).toBeLessThanOrEqual(LATEST_MS);
    expect(result.status).toBe('incomplete');
    expect(result.diagnostics.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      'not_verified: the result of the run could not be verified, because the account could not be read: the time of the run is over',
    ]);
  });

  it('that waits for an earlier run’s operation in a project that it does not touch', async () => {
    const operationMs = { min: 300_000, max: 300_000 };
    const { api, apply, clock } = openSite({ ...world, operationMs, file: fileOf(2, {}) });
    const target = `/projects/${idOf(1)}/endpoints/ep-${idOf(1)}`;
    await api('POST', `${target}/start`);
    const { result } = await apply(HALF_A_MINUTE);
    expect(result.status).toBe('incomplete');
    expect(result.diagnostics.map(({ code }) => code)).toEqual(['operation_under_way', 'still_running']);
    expect(clock.monotonicMs()).toBeLessThanOrEqual(LATEST_MS);
  });

  it('asked to stop hard: the read-back has eight seconds', async () => {
    const [soft, hard] = [new AbortController(), new AbortController()];
    const { apply, clock } = openSite({ ...world, stalls: afterTheWrite() });
    const stop = { soft: soft.signal, hard: hard.signal };
    clock.after(5000, () => [soft, hard].forEach((one) => one.abort(new Error('stop'))));
    const { result } = await apply({ stop });
    expect(clock.monotonicMs()).toBeLessThanOrEqual(13_000);
    expect(result.diagnostics.map(({ code }) => code)).toEqual(['not_verified']);
    expect(result).toMatchObject({ status: 'interrupted', counts: { done: 1, notStarted: 0 } });
  });
});
