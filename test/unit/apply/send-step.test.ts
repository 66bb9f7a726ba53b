// One write: read, turn, send; and what follows from a refusal, a busy project, a lost reply, or a change by others.
import { describe, expect, it } from 'vitest';
import type { FailureFacts } from '../../../src/client/failure.ts';
import { DROP } from '../../../src/model/outcome/impact.ts';
import type { Plan, Step } from '../../../src/model/outcome/plan.ts';
import { DOUBTFUL } from '../../../src/apply/judge/recognise.ts';
import type { Pass } from '../../../src/apply/run/lanes.ts';
import { poolOf, type ExecutableKind, type StepEnd } from '../../../src/apply/run/run.ts';
import type { LiveResource } from '../../../src/model/live.ts';
import {
  answerBy,
  failedOr,
  isJournaled,
  lostWords,
  patienceOf,
  refusalHint,
  timingOf,
  type Sending,
} from '../../../src/apply/step/attempt.ts';
import { runStep } from '../../../src/apply/step/run-step.ts';
import {
  AFTER,
  BEFORE,
  CREATION,
  DONE,
  ENDPOINT,
  failure,
  kind,
  KIND,
  operation,
  REMOVAL,
  resource,
  type Script,
  scriptedRun,
  type ScriptedRun,
  stepOf,
  unknown,
} from './scripted-run.ts';

const OTHER = resource('ep-1', { disabled: null });
const SATISFIED: StepEnd = { end: 'satisfied', id: 'ep-1', reason: undefined };
const failed = (code: string, message?: string): object => ({
  end: 'failed',
  diagnostic: { code, ...(message === undefined ? {} : { message }) },
});

/** Replies that name no operation that is waited for. */
const plain: Partial<ExecutableKind> = { ...KIND, operations: undefined as never };
const by = (recognise: 'slot' | 'name' | 'mark' | 'nothing'): Partial<ExecutableKind> => ({
  ...plain,
  recognise: () => recognise,
});

type Reply = Partial<FailureFacts> | 'done';
const LATER: Reply = { failureClass: 'come_later', status: 503 };
const UNSENT: Reply = { failureClass: 'not_sent' };
const BUSY: Reply = { failureClass: 'come_later', status: 423, path: '/projects/shop-1/endpoints/ep-1' };
const REFUSED: Reply = { failureClass: 'refused', status: 409 };
const LOST: Reply = { failureClass: 'ambiguous' };

interface Story extends Script {
  readonly replies?: readonly Reply[];
  /** The list before the first write, and from the n-th write on. */
  readonly lists?: readonly (readonly ReturnType<typeof resource>[])[];
}

/** Runs a step whose writes are answered in this order, the last again and again. */
async function sent(
  { replies = ['done'], lists, ...script }: Story,
  step: Partial<Step> = {},
  prepare: (scripted: ScriptedRun) => void = () => undefined,
) {
  const scripted: ScriptedRun = scriptedRun({
    kind: plain,
    list: () => lists?.[Math.min(scripted.writes.length, lists.length - 1)] ?? [],
    write: (nth) => {
      const reply = replies[Math.min(nth, replies.length) - 1] ?? 'done';
      if (reply !== 'done') throw failure('no', reply);
    },
    ...script,
  });
  prepare(scripted);
  const { end } = await scripted.clock.run(runStep(scripted.run, stepOf(step)));
  return { ...scripted, end, retries: scripted.events.filter(({ type }) => type === 'retry') };
}

/** Gives each step this place in its queue. */
function enterBy(run: ScriptedRun['run'], part: Partial<Pass>): void {
  const nothing = (): void => undefined;
  const pass: Pass = {
    alone: () => true,
    inSlot: async (_, work) => work(),
    accepted: nothing,
    refusedAsBusy: nothing,
    turnAgain: async () => Promise.resolve(),
    exclusively: async (_, work) => work(),
    leave: nothing,
    ...part,
  };
  Object.assign(run.lanes, { enter: async () => Promise.resolve(pass) });
}

