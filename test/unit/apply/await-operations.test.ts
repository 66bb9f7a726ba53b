// How a step is proved done: by its operations, by those that only the log shows, or by a list.
import { describe, expect, it } from 'vitest';
import type { WaitOptions, WaitOutcome } from '../../../src/client/waiter.ts';
import type { OperationRecord } from '../../../src/model/live.ts';
import type { Step } from '../../../src/model/outcome/plan.ts';
import type { StepEnd } from '../../../src/apply/run/run.ts';
import {
  awaitOperations,
  LATE_MS,
  listsShow,
  openOperations,
  ownOperations,
  proveEnd,
  tellWait,
  waitOptions,
} from '../../../src/apply/step/await-operations.ts';
import {
  CREATION,
  DONE,
  ENDPOINT,
  failure,
  operation,
  refusing,
  REMOVAL,
  resource,
  type Script,
  scriptedRun,
  type ScriptedRun,
  stepOf,
  unknown,
} from './scripted-run.ts';

const TIMING = { startedAtMs: 0, deadlineMs: 60_000 };
const OPERATION = operation();
/** What is awaited of a step on `ep-1` whose reply names one operation. */
type Awaited = Parameters<typeof awaitOperations>[1];
const awaited: Awaited = {
  step: stepOf(),
  id: 'ep-1',
  before: { log: [] },
  sinceMs: 0,
  timing: TIMING,
  operations: [OPERATION],
};

const waited =
  (end: WaitOutcome['end'], operations: readonly OperationRecord[] = [OPERATION]): NonNullable<Script['wait']> =>
  () => ({ end, operations });

describe('the operations of a reply', () => {
  async function ended(script: Script, part: Partial<Awaited> = {}): Promise<ScriptedRun & { end: StepEnd }> {
    const scripted = scriptedRun(script);
    const end = await scripted.clock.run(awaitOperations(scripted.run, { ...awaited, ...part }));
    return { ...scripted, end };
  }

  it('are not waited for where there are none', async () => {
    const { end, reached } = await ended({ wait: refusing(new Error('asked')) }, { operations: [] });
    expect([end, reached]).toEqual([DONE, []]);
  });

  it('end the step as done', async () => {
    const { end, reached } = await ended({});
    expect([end, reached]).toEqual([DONE, ['waiting']]);
  });

  it('that the service does not know any more leave the end unknown', async () => {
    const reason = 'the service does not know the operation of the step, so nothing shows how the step ended';
    const { end } = await ended({ wait: waited('vanished') });
    expect(end).toEqual(unknown(reason));
  });

  it.each<[string, readonly OperationRecord[], string]>([
    [
      'running',
      [
        OPERATION,
        operation({ id: 'op-2', action: 'start_compute', status: 'scheduling' }),
        operation({ id: 'op-3', status: 'finished' }),
      ],
      'apply_config op-1 is running, start_compute op-2 is scheduling',
    ],
    ['over', [operation({ status: 'finished' })], 'the operations of the step could not be read in time'],
  ])('time out: %s', async (_, operations, reason) => {
    const { end } = await ended({ wait: waited('timed_out', operations) });
    expect(end).toEqual(unknown(reason, true));
  });

  it('that fail are named, each with its failures', async () => {
    const operations = [
      operation({ status: 'failed', failuresCount: 2, error: 'no space' }),
      operation({ id: 'op-2', status: 'finished' }),
      operation({ id: 'op-3', status: 'cancelled' }),
    ];
    const { end, reads, events } = await ended({ wait: waited('failed', operations) });
    expect(end).toMatchObject({
      end: 'failed',
      diagnostic: {
        code: 'operation_failed',
        message:
          'the service accepted the request, but apply_config op-1 ended as failed (failures: 2, no space); apply_config op-3 ended as cancelled (failures: 0)',
      },
    });
    expect([reads, events]).toEqual([[], []]);
  });

  it.each<[string, NonNullable<Script['list']>, string]>([
    ['whose target is gone is done, with a warning', () => [resource('ep-2')], 'done'],
    ['whose target is still there has failed', () => [resource('ep-1')], 'failed'],
    ['whose target cannot be read has failed', refusing(failure('no')), 'failed'],
  ])('of a removal %s', async (_, list, wanted) => {
    const wait = waited('failed', [operation({ status: 'failed' })]);
    const { end, events, reads } = await ended({ list, wait }, { step: stepOf(REMOVAL) });
    expect(end.end).toBe(wanted);
    expect(reads).toHaveLength(1);
    const warning = { severity: 'warning', code: 'operation_failed', address: 'shop/primary' };
    expect(events).toMatchObject(wanted === 'done' ? [{ type: 'diagnostic', diagnostic: warning }] : []);
  });

  it.each<[string, Error, object, readonly string[]]>([
    ['by a refused credential', failure('who?', { status: 401 }), { timedOut: false }, ['unauthorized']],
    [
      'by another refusal',
      failure('no', { status: 403 }),
      { timedOut: false, reason: 'the operations of the step could not be followed: no' },
      [],
    ],
  ])('that cannot be followed, %s, leave the end unknown', async (_, error, wanted, halted) => {
    const { end, halts } = await ended({ wait: refusing(error) });
    expect(end).toMatchObject({ end: 'unknown', ...wanted });
    expect(halts).toEqual(halted);
  });

  it('are left when the run is stopped', async () => {
    const scripted = scriptedRun({ wait: refusing(new DOMException('stopped', 'AbortError')) });
    scripted.stop.waits.abort();
    const reason = 'the operation was still running when the run was stopped';
    expect(await awaitOperations(scripted.run, awaited)).toEqual(unknown(reason, true));
  });

  it('and an error that nobody expects is a bug', async () => {
    await expect(ended({ wait: refusing(new Error('bug')) })).rejects.toThrow('bug');
  });

  it('are waited for with those of the log, until the time of the step is over', async () => {
    const asked: WaitOptions[] = [];
    const { run } = await ended({
      wait: (operations, options) => {
        asked.push(options);
        return { end: 'finished', operations };
      },
    });
    expect(asked).toMatchObject([
      { deadlineMs: TIMING.deadlineMs, signal: run.signals.waits, last: 'suspend_compute' },
    ]);
    expect([operation({ id: 'op-2' }), operation({ resourceId: 'ep-2' })].map((one) => asked[0]?.isOwn?.(one))).toEqual(
      [true, false],
    );
  });
});

