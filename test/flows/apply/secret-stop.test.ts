// A secret whose place hangs: whatever ends the run, what was made is stored or removed in time, and the result is the truth.
import { describe, expect, it } from 'vitest';
import type { VirtualClock } from '../../support/virtual-clock.ts';
import { execSink } from '../../../src/apply/sinks/exec-sink.ts';
import type { ProgramCall, RunProgram } from '../../../src/apply/sinks/run-program.ts';
import { RunningResult } from '../../../src/apply/run/result.ts';
import type { SecretStatus } from '../../../src/apply/run/run.ts';
import { SinkFailure, type SecretSink } from '../../../src/apply/sinks/sink.ts';
import type { ApplyEvent } from '../../../src/model/outcome/event.ts';
import { createRig, runSteps, type Outcome, type Rig, type RunOptions, keysNamed, keyStep } from './harness.ts';
import { RECORD } from '../../../src/kinds/api-key/key.ts';
import { always } from '../../support/faults.ts';

const HANGS = Infinity;
const NEVER = new AbortController().signal;
const POST = { method: 'POST', path: '/api_keys' };

const STEP = keyStep('ci');

interface Program {
  readonly run: RunProgram;
  readonly calls: { readonly verb: string; readonly atMs: number }[];
}

/** How long each call takes, and the code that it ends with. */
type Behaviour = (verb: string, call: number) => { readonly takesMs: number; readonly code: number };

/** A program that is ended at its deadline and at its signal, as those of a machine are. */
function program(clock: VirtualClock, behave: Behaviour): Program {
  const calls: Program['calls'] = [];
  const run = async ({ args: [verb = ''], timeoutMs, signal = NEVER }: ProgramCall): ReturnType<RunProgram> => {
    const end = { code: null, stderr: '', problem: null };
    if (signal.aborted) return { ...end, end: 'not_started' };
    calls.push({ verb, atMs: clock.monotonicMs() });
    const { takesMs, code } = behave(verb, calls.length);
    try {
      await clock.sleep(Math.min(takesMs, timeoutMs), signal);
      return takesMs > timeoutMs ? { ...end, end: 'timed_out' } : { ...end, end: 'exited', code };
    } catch {
      return { ...end, end: 'stopped', problem: (signal.reason as Error).message };
    }
  };
  return { run, calls };
}

interface Trial {
  readonly rig: Rig;
  readonly outcome: Outcome;
  readonly calls: Program['calls'];
  readonly endedMs: number;
  readonly live: number;
  readonly texts: readonly string[];
}

/** One key into one program; `stopMs` after the beginning the run is told to stop hard. */
async function trial(behave: Behaviour, stopMs: number | null, more: RunOptions = {}): Promise<Trial> {
  const rig = createRig();
  const { run, calls } = program(rig.clock, behave);
  const sink = execSink({ shape: RECORD, name: 'v', program: 'p', run, env: {}, workDir: '/' });
  const outcome = await makeKey(rig, [sink], stopMs, more);
  const endedMs = rig.clock.monotonicMs();
  rig.plane.setFaults({});
  const texts = outcome.events.flatMap((event) => ('diagnostic' in event ? [event.diagnostic.message] : []));
  return { rig, outcome, calls, endedMs, live: (await keysNamed(rig, 'ci')).length, texts };
}

async function makeKey(rig: Rig, sinks: SecretSink[], stopMs: number | null, more: RunOptions): Promise<Outcome> {
  const hard = new AbortController();
  const stop = async (): Promise<void> => {
    if (stopMs === null) return;
    await rig.clock.sleep(stopMs);
    hard.abort();
  };
  void stop();
  const stops = { soft: hard.signal, hard: hard.signal };
  return runSteps(rig, [STEP], { openSinks: () => sinks, stop: stops, ...more });
}

const hangingPut: Behaviour = (verb) => (verb === 'put' ? { takesMs: HANGS, code: 0 } : { takesMs: 0, code: 3 });
/** Holds an old value, and is silent about the new one. */
const hangingOver: Behaviour = (verb) => (verb === 'put' ? { takesMs: HANGS, code: 0 } : { takesMs: 0, code: 0 });

const quick: Behaviour = (verb, call) => ({ takesMs: 0, code: verb === 'check' && call < 3 ? 3 : 0 });