describe('a place that looks taken', () => {
  /** The other writes of the queue are answered before the step looks alone: then `what` is known. */
  const answering =
    (what: (run: ScriptedRun['run']) => void) =>
    ({ run }: ScriptedRun): void =>
      enterBy(run, {
        exclusively: async (_, work) => {
          what(run);
          return work();
        },
      });

  it('may be taken by another step, whose reply is awaited', async () => {
    const claiming = answering(({ claims }) => claims.add('ep-1'));
    for (const list of [AFTER, BEFORE])
      expect((await sent({ lists: [[list]], kind: by('mark') }, CREATION, claiming)).writes).toHaveLength(1);
  });

  it('may be in doubt once the others are answered', async () => {
    const doubting = answering(({ uncertain }) => uncertain.add(poolOf(stepOf(CREATION)) ?? ''));
    expect((await sent({ lists: [[AFTER]], kind: by('mark') }, CREATION, doubting)).end).toEqual(DOUBTFUL);
  });

  it('is not asked about for a resource that has an id, or where nothing is taken', async () => {
    const never = answering(() => {
      throw new Error('asked');
    });
    expect((await sent({ lists: [[AFTER]] }, {}, never)).end).toEqual(SATISFIED);
    expect((await sent({ lists: [[OTHER]] }, {}, never)).end).toMatchObject(failed('stale'));
    expect((await sent({ lists: [[], [AFTER]], kind: by('mark') }, CREATION, never)).writes).toHaveLength(1);
  });
});

describe('a reading', () => {
  it.each([
    [1900, 1],
    [2000, 1],
    [2001, 3],
  ])('is read again if its write waits %i ms for its turn, but not for ever', async (turnMs, lists) => {
    const { end, reads, clock } = await sent({ lists: [[BEFORE]], turnMs });
    expect(end).toEqual(DONE);
    expect([reads.length, clock.monotonicMs()]).toEqual([lists, turnMs * lists]);
  });

  it('that another step renewed meanwhile is judged again', async () => {
    const list = (atMs: number): readonly LiveResource[] => [atMs < 50 ? BEFORE : AFTER];
    const { end, writes } = await sent({ list, turnMs: 100 }, {}, ({ clock, run }) =>
      clock.after(50, () => void run.world.reread(stepOf(), run.signals.requests)),
    );
    expect([end, writes]).toEqual([SATISFIED, []]);
  });

  it.each([
    ['made by another step counts from its start', 1500, 0, 2],
    ['made by the step itself counts from its reply', 0, 1500, 1],
  ])('%s', async (_, agoMs, listMs, lists) => {
    const scripted = scriptedRun({ kind: plain, list: () => [BEFORE], turnMs: 600, listMs });
    const { run, clock, reads } = scripted;
    if (agoMs > 0) await run.world.list(stepOf(), -Infinity, run.signals.requests);
    await clock.advance(agoMs);
    expect((await clock.run(runStep(run, stepOf()))).end).toEqual(DONE);
    expect(reads).toHaveLength(lists);
  });

  it('names what the journal must know before a creation', async () => {
    const known = [...['ep-8', 'ep-7'].map((id) => resource(id, { type: 'a' })), resource('ep-6', { type: 'b' })];
    const expects: Step['expects'] = { state: 'absent', joins: { where: { type: 'a' }, known: ['ep-7', 'ep-8'] } };
    const { noted } = await sent({ kind: by('slot'), list: () => known, replies: [LOST] }, { ...CREATION, expects });
    expect(noted).toEqual([`intent ${stepOf().id} ep-7,ep-8`]);
  });

  it('and a bug in between is one', async () => {
    const write = (): never => {
      throw new Error('bug');
    };
    await expect(sent({ lists: [[BEFORE]], write })).rejects.toThrow('bug');
  });
});