describe('a wait is told', () => {
  const step = stepOf();
  const told = {
    type: 'apply_progress',
    step: step.id,
    address: step.address,
    action: 'update',
    progress: { done: 1, total: 2 },
  };

  it('with the operation of the step', () => {
    const { run, events } = scriptedRun();
    waitOptions(run, step, TIMING).onLook?.(operation({ failuresCount: 1 }));
    const glimpse = { id: 'op-1', action: 'apply_config', status: 'running', failuresCount: 1 };
    expect(events).toEqual([{ ...told, elapsedMs: 0, operation: glimpse, waitingFor: null }]);
  });

  it.each<[string | null, string]>([
    ['ep-9', 'apply_config op-1 of ep-9'],
    [null, 'apply_config op-1'],
  ])('with an operation of another (%s)', (resourceId, waitingFor) => {
    const { run, events } = scriptedRun();
    waitOptions(run, step, TIMING, true).onLook?.(operation({ resourceId }));
    expect(events).toEqual([{ ...told, elapsedMs: 0, operation: null, waitingFor }]);
  });

  it('with the time since the step began', async () => {
    const { run, events, clock } = scriptedRun();
    await clock.advance(5000);
    tellWait(run, step, { startedAtMs: 2000, deadlineMs: 9000 }, 'something else');
    expect(events).toEqual([{ ...told, elapsedMs: 3000, operation: null, waitingFor: 'something else' }]);
  });
});