describe('a put that hangs', () => {
  it('when the run is told to stop is ended after five seconds, and the key is revoked in the rest', async () => {
    const { calls, endedMs, live, texts, outcome } = await trial(hangingPut, 1000);
    expect(calls.map(({ verb }) => verb)).toEqual(['check', 'put']);
    expect(live).toBe(0);
    expect(endedMs).toBe(6000);
    expect(texts.at(-1)).toMatch(
      /^the new secret could not be stored: exec:v: put was stopped: the run was stopped; \d+ was removed again$/,
    );
    expect(outcome.result.secretsAtRisk).toEqual([]);
  });

  it('at the deadline of the run has five seconds more', async () => {
    const { calls, endedMs, live, texts } = await trial(hangingPut, null, { runDeadlineMs: 3000 });
    expect(calls.filter(({ verb }) => verb === 'put')).toHaveLength(1);
    expect([live, endedMs]).toEqual([0, 8000]);
    expect(texts.at(-1)).toContain('put was stopped: the time of the run is over');
  });

  it('at the deadline of its step is ended; one that came late has five seconds', async () => {
    const early = await trial(hangingPut, null, { stepTimeoutMs: 20_000 });
    expect([early.live, early.endedMs]).toEqual([0, 20_000]);
    expect(early.texts.at(-1)).toContain('put was stopped: its time was over');
    const faults = { rules: [{ when: POST, fault: { kind: 'latency', ms: 19_000 } }] } as const;
    const late = await trial(hangingPut, null, { stepTimeoutMs: 20_000, faults });
    expect([late.live, late.endedMs]).toEqual([0, 24_000]);
  });

  it('and a removal that is not answered: at risk by name, when the eight seconds are over', async () => {
    const faults = { rules: [{ when: { method: 'DELETE' }, fault: { kind: 'black-hole', commit: false } }] } as const;
    const { endedMs, live, texts, outcome } = await trial(hangingPut, 1000, { faults });
    expect([live, endedMs]).toEqual([1, 9000]);
    expect(outcome.result.secretsAtRisk).toMatchObject([{ address: 'api_keys/ci' }]);
    expect(texts.join('\n')).toMatch(/; and \d+ could not be removed$/);
  });

  it('over an old value: whoever reads it there is warned', async () => {
    const { texts, outcome } = await trial(hangingOver, 1000);
    expect(texts[0]).toMatch(/^exec:v: the sink may hold the new secret: .*; \d+ was removed again$/);
    expect(JSON.stringify(outcome.events)).toContain('"sink_not_reverted"');
  });
});

describe('a run that is ended at once', () => {
  const summary = { create: 1, update: 0, move: 0, replace: 0, delete: 0, restart: 0, rotate: 0, revoke: 0 };
  const plan = { planHash: 'h', steps: [STEP], summary: { ...summary, blocked: 0, held: 0, due: 0, unchanged: 0 } };

  /** What is known so many milliseconds after the beginning: whether the key's id is told, and whether that key is at risk. */
  async function knownAfter(ms: number, behave: Behaviour, faults: RunOptions['faults'] = {}): Promise<unknown> {
    const rig = createRig();
    const result = new RunningResult(plan);
    const { run } = program(rig.clock, behave);
    const sink = execSink({ shape: RECORD, name: 'v', program: 'p', run, env: {}, workDir: '/' });
    const told = {
      emit: (event: ApplyEvent) => result.add(event),
      onSecret: (secret: SecretStatus) => result.noteSecret(secret),
    };
    const ended = makeKey(rig, [sink], 1000, { faults, ...told });
    const known = rig.clock.sleep(ms).then(() => result.now());
    await Promise.all([ended, rig.clock.run(known)]);
    const { secretsAtRisk, steps } = await known;
    const id = steps[0]?.resourceId ?? null;
    for (const { command } of secretsAtRisk) expect(command).toContain(`/api_keys/${id}`);
    return { isTold: id !== null, atRisk: secretsAtRisk.map((left) => left.id === id) };
  }
  const HELD = { isTold: true, atRisk: [true] };
  const deaf = { when: { method: 'DELETE' }, fault: { kind: 'black-hole', commit: true } } as const;
  const slowProof = { when: { method: 'GET', path: '/projects' }, fault: { kind: 'latency', ms: 5000 } } as const;

  it('before the key is asked for knows of none', async () => {
    expect(await knownAfter(500, () => ({ takesMs: 2000, code: 0 }))).toEqual({ isTold: false, atRisk: [] });
  });

  it('while the key is being stored knows that it is at risk', async () => {
    expect(await knownAfter(500, hangingPut)).toEqual(HELD);
  });

  it('while the key is being revoked knows that it is at risk', async () => {
    expect(await knownAfter(7000, hangingPut, { rules: [deaf] })).toEqual(HELD);
  });

  it('once the key is stored knows its id alone', async () => {
    expect(await knownAfter(500, quick, { rules: [slowProof] })).toEqual({ isTold: true, atRisk: [] });
  });

  it('once the key is revoked knows of none, and of one that could not be revoked a single time', async () => {
    expect(await knownAfter(6500, hangingPut)).toEqual({ isTold: false, atRisk: [] });
    const never = { when: { method: 'DELETE' }, fault: { kind: 'black-hole', commit: false } } as const;
    expect(await knownAfter(60_000, hangingPut, { rules: [never] })).toEqual(HELD);
  });
});