it('a request has the body of its moment, and a time limit', async () => {
  const asked: unknown[] = [];
  const body = { branch: { expires_at: { ttl_seconds: 60 } } };
  const { run } = await sent({ lists: [[BEFORE]] }, { body }, ({ run: { client } }) =>
    Object.assign(client, {
      write: async (...args: unknown[]) => {
        asked.push(args);
        return Promise.resolve({});
      },
    }),
  );
  const options = { signal: run.signals.requests, deadlineMs: 60_000, hasTurn: true };
  const sentBody = { branch: { expires_at: '2026-01-01T00:01:00.000Z' } };
  expect(asked).toEqual([['PATCH', '/projects/shop-1/endpoints/ep-1', sentBody, options]]);
});

it('a stop does not end the repetition of a lost request', async () => {
  const softly = ({ clock, stop }: ScriptedRun): void => void clock.after(2050, () => stop.admission.abort());
  const { end, writes } = await sent({ replies: [LOST, 'done'], lists: [[BEFORE]], turnMs: 100 }, {}, softly);
  expect([end, writes.length]).toEqual([DONE, 2]);
});

describe('the journal', () => {
  it.each<[string, readonly Reply[], readonly string[]]>([
    ['closes the intent of a refused creation', [REFUSED], ['intent', 'failed']],
    ['keeps the intent of a lost one', [LOST], ['intent']],
    ['keeps the intent of one that was lost and then refused', [LOST, REFUSED], ['intent']],
  ])('%s', async (_, replies, wanted) => {
    const { noted } = await sent({ replies, lists: [[]] }, CREATION);
    expect(noted.map((line) => line.split(' ')[0])).toEqual(wanted);
  });
});

it('a removal that is still in use is held back, and blocks', async () => {
  const kind: Partial<ExecutableKind> = {
    ...plain,
    contents: {
      kinds: [],
      of: () => [],
      stake: () => ({ usedAt: null, version: null, bytes: null }),
      lastUse: () => Date.UTC(2025, 11, 31),
    },
  };
  const changes = [{ address: 'shop/primary', consents: [{ word: DROP, given: 'flag' }] }];
  const plan = { upkeep: [], windows: [], changes, idleLimits: [{ project: null, ms: 7 * 86_400_000 }] };
  const { end, writes } = await sent({ lists: [[BEFORE]], kind, run: { plan: plan as unknown as Plan } }, REMOVAL);
  const reason =
    'the last use was at 2025-12-31T00:00:00.000Z: safety.drop.unless_idle keeps resources that were used within 7d';
  expect([end, writes]).toEqual([{ end: 'blocked', reason }, []]);
});

describe('a reply', () => {
  const outcome = (id: string | null) => () => ({ id, operations: [], secret: null, record: {} });

  it('that cannot be used is no outcome', async () => {
    const { end, writes } = await sent({ lists: [[BEFORE]], kind: { ...plain, outcome: () => null } });
    expect(writes).toHaveLength(2);
    expect(end).toEqual(
      unknown(
        'the reply was lost 2 times in a row (the reply cannot be used), and the account does not show the outcome; the next plan shows whether the step was carried out',
      ),
    );
  });

  it('to a creation that names what was there before is not followed, and not repeated', async () => {
    const expects: Step['expects'] = { state: 'absent', joins: { where: {}, known: ['ep-1'] } };
    const { end, writes } = await sent(
      { list: () => [BEFORE], kind: { ...plain, outcome: outcome('ep-1') } },
      { ...CREATION, expects },
    );
    expect(writes).toHaveLength(1);
    expect(end).toMatchObject({ end: 'unknown' });
    expect(JSON.stringify(end)).toContain('the reply cannot be used (the reply names ep-1, which existed before');
  });
});