describe('operations that no reply names', () => {
  const LATE = operation({ status: 'finished', createdAtMs: Date.UTC(2026, 0, 1) });
  const MAY_START_NONE = { operations: { ...ENDPOINT, mayStartNone: () => true } };

  async function opened(script: Script, part: Partial<Awaited> = {}) {
    const scripted = scriptedRun(script);
    const found = await scripted.clock.run(openOperations(scripted.run, { ...awaited, ...part }));
    return { found: found?.map(({ id }) => id) ?? null, at: scripted.reads.map(({ atMs }) => atMs), ...scripted };
  }

  it.each<[string, Script, Partial<Awaited>]>([
    ['without a project', {}, { step: stepOf({ projectId: null }) }],
    ['without an id', {}, { id: null }],
    ['of a kind that starts none', { kind: {} }, {}],
  ])('are not looked for %s', async (_, script, part) => {
    expect(await opened({ log: () => [OPERATION], ...script }, part)).toMatchObject({ found: [], at: [] });
  });

  it('of a new project are in its own log', async () => {
    const step = stepOf({ ...CREATION, kind: 'project', projectId: null });
    const { run, reads } = scriptedRun();
    await openOperations(
      { ...run, kinds: new Map([['project', { operations: ENDPOINT }]]) as never },
      {
        ...awaited,
        step,
        id: 'shop-9',
        timing: { startedAtMs: 0, deadlineMs: 0 },
      },
    );
    expect(reads).toMatchObject([{ what: '/projects/shop-9/operations' }]);
  });

  it('are found at once', async () => {
    expect(await opened({ log: () => [OPERATION] })).toMatchObject({ found: ['op-1'], at: [0] });
  });

  it('are found in a log that lags', async () => {
    const log = (atMs: number): readonly OperationRecord[] => (atMs < 3000 ? [] : [LATE]);
    expect(await opened({ log })).toMatchObject({ found: ['op-1'], at: [0, 500, 1500, 3500] });
  });

  it('are not expected any more once no log lags that much', async () => {
    expect(await opened({})).toMatchObject({ found: [], at: [0, 500, 1500, 3500, 10_000] });
  });

  it('are looked for only briefly where there may be none', async () => {
    expect(await opened({ kind: MAY_START_NONE })).toMatchObject({ found: [], at: [0, 500] });
  });

  it('are looked for once after a removal', async () => {
    expect(await opened({}, { step: stepOf(REMOVAL) })).toMatchObject({ found: [], at: [0] });
  });

  it('are not looked for after the time of the step', async () => {
    expect((await opened({}, { timing: { startedAtMs: 0, deadlineMs: 1500 } })).at).toEqual([0, 500, 1500]);
    expect((await opened({}, { timing: { startedAtMs: 0, deadlineMs: 1499 } })).at).toEqual([0, 500]);
  });

  it('are not known where the log cannot be read, and none where it could be read once', async () => {
    const log = refusing(failure('no'));
    expect((await opened({ log })).found).toBeNull();
    expect((await opened({ log: (atMs) => (atMs === 500 ? [] : log()) })).found).toEqual([]);
  });

  it('and an error that nobody expects is a bug', async () => {
    await expect(opened({ log: refusing(new Error('bug')) })).rejects.toThrow('bug');
  });
});

describe('an operation belongs to a step', () => {
  const SINCE = Date.UTC(2026, 0, 1);
  const own = (one: OperationRecord, part: Partial<Awaited> = {}, script: Script = {}): boolean =>
    ownOperations(scriptedRun(script).run, { ...awaited, sinceMs: SINCE, ...part })(one);

  it.each<[string, boolean, OperationRecord]>([
    ['on its resource', true, OPERATION],
    ['on another resource', false, operation({ resourceId: 'ep-2' })],
    ['with an action of another step', false, operation({ action: 'start_compute' })],
  ])('%s: %s', (_, wanted, one) => expect(own(one)).toBe(wanted));

  it('never where its kind starts none, or its resource is not known', () => {
    expect(own(OPERATION, {}, { kind: {} })).toBe(false);
    expect(own(operation({ resourceId: null }), { id: null })).toBe(false);
  });

  it('never where the log had it before', () => {
    expect(own(OPERATION, { before: { log: [operation({ id: 'op-0' }), OPERATION] } })).toBe(false);
    expect(own(OPERATION, { before: { log: [operation({ id: 'op-0' })] } })).toBe(true);
  });

  it.each<[string, boolean, Partial<OperationRecord>, number | null]>([
    ['while it runs', true, { createdAtMs: SINCE - 5000 }, SINCE],
    ['made since', true, { status: 'finished', createdAtMs: SINCE + 1 }, SINCE],
    ['made in the same second', true, { status: 'finished', createdAtMs: SINCE - 1000 }, SINCE],
    ['made before', false, { status: 'finished', createdAtMs: SINCE - 1001 }, SINCE],
    ['made at an unknown time', false, { status: 'finished', createdAtMs: null }, SINCE],
    ['made when nobody knows the time', false, { status: 'finished', createdAtMs: SINCE }, null],
  ])('without a log from before: %s', (_, wanted, part, sinceMs) => {
    expect(own(operation(part), { before: { log: null }, sinceMs })).toBe(wanted);
  });

  it('and a time before 1970 says nothing', () => {
    const unread = { before: { log: null } };
    expect(own(operation({ status: 'finished', createdAtMs: null }), { ...unread, sinceMs: -9 })).toBe(false);
    expect(own(operation({ status: 'finished', createdAtMs: 5 }), { ...unread, sinceMs: null })).toBe(false);
  });
});

