// A second signal during an apply: the process ends at once, and what is known by then is where machines look for it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/base/time/clock.ts';
import { RunningResult } from '../../../src/apply/run/result.ts';
import { programRunner } from '../../../src/apply/sinks/run-program.ts';
import { applyReporter, type ApplyReporter } from '../../../src/cli/output/apply-reporter.ts';
import { failureCode, problemOf } from '../../../src/cli/output/failure.ts';
import { UsageError, exitCodes, type ExitCode } from '../../../src/cli/process/exit-code.ts';
import { main } from '../../../src/cli/main.ts';
import { settle } from '../../../src/cli/program/settings.ts';
import { listenForStop } from '../../../src/cli/process/stop.ts';
import type { ApplyEvent } from '../../../src/model/outcome/event.ts';
import type { Step, StepId } from '../../../src/model/outcome/plan.ts';
import { fakeIo, type FakeIo } from '../../support/fake-io.ts';

const SHOP = `version: 1
projects:
  shop:
    branches: { main: br-wispy-meadow-118737 }
    computes: { reports: { branch: main, type: read_only } }
`;
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

function openDesk(steps: readonly Step[] = [STEP], format: string = 'ndjson', more: readonly string[] = []): Desk {
  const cwd = mkdtempSync(join(tmpdir(), 'trueup-cut-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const io = fakeIo({ cwd });
  const flags = { format, write: ['json', 'ndjson', ...more].map((name) => `${name}=result.${name}`) };
  const settings = settle(flags, io);
  const reporter = applyReporter({ io, settings });
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
    expect(io.err()).toMatch(/Stopped at once; the outcome of shop\/primary \(create\) is not known\. /);
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

  describe('with a new key that is neither stored nor revoked', () => {
    const KEY = { ...STEP, address: 'api_keys/ci' };
    const told = { type: 'apply_start', action: 'create', resourceId: null, address: KEY.address } as const;
    const what = { address: KEY.address, id: '4711', command: 'curl -X DELETE /api_keys/4711' };

    function cutKey(
      fate: 'open' | 'stored' | 'gone' | null,
      formats: readonly string[] = [],
    ): Desk & { code: ExitCode } {
      const desk = openDesk([KEY], 'ndjson', formats);
      desk.happens(told);
      if (fate !== null) desk.result.noteSecret({ step: KEY.id, status: fate, what });
      return { ...desk, code: desk.reporter.cutOff(exitCodes.interrupted) };
    }

    it('leaves with code 6, and prints its id and the command that revokes it', () => {
      const { io, code, read } = cutKey('open');
      expect(code).toBe(exitCodes.secretAtRisk);
      expect(io.err()).toMatch(/error: api_keys\/ci: key 4711 was created, and neither stored nor revoked\n/);
      expect(io.err()).toContain('\n  curl -X DELETE /api_keys/4711\n');
      expect(io.err()).not.toContain('joins what still runs');
      expect(JSON.parse(read('json'))).toMatchObject({
        secrets_at_risk: [{ address: 'api_keys/ci', id: '4711' }],
        steps: [{ outcome: 'unknown', resource_id: '4711' }],
        diagnostics: [{ code: 'secret_at_risk' }],
      });
      expect(io.out()).toMatch(/"code":"secret_at_risk".*\n.*"type":"run_finished"/);
      expect(read('ndjson')).toBe(io.out());
    });

    it('but with one that is stored or gone leaves with the code of the signal', () => {
      const stored = cutKey('stored');
      expect(stored.code).toBe(exitCodes.interrupted);
      expect(stored.io.err()).toContain('Run trueup apply again: key 4711 is stored, and was not tested.');
      expect(JSON.parse(stored.read('json'))).toMatchObject({ secrets_at_risk: [], steps: [{ resource_id: '4711' }] });
      for (const fate of ['gone', null] as const) {
        const { io, code } = cutKey(fate);
        expect(code).toBe(exitCodes.interrupted);
        expect(io.err()).toContain(
          'Run trueup apply again: if a key was created, the next run shows the key, revokes the key with your consent, and creates another key.',
        );
      }
    });
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

describe('an apply that a bug of ours ends', () => {
  async function breakOff(
    format: string,
    ...events: readonly Partial<ApplyEvent>[]
  ): Promise<Desk & { code: ExitCode }> {
    const desk = openDesk([STEP, { ...STEP, id: 's2', address: 'shop/reports' }], format);
    for (const event of events) desk.happens(event);
    const code = failureCode(desk.reporter.onFailure(new Error('a hole')));
    await desk.reporter.close(code);
    return { ...desk, code };
  }

  it.each(['json', 'ndjson'])('in its middle is incomplete, and tells in %s how far it came', async (format) => {
    const { code, io, read } = await breakOff(format, START);
    expect(code).toBe(exitCodes.incomplete);
    const result: unknown = JSON.parse(read('json'));
    expect(result).toMatchObject({
      status: 'incomplete',
      steps: [{ outcome: 'unknown' }, { outcome: 'not_started' }],
      diagnostics: [{ severity: 'error', summary: 'bug in trueup: a hole' }],
    });
    if (format === 'json') expect(JSON.parse(io.out())).toEqual(result);
    else expect(last(io.out())).toMatchObject({ type: 'run_finished', status: 'incomplete', counts: { unknown: 1 } });
  });

  it('is no bug where it is a mistake, or the service: that is told as it is', async () => {
    const { reporter, happens } = openDesk();
    happens(START);
    const failure = reporter.onFailure(new UsageError('the disk is full', 'Make room.', 'timeout'));
    expect(failureCode(failure)).toBe(exitCodes.incomplete);
    expect(problemOf(failure)).toMatchObject({
      code: 'timeout',
      message: 'the disk is full',
      hint: expect.stringMatching(/^Make room\. The run was not verified/) as unknown,
    });
  });

  it('leaves the program with 3, and says that it is no fault of the files', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'trueup-bug-'));
    onTestFinished(() => rmSync(cwd, { recursive: true }));
    writeFileSync(join(cwd, 'trueup.yaml'), SHOP);
    const io = fakeIo({ cwd });
    const nowMs = io.clock.nowMs.bind(io.clock);
    const holes = [new Error('a hole')];
    io.clock.nowMs = () => {
      const hole = io.err().includes('creating') ? holes.pop() : undefined;
      if (hole !== undefined) throw hole;
      return nowMs();
    };
    expect(await main(['apply', '--local', '--auto-approve'], io)).toBe(exitCodes.incomplete);
    expect(io.err()).toContain('error: bug in trueup: a hole\n  The run was not verified');
    expect(io.out()).toContain('Apply incomplete');
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

  it('ends the process with the code that the last word gives', () => {
    const io = fakeIo({ cwd: '/' });
    listenForStop(io, { onCutOff: () => exitCodes.secretAtRisk });
    io.signal('SIGINT');
    expect(() => io.signal('SIGINT')).toThrow('aborted with 6');
  });

  it('lets no program outlast the process', async () => {
    const io = fakeIo({ cwd: '/' });
    listenForStop(io);
    const call = { program: 'sleep', args: ['60'], stdin: null, folder: '/', timeoutMs: 60_000 };
    const ended = programRunner(systemClock)({ ...call, env: { PATH: process.env['PATH'] ?? '' } });
    io.signal('SIGTERM');
    expect(() => io.signal('SIGTERM')).toThrow('aborted with 143');
    expect(await ended).toMatchObject({ end: 'killed', problem: 'SIGKILL' });
  });
});