describe('a refusal', () => {
  it.each([
    ['ROLES_LIMIT_EXCEEDED', true],
    ['LIMIT_EXCEEDED_NOT', false],
    ['', false],
  ])('with the code "%s" has a hint: %s', (code, hasHint) => {
    expect(refusalHint(failure('no', { code }))?.startsWith('A limit of the subscription plan') ?? false).toBe(hasHint);
  });

  it.each<[string, Story, Partial<Step>, object]>([
    ['of an update stands', { lists: [[BEFORE]] }, {}, failed('refused', 'no')],
    [
      'of an update that another made is satisfied',
      { lists: [[BEFORE], [AFTER]] },
      {},
      { end: 'satisfied', id: 'ep-1' },
    ],
    [
      'of an update beside another change is stale',
      { lists: [[BEFORE], [OTHER]] },
      {},
      failed('stale', 'ep-1 has changed: disabled is null, but the plan expects false (no)'),
    ],
    ['of a creation stands', { lists: [[]] }, CREATION, failed('refused', 'no')],
    [
      'of a creation that is there now is satisfied',
      { lists: [[], [AFTER]] },
      CREATION,
      { end: 'satisfied', id: 'ep-1', reason: undefined },
    ],
    [
      'of a creation beside which one appeared stands',
      { lists: [[], [AFTER]], kind: by('mark') },
      CREATION,
      failed(
        'refused',
        'no; ep-1 appeared after the request, and another run or person may have created that resource',
      ),
    ],
  ])('%s', async (_, story, step, end) => {
    const { end: found, writes, run } = await sent({ replies: [REFUSED], ...story }, step);
    expect(found).toMatchObject(end);
    expect(writes).toHaveLength(1);
    expect([...run.claims]).toEqual('id' in end ? ['ep-1'] : []);
  });

  it('of the credential stops the run', async () => {
    const { end, halts, reads } = await sent({ lists: [[BEFORE]], replies: [{ status: 401 }] });
    expect(end).toMatchObject(failed('unauthorized', 'no'));
    expect([halts, reads.length]).toEqual([['unauthorized'], 1]);
  });

  it('after a lost reply is done if the account shows it', async () => {
    const story = { replies: [LOST, REFUSED], lists: [[], [], [AFTER]] };
    expect((await sent(story, CREATION)).end).toEqual(DONE);
  });

  it('after a lost reply is unknown else', async () => {
    const { end, clock } = await sent({ replies: [LOST, REFUSED], lists: [[]] }, CREATION);
    expect(end).toEqual(unknown('an earlier reply was lost, and the account does not show the outcome: no'));
    expect(clock.monotonicMs()).toBe(2000 + 7500);
  });

  it('after a request that the service put off is judged by one reading', async () => {
    const { end, clock } = await sent({ replies: [LATER, REFUSED], lists: [[BEFORE]] });
    expect(end).toMatchObject(failed('refused', 'no'));
    expect(clock.monotonicMs()).toBe(0);
  });
});