describe('a list', () => {
  const THERE = { id: 'ep-1', isThere: true };
  const GONE = { id: 'ep-1', isThere: false };
  const both = [resource('ep-0'), resource('ep-1')];

  async function shown(script: Script, want: typeof THERE, pausesMs?: readonly number[]) {
    const scripted = scriptedRun(script);
    const answer = await scripted.clock.run(listsShow(scripted.run, stepOf(), want, 7, pausesMs));
    return { answer, at: scripted.reads.map(({ atMs }) => atMs) };
  }

  it.each([
    [THERE, true, [0]],
    [GONE, false, [0, 500, 1500, 3500, 7500]],
  ])('that shows the resource: %j is %s', async (want, answer, at) => {
    expect(await shown({ list: () => both }, want)).toMatchObject({ answer, at });
  });

  it('that lags is read again, each time anew', async () => {
    const list = (atMs: number) => (atMs < 1000 ? [] : both);
    expect(await shown({ list }, THERE)).toEqual({ answer: true, at: [0, 500, 1500] });
  });

  it('that could be read once, with another answer, is an answer', async () => {
    const list = (atMs: number) => (atMs === 500 ? [] : refusing(failure('no'))());
    expect((await shown({ list }, THERE)).answer).toBe(false);
    expect((await shown({ list: refusing(failure('no')) }, THERE)).answer).toBeNull();
  });

  it('and an error that nobody expects is a bug', async () => {
    await expect(shown({ list: refusing(new Error('bug')) }, THERE)).rejects.toThrow('bug');
  });

  it('is read at once, but not again, after a stop', async () => {
    const { run, stop, reads } = scriptedRun();
    stop.waits.abort();
    expect(await listsShow(run, stepOf(), THERE, 0)).toBe(false);
    expect(reads).toHaveLength(1);
    expect(await listsShow(run, stepOf(), THERE, 0, LATE_MS)).toBeNull();
    expect(reads).toHaveLength(1);
  });

  it('is not read again after a stop of the requests', async () => {
    const { run, clock, stop, reads } = scriptedRun();
    stop.requests.abort();
    expect(await clock.run(listsShow(run, stepOf(), THERE, 0))).toBeNull();
    expect(reads).toHaveLength(1);
  });

  describe('proves', () => {
    async function proved(script: Script, step: Partial<Step>, end: StepEnd = DONE, id: string | null = 'ep-1') {
      const scripted = scriptedRun(script);
      const answer = await scripted.clock.run(proveEnd(scripted.run, stepOf(step), id, end, 3));
      return { answer, reads: scripted.reads };
    }

    it.each<[string, Partial<Step>, StepEnd, string | null]>([
      ['an update', {}, DONE, 'ep-1'],
      ['a failure', CREATION, { end: 'not_started' }, 'ep-1'],
      ['what has no id', CREATION, DONE, null],
    ])('nothing of %s', async (_, step, end, id) => {
      expect(await proved({}, step, end, id)).toEqual({ answer: end, reads: [] });
    });

    it('a creation', async () => {
      expect(await proved({ list: () => both }, CREATION)).toMatchObject({
        answer: DONE,
        reads: [{ atMs: 0 }],
      });
      const reason = 'the service accepted the create, but ep-1 is not listed';
      expect((await proved({}, CREATION)).answer).toEqual(unknown(reason));
    });

    it('a removal, by a list that those sent together share', async () => {
      expect(await proved({}, REMOVAL)).toMatchObject({ answer: DONE, reads: [{ atMs: 100 }] });
      const reason = 'the service accepted the delete, but ep-1 is still listed';
      expect((await proved({ list: () => both }, REMOVAL)).answer).toEqual(unknown(reason));
    });

    it('nothing where it cannot be read', async () => {
      const reason = 'the service accepted the delete, but ep-1 could not be read again';
      const { answer } = await proved({ list: refusing(failure('no')) }, REMOVAL);
      expect(answer).toEqual(unknown(reason));
    });

    it('after a stop what one reading shows', async () => {
      const { run, stop } = scriptedRun({ list: () => both });
      stop.waits.abort();
      expect(await proveEnd(run, stepOf(REMOVAL), 'ep-1', DONE, 3)).toMatchObject({ end: 'unknown', timedOut: true });
    });
  });
});