describe('a put that is slow', () => {
  it('finishes when it can within five seconds of a stop, and the key is used once', async () => {
    const { live, outcome } = await trial(
      (verb, call) => (verb === 'put' ? { takesMs: 5500, code: 0 } : { takesMs: 0, code: call < 3 ? 3 : 0 }),
      1000,
    );
    expect([live, outcome.result.steps[0]?.outcome]).toEqual([1, 'done']);
  });

  it('and fails after a stop is not tried again', async () => {
    const slow: Behaviour = (verb) => (verb === 'put' ? { takesMs: 2000, code: 1 } : { takesMs: 0, code: 3 });
    const { calls, live, texts } = await trial(slow, 1000);
    expect(calls.map(({ verb }) => verb)).toEqual(['check', 'put', 'check']);
    expect(live).toBe(0);
    // Its check shows that nothing arrived.
    expect(texts).toHaveLength(1);
  });
});

it('a place that outlasts the run: the key was not removed, since no time was left', async () => {
  const rig = createRig();
  const absent = { state: 'absent', holds: null, reason: null } as const;
  const deaf: SecretSink = {
    label: 'deaf',
    forget: async () => Promise.resolve(),
    check: async () => Promise.resolve(absent),
    reserve: async () =>
      Promise.resolve({
        store: async () => {
          await rig.clock.sleep(30_000);
          throw new SinkFailure('deaf', 'it is full');
        },
        revert: async () => Promise.resolve(),
        release: async () => Promise.resolve(),
      }),
  };
  const { writes, events, result } = await makeKey(rig, [deaf], 1000, {});
  expect(writes).toEqual(['POST /api_keys']);
  expect(result.secretsAtRisk).toHaveLength(1);
  expect(JSON.stringify(events)).toMatch(/stored nowhere, and the key was not removed: the time of the run was over"/);
  expect(JSON.stringify(events)).toMatch(/; and \d+ was not removed: the time of the run was over"/);
});

it('a check that hangs when the run is told to stop: nothing was begun', async () => {
  const { endedMs, outcome, calls } = await trial(() => ({ takesMs: HANGS, code: 0 }), 1000);
  expect([endedMs, calls.length]).toEqual([1000, 1]);
  expect(outcome.result.steps[0]?.outcome).toBe('not_started');
  expect(outcome.writes).toEqual([]);
});

it('a stop while a record waits for what its reply left out: the value is stored at once', async () => {
  const rig = createRig({ switches: { availabilityChecks: 'off', keyCreateReply: 'id_and_key' } });
  const { run, calls } = program(rig.clock, quick);
  const sink = execSink({ shape: RECORD, name: 'v', program: 'p', run, env: {}, workDir: '/' });
  const silent = { method: 'GET', path: '/api_keys', after: 1 };
  const faults: RunOptions['faults'] = { rules: [always(silent, { kind: 'black-hole', commit: false })] };
  const { result } = await makeKey(rig, [sink], 1000, { faults });
  expect(calls.map(({ verb, atMs }) => `${verb} ${atMs}`)).toEqual(['check 0', 'put 1000', 'check 1000']);
  expect(result.steps[0]?.outcome).toBe('done');
});