describe('a write that is put off', () => {
  it.each<[string, Reply, string, string]>([
    ['by the service', LATER, 'come_later', 'Nothing was done. Run trueup apply again later.'],
    ['by the network', UNSENT, 'not_sent', 'Nothing was done. Run trueup apply again.'],
  ])('%s is sent again, or ends with the reason', async (_, reply, code, hint) => {
    const story = { lists: [[BEFORE]], replies: [reply, 'done'] as const };
    expect((await sent(story)).end).toEqual(DONE);
    expect((await sent({ ...story, pause: () => '' })).end).toMatchObject({
      diagnostic: { code, message: 'no', hint },
    });
    expect((await sent({ ...story, pause: () => 'late' })).end).toMatchObject({
      diagnostic: { code, message: 'no; late', hint },
    });
  });

  it('is not started if the run is stopped', async () => {
    const story: Story = { lists: [[BEFORE]], replies: [LATER], pause: () => '' };
    const { end } = await sent({ ...story, pause: () => 'x' }, {}, ({ run, stop }) => {
      const { client } = run;
      Object.assign(client, {
        pauseAfter: async () => {
          stop.admission.abort();
          return Promise.resolve('');
        },
      });
    });
    expect(end).toEqual({ end: 'not_started' });
  });

  it('and then is there by somebody else: an update is taken over, a creation is satisfied or unknown', async () => {
    const update = await sent({ lists: [[BEFORE], [AFTER]], replies: [LATER] });
    expect(update.end).toEqual(DONE);
    const story: Story = { lists: [[], [AFTER]], replies: [LATER] };
    const came = 'the service asked for a later retry, and ep-1 appeared since then';
    const slot = await sent(story, CREATION);
    expect(slot.end).toEqual({ end: 'satisfied', id: 'ep-1', reason: `${came}, perhaps created by another run` });
    expect([...slot.run.uncertain]).toEqual([]);
    const free = await sent({ ...story, kind: by('mark') }, CREATION);
    expect(free.end).toEqual(unknown(`${came}: the service may have carried out the refused request`));
    expect([[...free.run.claims], [...free.run.uncertain]]).toEqual([[], [poolOf(stepOf(CREATION))]]);
  });

  it('and then is gone by somebody else: a removal is satisfied', async () => {
    const { end } = await sent({ lists: [[BEFORE], []], replies: [LATER] }, REMOVAL);
    expect(end).toEqual({ end: 'satisfied', id: null, reason: undefined });
  });

  it.each([
    ['as busy', BUSY],
    ['by the network', UNSENT],
  ])('%s and then done by somebody else is satisfied', async (_, reply) => {
    expect((await sent({ lists: [[BEFORE], [AFTER]], replies: [reply] })).end).toEqual(SATISFIED);
  });

  it('as busy may be a creation that the service carries out', async () => {
    const { end } = await sent({ lists: [[], [AFTER]], replies: [BUSY], kind: by('mark') }, CREATION);
    expect(end.end).toBe('unknown');
  });

  it('waits as the client says, and tells it', async () => {
    const asked: unknown[] = [];
    const { run, retries } = await sent(
      { lists: [[BEFORE]], replies: [LATER, LATER, 'done'] },
      {},
      ({ run: { client } }) =>
        Object.assign(client, {
          pauseAfter: async (
            ...[, attempts, { signal, deadlineMs, onRetry }]: Parameters<typeof client.pauseAfter>
          ) => {
            asked.push({ attempts, signal, deadlineMs });
            onRetry?.({ delayMs: 7, cause: 'why', attempt: attempts, method: 'PATCH', path: '/' });
            return Promise.resolve(null);
          },
        }),
    );
    const bounds = { signal: run.signals.admission, deadlineMs: 60_000 };
    expect(asked).toEqual([1, 2].map((attempts) => ({ attempts, ...bounds })));
    expect(retries).toMatchObject([2, 3].map((attempt) => ({ attempt, delayMs: 7, cause: 'why' })));
  });

  it('after a lost reply is unknown, although the run was stopped', async () => {
    const story: Story = { lists: [[BEFORE]], replies: [LOST, LATER], pause: () => '' };
    const { end } = await sent(story, {}, ({ clock, stop }) => clock.after(1000, () => stop.admission.abort()));
    expect(end).toEqual(unknown('an earlier reply was lost, and the account does not show the outcome: no'));
  });
});

