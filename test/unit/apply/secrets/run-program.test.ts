// Programs of the operator: they end at their deadline with all that they started, and nothing that they print holds them up.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { sleepOn, systemClock, type Clock } from '../../../../src/base/time/clock.ts';
import { killPrograms, programRunner, type ProgramEnd } from '../../../../src/apply/sinks/run-program.ts';
import { VirtualClock } from '../../../support/virtual-clock.ts';
import { workFolder } from './world.ts';

const MINUTE_MS = 60_000;

/** The machine's clock with timers of its own. */
function timedBy(after: Clock['after']): Clock {
  return { ...systemClock, after, sleep: async (ms, signal) => sleepOn({ after }, ms, signal) };
}

/** Runs a script, with a deadline of a minute. */
async function runScript(
  folder: string,
  body: string,
  clock: Clock = systemClock,
  signal: AbortSignal = new AbortController().signal,
): Promise<ProgramEnd> {
  const program = join(folder, 'program.sh');
  writeFileSync(program, `#!/bin/sh\n${body}\n`);
  chmodSync(program, 0o755);
  const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin' };
  return programRunner(clock)({ program, args: [], stdin: null, env, folder, timeoutMs: MINUTE_MS, signal });
}

function numberIn(path: string): number {
  return Number(readFileSync(path, 'utf8'));
}

/** True for a process that is there and no zombie. */
function isRunning(id: number): boolean {
  try {
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(id)], { encoding: 'utf8' }).startsWith('Z');
  } catch {
    return false;
  }
}

function endAfterTest(id: number): void {
  onTestFinished(() => {
    if (isRunning(id)) process.kill(id, 'SIGKILL');
  });
}

it('that hangs is ended with its children at the deadline', async () => {
  const folder = workFolder();
  // The deadline of a minute is over as soon as the program hangs.
  const hanging = async (): Promise<void> =>
    vi.waitFor(() => expect(numberIn(join(folder, 'pid'))).toBeGreaterThan(0), { timeout: 15_000, interval: 20 });
  const hasty = timedBy((ms, act) => {
    if (ms !== MINUTE_MS) return systemClock.after(ms / 300, act);
    void hanging().then(act);
    return () => undefined;
  });
  const body = 'trap "" TERM; sleep 60 & echo $! > child; echo $$ > pid; wait';
  expect(await runScript(folder, body, hasty)).toMatchObject({ end: 'timed_out', code: null });
  const child = numberIn(join(folder, 'child'));
  endAfterTest(child);
  expect(() => process.kill(numberIn(join(folder, 'pid')), 0)).toThrow('ESRCH');
  await vi.waitFor(() => expect(isRunning(child)).toBe(false), { timeout: 10_000, interval: 20 });
});

it('that hangs when the run is told to stop is ended with its children', async () => {
  const folder = workFolder();
  const told = new AbortController();
  const ended = runScript(folder, 'echo waiting >&2; sleep 60 & echo $! > child; wait', systemClock, told.signal);
  const childIn = (): number => numberIn(join(folder, 'child'));
  await vi.waitFor(() => expect(childIn()).toBeGreaterThan(0), { timeout: 15_000, interval: 20 });
  endAfterTest(childIn());
  told.abort(new Error('the run was stopped'));
  expect(await ended).toEqual({ end: 'stopped', code: null, stderr: 'waiting\n', problem: 'the run was stopped' });
  await vi.waitFor(() => expect(isRunning(childIn())).toBe(false), { timeout: 10_000, interval: 20 });
});

it.each([
  { which: 'that hangs', isTold: false },
  { which: 'that was told to end and does not', isTold: true },
])('$which is killed with its children when the process ends', async ({ isTold }) => {
  const folder = workFolder();
  const told = new AbortController();
  const body = 'trap "" TERM; (trap "" TERM; sleep 60; echo late > stored) & echo $! > child; wait; wait';
  const patient = timedBy((_ms, act) => systemClock.after(MINUTE_MS, act));
  const ended = runScript(folder, body, patient, told.signal);
  const childIn = (): number => numberIn(join(folder, 'child'));
  await vi.waitFor(() => expect(childIn()).toBeGreaterThan(0), { timeout: 15_000, interval: 20 });
  endAfterTest(childIn());
  if (isTold) told.abort(new Error('enough'));
  await new Promise(setImmediate);
  killPrograms();
  expect(await ended).toMatchObject(isTold ? { end: 'stopped' } : { end: 'killed', problem: 'SIGKILL' });
  await vi.waitFor(() => expect(isRunning(childIn())).toBe(false), { timeout: 10_000, interval: 20 });
});

it.each([
  ['ends by itself', 'true', false],
  ['is told to end', 'echo > begun; sleep 60', true],
])('that %s leaves no timer behind', async (_, body, isTold) => {
  const folder = workFolder();
  const told = new AbortController();
  const clock = new VirtualClock();
  const ended = runScript(folder, body, clock, told.signal);
  if (isTold) {
    await vi.waitFor(() => expect(existsSync(join(folder, 'begun'))).toBe(true), { timeout: 15_000, interval: 20 });
    told.abort(new Error('enough'));
  }
  expect((await ended).end).toBe(isTold ? 'stopped' : 'exited');
  expect(clock.openTimers).toBe(0);
});

it('is not started once its time is over', async () => {
  const folder = workFolder();
  const over = AbortSignal.abort(new Error('the time of the run is over'));
  expect(await runScript(folder, 'echo > begun', systemClock, over)).toMatchObject({
    end: 'not_started',
    problem: 'the time of the run is over',
  });
  expect(existsSync(join(folder, 'begun'))).toBe(false);
});

it('that leaves something running in the background is not waited for, and its last words are told', async () => {
  const folder = workFolder();
  const impatient = timedBy((ms, act) => systemClock.after(ms < 1000 ? ms / 10 : ms, act));
  const end = await runScript(folder, 'sleep 30 & echo $! > child; echo done >&2', impatient);
  const child = numberIn(join(folder, 'child'));
  endAfterTest(child);
  expect(end).toEqual({ end: 'exited', code: 0, stderr: 'done\n', problem: null });
  expect(isRunning(child)).toBe(true);
});

it('that prints a flood is not held up by it', async () => {
  expect(await runScript(workFolder(), 'head -c 1000000 /dev/zero')).toMatchObject({ end: 'exited', code: 0 });
});

it('of a name that no system takes is not started', async () => {
  const call = { program: 'a\0b', args: [], stdin: null, env: {}, folder: workFolder(), timeoutMs: MINUTE_MS };
  expect(await programRunner(systemClock)(call)).toEqual({
    end: 'not_started',
    code: null,
    stderr: '',
    problem: 'ERR_INVALID_ARG_VALUE',
  });
});
