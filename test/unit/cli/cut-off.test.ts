// A second signal during an apply: the process ends at once, and what is known by then is where machines look for it.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RunningResult } from '../../../src/apply/result.ts';
import { applyReporter, type ApplyReporter } from '../../../src/cli/apply-reporter.ts';
import { Command } from '../../../src/cli/commander.ts';
import { exitCodes } from '../../../src/cli/exit-code.ts';
import { settle } from '../../../src/cli/settings.ts';
import { listenForStop } from '../../../src/cli/stop.ts';
import type { ApplyEvent } from '../../../src/model/event.ts';
import type { Step, StepId } from '../../../src/model/plan.ts';
import { fakeIo, type FakeIo } from '../../support/fake-io.ts';

const STEP = { id: 's1' as StepId, address: 'shop/primary', action: 'create' } as unknown as Step;
const SUMMARY = { create: 1, update: 0, move: 0, replace: 0, delete: 0, restart: 0, rotate: 0, revoke: 0 };
const PLAN = {
  planHash: 'sha256:1',
  steps: [STEP],
  summary: { ...SUMMARY, blocked: 0, held: 0, due: 0, unchanged: 0 },
};

interface Desk {
  readonly io: FakeIo;
  readonly reporter: ApplyReporter;
  /** What happens in the run, at once. */
  readonly happens: (event: Partial<ApplyEvent>) => void;
  readonly result: RunningResult;
  /** The file of a format. */
  readonly read: (format: string) => string;
}

function openDesk(steps: readonly Step[] = [STEP], format: string = 'ndjson'): Desk {
  const cwd = mkdtempSync(join(tmpdir(), 'trueup-cut-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const io = fakeIo({ cwd });
  const flags = { format, write: ['json=result.json', 'ndjson=result.ndjson'] };
  const settings = settle(flags, io);
  const reporter = applyReporter({ io, settings, flags, words: [], program: new Command() });
  const result = new RunningResult({ ...PLAN, steps });
  return {
    io,
    reporter,
    result,
    happens(some) {
      const event = { atMs: io.clock.nowMs(), step: STEP.id, address: STEP.address, ...some } as ApplyEvent;
      result.add(event);
      reporter.onEvent(event);
      reporter.onResult(() => result.now());
    },
    read: (format) => readFileSync(join(cwd, `result.${format}`), 'utf8'),
  };
}

const START = { type: 'apply_start', action: 'create', resourceId: null } as Partial<ApplyEvent>;
const COMPLETE = {
  type: 'apply_complete',
  action: 'create',
  resourceId: 'ep-1',
  elapsedMs: 5,
} as unknown as Partial<ApplyEvent>;
const last = (text: string): unknown => JSON.parse(text.trimEnd().split('\n').at(-1) ?? '');
const INTERRUPTED = { type: 'run_finished', status: 'interrupted' };

describe('an apply that ends at once', () => {
  it('leaves the last state that was known in the file, however young, and ends its events', () => {
    const { io, reporter, happens, read } = openDesk();
    happens(START);
    happens(COMPLETE);
    reporter.cutOff(exitCodes.interrupted);
    expect(JSON.parse(read('json'))).toMatchObject({ status: 'interrupted', steps: [{ outcome: 'done' }] });
    expect(last(io.out())).toMatchObject({ ...INTERRUPTED, counts: { done: 1 } });
    expect(read('ndjson')).toBe(io.out());
  });

  it('says of a step that had begun that its end is unknown, and of others that they never began', () => {
    const { io, reporter, happens, read } = openDesk([STEP, { ...STEP, id: 's2', address: 'shop/reports' }]);
    happens(START);
    reporter.cutOff(exitCodes.interrupted);
    const { steps, counts } = JSON.parse(read('json')) as { steps: { outcome: string }[]; counts: unknown };
    expect(steps.map(({ outcome }) => outcome)).toEqual(['unknown', 'not_started']);
    expect(counts).toMatchObject({ unknown: 1, not_started: 1 });
    expect(last(io.out())).toMatchObject({ ...INTERRUPTED, counts });
  });

  it('names to a person the steps whose end nobody saw, at once', () => {
    const { io, reporter, happens } = openDesk([STEP, { ...STEP, id: 's2', address: 'shop/reports' }]);
    happens(START);
    reporter.cutOff(exitCodes.interrupted);
    expect(io.err()).toMatch(/Stopped at once, with an unknown end of shop\/primary \(create\)\. /);
    const ended = openDesk();
    ended.happens(START);
    ended.happens(COMPLETE);
    ended.reporter.cutOff(exitCodes.interrupted);
    expect(ended.io.err()).not.toContain('unknown');
  });

  it('before its first step says that it had no result', () => {
    const { io, reporter, read } = openDesk();
    reporter.onConnected(() => 7);
    reporter.cutOff(exitCodes.terminated);
    expect(JSON.parse(read('json'))).toMatchObject({ status: 'interrupted', steps: [], requests: 7 });
    expect(io.out().split('\n')).toHaveLength(3);
    expect(last(io.out())).toMatchObject(INTERRUPTED);
  });

  it('prints the one result that is known as JSON', () => {
    const { io, reporter, happens, read } = openDesk([STEP], 'json');
    happens(START);
    reporter.cutOff(exitCodes.interrupted);
    expect(JSON.parse(io.out())).toMatchObject({ status: 'interrupted', steps: [{ outcome: 'unknown' }] });
    expect(io.out()).toBe(read('json'));
    const early = openDesk([STEP], 'json');
    early.reporter.cutOff(exitCodes.terminated);
    expect(JSON.parse(early.io.out())).toMatchObject({ status: 'interrupted', steps: [] });
  });

  it('while its result is being delivered prints no second one', async () => {
    const { io, reporter, happens, result } = openDesk([STEP], 'json');
    const { counts } = result;
    happens({ type: 'run_finished', status: 'converged', counts, requests: 3, seconds: 1 });
    await reporter.finish(result.now(), { plan: { ...PLAN, changes: [], unread: [] } as never });
    reporter.cutOff(exitCodes.interrupted);
    expect(JSON.parse(io.out())).toMatchObject({ status: 'converged' });
  });

  it('after its end says nothing else than that end', async () => {
    const { io, reporter, happens, result, read } = openDesk();
    const { counts } = result;
    happens({ type: 'run_finished', status: 'converged', counts, requests: 3, seconds: 1 });
    const finishing = reporter.finish(result.now(), { plan: { ...PLAN, changes: [], unread: [] } as never });
    reporter.cutOff(exitCodes.interrupted);
    await finishing;
    expect(JSON.parse(read('json'))).toMatchObject({ status: 'converged', requests: 3 });
    expect(io.out().match(/run_finished/g)).toHaveLength(1);
  });
});

describe('a second signal', () => {
  it('lets the last word be said, and ends the process even when that fails', () => {
    const io = fakeIo({ cwd: '/' });
    const said: unknown[] = [];
    listenForStop(io, {
      onSignal: (signal) => said.push(signal),
      onCutOff(code) {
        said.push(code);
        throw new Error('the disk is gone');
      },
    });
    io.signal('SIGINT');
    expect(() => io.signal('SIGTERM')).toThrow('aborted with 143');
    expect(said).toEqual(['SIGINT', exitCodes.terminated]);
  });
});