describe('a busy project', () => {
  const lists = [[BEFORE]];

  it('is waited for', async () => {
    const { end, events, writes } = await sent({ lists, replies: [BUSY, 'done'] });
    expect([end, writes.length]).toEqual([DONE, 2]);
    expect(events.map(({ type }) => type)).toEqual(['apply_start', 'apply_progress', 'retry']);
    expect(events[1]).toMatchObject({ waitingFor: 'other operations of the project', operation: null });
    expect(events[2]).toMatchObject({ attempt: 2, delayMs: 0, cause: 'no' });
  });

  it('tells whose operations it waits for', async () => {
    const quiet: Script['quiet'] = ({ onLook }) => {
      onLook?.(operation({ resourceId: 'ep-9' }));
      return true;
    };
    const { events } = await sent({ lists, replies: [BUSY, 'done'], quiet });
    expect(events).toMatchObject([{}, {}, { waitingFor: 'apply_config op-1 of ep-9', operation: null }, {}]);
  });

  it.each([
    ['busy until the deadline', (): boolean => false, 60_000],
    ['quiet only then', (): boolean => true, 0],
  ])('%s fails the step', async (_, quiet, stepTimeoutMs) => {
    const { end, writes } = await sent({ lists, replies: [BUSY], quiet, run: { stepTimeoutMs } });
    expect(end).toMatchObject(failed('busy', 'the project was busy until the deadline: no'));
    expect(writes).toHaveLength(1);
  });

  it.each([
    ['does not use up the time of the step while others have their turn', 0, DONE],
    ['uses it up by the wait itself', 4000, failed('busy')],
  ])('%s', async (_, quietMs, wanted) => {
    const { end } = await sent(
      { lists, replies: [BUSY, 'done'], turnMs: 100, run: { stepTimeoutMs: 4000 } },
      {},
      ({ run, clock }) => {
        enterBy(run, { turnAgain: async () => clock.sleep(5000) });
        const quiet = async (): Promise<boolean> => clock.sleep(quietMs).then(() => true);
        Object.assign(run.waiter, { quiet });
      },
    );
    expect(end).toMatchObject(wanted);
  });

  it('is not waited for after a stop', async () => {
    const stopping = (at: 'write' | 'quiet') => async (): Promise<readonly string[]> => {
      const { end, events } = await sent({ lists, replies: [BUSY] }, {}, ({ run, stop }) => {
        const { write } = run.client;
        const quiet = async (): Promise<boolean> => {
          stop.admission.abort();
          return Promise.resolve(true);
        };
        if (at === 'quiet') Object.assign(run.waiter, { quiet });
        else
          Object.assign(run.client, {
            write: async (...args: Parameters<typeof write>) => {
              stop.admission.abort();
              return write(...args);
            },
          });
      });
      expect(end).toEqual({ end: 'not_started' });
      return events.map(({ type }) => type);
    };
    expect(await stopping('write')()).toEqual(['apply_start']);
    expect(await stopping('quiet')()).toEqual(['apply_start', 'apply_progress']);
  });
});

describe('a lost reply', () => {
  const lostWordsOf = (times: string): string =>
    `the reply was lost${times} (no), and the account does not show the outcome; the next plan shows whether the step was carried out`;

  it.each<[string, number, Story, Partial<Step>]>([
    ['in a slot three times', 3, {}, CREATION],
    ['of a name three times', 3, { kind: by('name') }, CREATION],
    ['of an update twice', 2, { lists: [[BEFORE]] }, {}],
    ['of a removal twice', 2, { lists: [[BEFORE]] }, REMOVAL],
    ['of a marked creation once', 1, { kind: by('mark') }, CREATION],
    ['of a creation that nothing shows once', 1, { kind: by('nothing') }, CREATION],
  ])('is sent again where that is harmless: %s', async (_, times, story, step) => {
    const { end, writes, retries, reached, run } = await sent({ replies: [LOST], ...story }, step);
    expect(writes).toHaveLength(times);
    expect(end).toEqual(unknown(lostWordsOf(times === 1 ? '' : ` ${times} times in a row`)));
    expect(retries).toHaveLength(times - 1);
    expect(reached.filter((point) => point === 'settling')).toHaveLength(times);
    expect(run.uncertain.size).toBe(times === 1 ? 1 : 0);
  });

  it('is not sent again once the time of the step is over', async () => {
    const { end, writes } = await sent({ replies: [LOST], run: { stepTimeoutMs: 2000 } }, CREATION);
    expect([end, writes.length]).toEqual([unknown(lostWordsOf('')), 1]);
    expect((await sent({ replies: [LOST], run: { stepTimeoutMs: 2001 } }, CREATION)).writes).toHaveLength(2);
  });

  it('is not sent again after a stop', async () => {
    const { writes } = await sent({ replies: [LOST] }, CREATION, ({ stop, clock }) =>
      clock.after(500, () => stop.waits.abort()),
    );
    expect(writes).toHaveLength(1);
  });

  it('whose effect the account shows is done', async () => {
    expect((await sent({ replies: [LOST], lists: [[], [AFTER]] }, CREATION)).end).toEqual(DONE);
    expect((await sent({ replies: [LOST], lists: [[BEFORE], [AFTER]] })).end).toEqual(DONE);
    expect((await sent({ replies: [LOST], lists: [[BEFORE], []] }, REMOVAL)).end).toMatchObject({ end: 'done' });
  });

  it('of a marked creation that the account shows leaves no doubt', async () => {
    const { end, run } = await sent({ replies: [LOST], lists: [[], [AFTER]], kind: by('mark') }, CREATION);
    expect([end, run.uncertain.size]).toEqual([DONE, 0]);
  });

  it('beside which another change appears is unknown, with that change', async () => {
    const { end } = await sent({ replies: [LOST], lists: [[BEFORE], [OTHER]] });
    expect(end).toEqual(
      unknown('the reply was lost (no): ep-1 has changed: disabled is null, but the plan expects false'),
    );
  });

  it('of a creation that nothing shows, beside which one appeared, is unknown', async () => {
    const { end, run } = await sent({ replies: [LOST], lists: [[], [AFTER]], kind: by('nothing') }, CREATION);
    expect(end).toEqual(
      unknown(
        'the reply was lost (no): ep-1 appeared after the request, and another run or person may have created them',
      ),
    );
    expect(run.uncertain.size).toBe(1);
  });

  it.each<[string, Story['lists'], Partial<Step>, StepEnd]>([
    ['in a slot', [[], [], [AFTER]], CREATION, DONE],
    ['of an update', [[BEFORE], [BEFORE], [AFTER]], {}, DONE],
    ['of a removal', [[BEFORE], [BEFORE], []], REMOVAL, { end: 'done', id: null }],
  ])('%s, whose effect shows only after the repetition was put off, is done', async (_, lists, step, end) => {
    expect((await sent({ replies: [LOST, LATER], lists: lists ?? [] }, step)).end).toEqual(end);
  });
});

describe('operations on the target that others started', () => {
  const operations = { ...ENDPOINT, starts: { ...ENDPOINT.starts, restart: ['restart_compute'] } };
  const RESTART: Partial<Step> = { action: 'restart', method: 'POST', achieves: { disabled: false } };
  const running = operation({ action: 'start_compute' });
  const log = (atMs: number) =>
    atMs < 1000 ? [running] : atMs === 1000 ? [] : [operation({ id: 'op-2', action: 'restart_compute' })];

  it('are waited for before a restart', async () => {
    const asked: boolean[] = [];
    const { end, writes, clock, events } = await sent(
      { lists: [[BEFORE]], ...kind({ operations }), log },
      RESTART,
      ({ run, clock: time }) =>
        Object.assign(run.waiter, {
          settled: async (
            found: readonly object[],
            options: { signal: AbortSignal; onLook?: (one: object) => void },
          ) => {
            asked.push(options.signal === run.signals.admission);
            options.onLook?.(running);
            await time.sleep(1000);
            return { end: 'finished', operations: found };
          },
        }),
    );
    expect(end).toEqual(DONE);
    expect([writes.length, asked]).toEqual([1, [true, false]]);
    expect(clock.monotonicMs()).toBeGreaterThan(1000);
    expect(events[0]).toMatchObject({ type: 'apply_progress', waitingFor: 'start_compute op-1 of ep-1' });
  });

  it('fail it where they still run at the deadline', async () => {
    const wait: Script['wait'] = (found) => ({ end: 'timed_out', operations: found });
    const { end, writes } = await sent({ lists: [[BEFORE]], ...kind({ operations }), log, wait }, RESTART);
    expect(end).toMatchObject(
      failed('busy', 'an operation that this run did not start was still running at the deadline'),
    );
    expect(writes).toEqual([]);
  });

  it('are not waited for by a step that is stale', async () => {
    const wait: Script['wait'] = () => {
      throw new Error('asked');
    };
    const { end } = await sent({ lists: [[OTHER]], ...kind({ operations }), log, wait }, RESTART);
    expect(end).toMatchObject(failed('stale'));
  });

  it('are its own where the service put the request off and yet carried it out', async () => {
    const own = operation({ id: 'op-2', action: 'restart_compute', status: 'finished' });
    let asked = 0;
    const story: Story = { lists: [[BEFORE]], replies: [LATER], log: () => (asked++ === 0 ? [] : [own]) };
    const { end, writes } = await sent({ ...story, ...kind({ operations }) }, RESTART);
    expect([end, writes.length]).toEqual([DONE, 1]);
  });

  it.each([
    ['that have ended', operation({ status: 'finished' })],
    ['on another target', operation({ resourceId: 'ep-2' })],
  ])('are not those %s', async (_, other) => {
    const own = operation({ id: 'op-2', action: 'restart_compute', status: 'finished' });
    const wait: Script['wait'] = (found) => {
      if (found.some(({ id }) => id === other.id)) throw new Error('waited for it');
      return { end: 'finished', operations: found };
    };
    let asked = 0;
    const story: Story = { lists: [[BEFORE]], wait, log: () => (asked++ === 0 ? [other] : [other, own]) };
    const { end, writes } = await sent({ ...story, ...kind({ operations }) }, RESTART);
    expect([end, writes.length]).toEqual([DONE, 1]);
  });
});

describe('the time of a step', () => {
  it('ends with that of the run', () => {
    const { run } = scriptedRun({ run: { stepTimeoutMs: 1000 } });
    expect(timingOf(run)).toEqual({ startedAtMs: 0, deadlineMs: 1000 });
    expect(timingOf({ ...run, runDeadlineMs: 900 })).toEqual({ startedAtMs: 0, deadlineMs: 900 });
  });

  it.each([
    [900, 1000, 900],
    [1000, 1000, 4000],
    [1001, 1000, 4000],
  ])('%i of a run of %i bounds a reply to %i', (deadlineMs, runDeadlineMs, wanted) => {
    expect(answerBy({ run: { runDeadlineMs }, timing: { deadlineMs } } as never)).toBe(wanted);
  });
});

describe('what a stop ends', () => {
  it('is the wait for a first request softly, for a repetition only hard', () => {
    const { run } = scriptedRun();
    expect(patienceOf({ run, delivery: { sent: 0 } } as never)).toBe(run.signals.admission);
    expect(patienceOf({ run, delivery: { sent: 1 } } as never)).toBe(run.signals.waits);
  });
});

describe('words', () => {
  it('of a lost reply', () => {
    expect(lostWords(failure('no'))).toBe('the reply was lost (no)');
    expect(lostWords(failure('no'), ' twice')).toBe('the reply was lost twice (no)');
    expect(lostWords(failure('no', { code: 'ENOTNEW' }), ' twice')).toBe('the reply cannot be used (no)');
  });

  it('of a step that is not sent again', () => {
    const sending = (isLost: boolean): Sending => ({ step: stepOf(), delivery: { isLost } }) as Sending;
    expect(failedOr(sending(false), 'x', 'no', 'hint')).toMatchObject({
      end: 'failed',
      diagnostic: { code: 'x', message: 'no', hint: 'hint' },
    });
    expect(failedOr(sending(true), 'x', 'no', 'hint').end).toBe('unknown');
  });
});

it('the journal has the intent of what a repetition could harm, or of what makes a secret', () => {
  const { run } = scriptedRun();
  const reveal = scriptedRun(kind({ reveal: async () => Promise.resolve({ problem: '' }) }));
  const all: readonly Partial<Step>[] = [{}, CREATION, { action: 'restart' }];
  expect(all.map((step) => isJournaled(run, stepOf(step)))).toEqual([false, true, true]);
  expect(isJournaled(reveal.run, stepOf())).toBe(true);
});
