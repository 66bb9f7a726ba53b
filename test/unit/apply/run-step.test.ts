// One step from its queue to its end: what is read, what is sent, what the journal has, and how it ends.
import { describe, expect, it } from 'vitest';
import type { Plan, Step } from '../../../src/model/outcome/plan.ts';
import { Secret } from '../../../src/base/secret.ts';
import type { OperationRecord } from '../../../src/model/live.ts';
import { DOUBTFUL } from '../../../src/apply/judge/recognise.ts';
import { createLanes } from '../../../src/apply/run/lanes.ts';
import { poolOf, type ExecutableKind, type StepEnd } from '../../../src/apply/run/run.ts';
import { runStep } from '../../../src/apply/step/run-step.ts';
import {
  AFTER,
  BEFORE,
  CREATION,
  DONE,
  ENDPOINT,
  failure,
  kind,
  NOW,
  operation,
  refusing,
  REMOVAL,
  type Script,
  scriptedRun,
  type ScriptedRun,
  stepOf,
  unknown,
} from './scripted-run.ts';

/** Lists the resource as it was planned upon until the first write. */
const UNCHANGED: Script = { list: () => [BEFORE] };
const lost = failure('gone', { failureClass: 'ambiguous' });
const RESTART: Partial<Step> = { action: 'restart', method: 'POST', achieves: { disabled: false } };
/** A list that has the created resource since the first write, which has no usable reply. */
function madeUnseen(script: Script = {}): Script {
  const scripted: Script = { list: () => (isMade ? [AFTER] : []), ...script, write: refuse };
  let isMade = false;
  function refuse(): void {
    isMade = true;
    throw lost;
  }
  return scripted;
}

async function ran(
  script: Script,
  step: Partial<Step> = {},
  prepare: (scripted: ScriptedRun) => void = () => undefined,
) {
  const scripted = scriptedRun(script);
  prepare(scripted);
  const { end, elapsedMs, leave } = await scripted.clock.run(runStep(scripted.run, stepOf(step)));
  leave();
  return { ...scripted, end, elapsedMs };
}

const unread = { end: 'failed', diagnostic: { code: 'unread' } };

describe('a step', () => {
  it('reads, sends and waits for what the log shows', async () => {
    const log = (atMs: number) => (atMs < 500 ? [] : [operation({ status: 'finished', createdAtMs: NOW })]);
    const { end, elapsedMs, writes, events, noted } = await ran({ ...UNCHANGED, log });
    expect(end).toEqual(DONE);
    expect(elapsedMs).toBe(500);
    expect(writes).toEqual(['PATCH /projects/shop-1/endpoints/ep-1']);
    expect(events).toMatchObject([{ type: 'apply_start', resourceId: 'ep-1' }]);
    expect(noted).toEqual([]);
  });

  it('that creates has its intent in the journal first, and is proved by a list', async () => {
    const script: Script = { ...kind({ recognise: () => 'mark' }), list: (atMs) => (atMs < 10_000 ? [] : [AFTER]) };
    const { end, noted, run } = await ran(script, CREATION);
    expect(end).toEqual(DONE);
    const id = stepOf().id;
    expect(noted).toEqual([`intent ${id}`, `acked ${id}`, `made ${id} ep-1`]);
    expect([...run.claims]).toEqual(['ep-1']);
  });

  it('tells who asks that it made something only if it is a creation', async () => {
    const { noted, run } = await ran({
      ...UNCHANGED,
      ...kind({ outcome: () => ({ id: null, operations: [], secret: null, record: {} }) }),
    });
    expect(noted).toEqual([]);
    expect([...run.claims]).toEqual(['ep-1']);
    const nameless = await ran(
      kind({ outcome: () => ({ id: null, operations: [], secret: null, record: {} }) }),
      CREATION,
    );
    expect([nameless.noted.filter((line) => line.startsWith('made')), [...nameless.run.claims]]).toEqual([[], []]);
  });

  it('keeps its place in a queue that takes one at a time, and leaves another once it is answered', async () => {
    for (const isSerial of [true, false]) {
      const scripted = scriptedRun({ ...UNCHANGED, ...kind({ isSerial }) });
      const two = ['a', 'b'].map(async (id) => {
        const { leave } = await runStep(scripted.run, stepOf({ id }));
        leave();
      });
      await scripted.clock.run(Promise.all(two));
      const started = scripted.events.filter(({ type }) => type === 'apply_start').length;
      expect(started).toBe(2);
      const after = scripted.reads.filter(({ what, atMs }) => what === 'list' && atMs >= 10_000).length;
      expect(after > 0).toBe(isSerial);
    }
  });

  it('is not started once the run was stopped while it queued', async () => {
    const { end, elapsedMs, reads } = await ran(UNCHANGED, {}, ({ stop }) => stop.admission.abort());
    expect([end, elapsedMs, reads]).toEqual([{ end: 'not_started' }, 0, []]);
  });

  it('that its queue refuses for no known reason is a bug', async () => {
    const lanes = { enter: refusing(new Error('bug')) };
    await expect(ran({ ...UNCHANGED, run: { lanes } })).rejects.toThrow('bug');
  });

  it('with a bug leaves its queue', async () => {
    const scripted = scriptedRun({ list: refusing(new Error('bug')), ...kind({ isSerial: true }) });
    for (const _ of [1, 2]) await expect(scripted.clock.run(runStep(scripted.run, stepOf()))).rejects.toThrow('bug');
  });

  it.each<[string, Error, readonly string[]]>([
    ['a refused credential, which stops the run', failure('who?', { status: 401 }), ['unauthorized']],
    ['another refusal', failure('no', { status: 403 }), []],
  ])('whose state cannot be read fails: %s', async (_, error, halted) => {
    const { end, halts, writes } = await ran({ list: refusing(error) });
    expect(end).toMatchObject(unread);
    expect([halts, writes]).toEqual([halted, []]);
  });

  it('whose state cannot be read after it was sent has an unknown end', async () => {
    let isSent = false;
    const list = () => (isSent ? refusing(failure('no'))() : [BEFORE]);
    const write = (): void => {
      isSent = true;
      throw lost;
    };
    expect((await ran({ list, write })).end).toEqual(unknown('the live state could not be read again: no'));
  });

  it('ended by a stop is not started before it was sent, and unknown after', async () => {
    for (const slow of [{ turnMs: 1000 }, { listMs: 1000 }]) {
      const before = await ran({ ...UNCHANGED, ...slow }, {}, ({ clock, stop }) =>
        clock.after(500, () => stop.admission.abort()),
      );
      expect([before.end, before.writes, before.clock.monotonicMs()]).toEqual([{ end: 'not_started' }, [], 500]);
    }
    const after = await ran({ ...UNCHANGED, write: refusing(lost) }, {}, ({ clock, stop }) =>
      clock.after(500, () => stop.requests.abort()),
    );
    expect(after.end).toEqual(unknown('the run ended before the outcome of the step was known', true));
  });

  it.each<[string, Partial<Step>, number]>([
    ['is read again after a step that it needs', { needs: ['x'] }, 2],
    ['is shared where it needs no other step', {}, 1],
    ['is read again before anything is disturbed', RESTART, 2],
  ])('whose state was read a second ago %s', async (_, step, lists) => {
    const scripted = scriptedRun({ ...UNCHANGED, log: () => [] });
    await scripted.clock.run(scripted.run.world.list(stepOf(), -Infinity, scripted.run.signals.requests));
    await scripted.clock.advance(1000);
    const { end } = await scripted.clock.run(runStep(scripted.run, stepOf(step)));
    expect(end).toEqual(DONE);
    expect(scripted.reads.filter(({ what }) => what === 'list')).toHaveLength(lists);
  });
});

describe('an end', () => {
  const replied = (operations: readonly OperationRecord[] | null): Script =>
    kind({ outcome: () => ({ id: 'ep-1', operations, secret: null, record: {} }) });
  const lists = ({ reads }: ScriptedRun): number => reads.filter(({ what }) => what === 'list').length;

  it('has the time since the step began', async () => {
    const scripted = scriptedRun({ ...UNCHANGED, turnMs: 100 });
    await scripted.clock.advance(5000);
    const { elapsedMs } = await scripted.clock.run(runStep(scripted.run, stepOf()));
    expect(elapsedMs).toBe(10_000);
  });

  it('of a creation is proved by its operations, or without any by a list', async () => {
    const proved = await ran(replied([operation()]), CREATION);
    expect([proved.end, lists(proved)]).toEqual([DONE, 1]);
    const { end } = await ran(replied([]), CREATION);
    expect(end).toEqual(unknown('the service accepted the create, but ep-1 is not listed'));
  });

  it('of a removal is proved by a list in any case', async () => {
    const { end } = await ran({ ...UNCHANGED, ...replied([operation()]) }, REMOVAL);
    expect(end).toEqual(unknown('the service accepted the delete, but ep-1 is still listed'));
  });

  it('that a list has shown needs no other list', async () => {
    const none = kind({ operations: { ...ENDPOINT, mayStartNone: () => true } });
    let looks = 0;
    const list = () => (looks++ === 1 ? [AFTER] : []);
    expect((await ran({ ...none, list, write: refusing(lost) }, CREATION)).end).toEqual(DONE);
  });

  it('does not come while an earlier creation in the same place is in doubt', async () => {
    const doubt = ({ run }: ScriptedRun): void => void run.uncertain.add(poolOf(stepOf(CREATION)) ?? '');
    const { end, reads } = await ran(kind({ recognise: () => 'mark' }), CREATION, doubt);
    expect([end, reads]).toEqual([DOUBTFUL, []]);
    expect((await ran(kind({ recognise: () => 'slot' }), CREATION, doubt)).writes).toHaveLength(1);
  });

  it('frees the queue only where others may go on meanwhile', async () => {
    const scripted = scriptedRun({ ...UNCHANGED, run: { lanes: createLanes(1) } });
    const two = ['a', 'b'].map(async (id) => (await runStep(scripted.run, stepOf({ id }))).leave());
    await scripted.clock.run(Promise.all(two));
    expect(scripted.clock.monotonicMs()).toBe(10_000);
  });
});

it('a change of what came with a copy uses the reading that found it', async () => {
  const { expects: planned } = stepOf();
  const expects = { ...planned, id: '{shop/primary}', joins: { where: BEFORE.spec, known: [] } } as Step['expects'];
  const list = (atMs: number) => (atMs < 500 ? [] : [BEFORE]);
  const { end, reads } = await ran({ list }, { address: 'shop/primary', needs: ['x'], expects });
  expect(end).toEqual(DONE);
  expect(reads.flatMap(({ what, atMs }) => (what === 'list' ? [atMs] : []))).toEqual([0, 500]);
});

describe('a secret that the service shows again', () => {
  const secret = new Secret('s3cret');
  const reveal = async () => Promise.resolve({ problem: 'none' });
  const told: Partial<ExecutableKind> = {
    reveal,
    outcome: () => ({ id: 'ep-1', operations: [operation()], secret, record: { name: 'a' } }),
  };
  const inHand = ({ run }: ScriptedRun): unknown => run.inHand.get(stepOf().address);

  it('is in hand for later steps once its step is done', async () => {
    expect(inHand(await ran({ ...UNCHANGED, ...kind(told) }))).toEqual({ facts: { name: 'a' }, secret });
  });

  it.each<[string, Script]>([
    ['failed', { ...kind(told), wait: () => ({ end: 'vanished', operations: [] }) }],
    ['had no secret', kind({ ...told, outcome: () => ({ id: 'ep-1', operations: [], secret: null, record: {} }) })],
    ['is of another kind', kind({ ...told, reveal: undefined as never })],
    ['had no id', kind({ ...told, outcome: () => ({ id: null, operations: [], secret, record: {} }) })],
    ['was never sent', { ...kind(told), list: () => [AFTER] }],
  ])('is not in hand where its step %s', async (_, script) => {
    expect(inHand(await ran({ ...UNCHANGED, ...script }))).toBeUndefined();
  });

  it('is not asked for where a sink is to keep it and the live state fits', async () => {
    const stored = { options: { secret: [] } };
    const { end, noted } = await ran({ list: () => [AFTER], ...kind(told) }, stored);
    expect([end, noted]).toEqual([{ end: 'satisfied', id: 'ep-1', reason: undefined }, []]);
    const stopped = await ran({ ...UNCHANGED, ...kind(told) }, stored, ({ stop }) => stop.admission.abort());
    expect([stopped.end, stopped.reads]).toEqual([{ end: 'not_started' }, []]);
  });
});

describe('a step that finishes a chain', () => {
  const steps = [stepOf({ id: 'x', action: 'move' }), stepOf({ id: 'y' }), stepOf({ ...REMOVAL, id: 'z' })];
  it.each<[string, Partial<Step>, boolean]>([
    ['a move into what was freed', { action: 'move', needs: ['y', 'x'] }, true],
    ['a creation in what was freed', { ...CREATION, needs: ['x'] }, true],
    ['a creation in what a removal freed', { ...CREATION, needs: ['z'] }, true],
    ['an update there', { needs: ['x'] }, false],
    ['a creation elsewhere', { ...CREATION, needs: ['y'] }, false],
  ])('%s, after another step was found stale', async (_, step, isSent) => {
    const list = () => (step.action === 'create' ? [] : [BEFORE]);
    const plan = { upkeep: [], windows: [], changes: [], steps } as unknown as Plan;
    const { writes } = await ran({ list, run: { plan } }, step, ({ stop }) => stop.admission.abort());
    expect(writes).toHaveLength(isSent ? 1 : 0);
  });
});

describe('a step whose resource comes with another one', () => {
  const WITH: Partial<Step> = { ...CREATION, with: 'shop' };

  it('is done once the resource is there', async () => {
    const { end, writes, events, noted } = await ran({ list: () => [AFTER] }, WITH);
    expect([end, writes]).toEqual([DONE, []]);
    expect(events).toMatchObject([{ type: 'apply_start' }]);
    expect(noted).toEqual([`made ${stepOf().id} ep-1`]);
  });

  it('is done after a soft stop, too, but nothing is sent then', async () => {
    const stopped = ({ stop }: ScriptedRun): void => stop.admission.abort();
    expect((await ran({ list: () => [AFTER] }, WITH, stopped)).end).toEqual(DONE);
    const absent = await ran({}, WITH, stopped);
    expect([absent.end, absent.writes]).toEqual([{ end: 'not_started' }, []]);
  });

  it('is sent where the resource did not come', async () => {
    expect((await ran({}, WITH)).writes).toHaveLength(1);
  });

  it('is stale where another one is there', async () => {
    const { end, writes } = await ran({ list: () => [BEFORE] }, WITH);
    expect(end).toMatchObject({ end: 'failed', diagnostic: { code: 'stale' } });
    expect(writes).toEqual([]);
  });

  it('and without it the same is found by the sending itself', async () => {
    expect((await ran({ list: () => [AFTER] }, CREATION)).end).toEqual({
      end: 'satisfied',
      id: 'ep-1',
      reason: undefined,
    });
  });
});

describe('after a lost reply', () => {
  it.each<[string, Script, Partial<Step>, StepEnd]>([
    [
      'a creation that must start an operation is not proved by its list',
      { log: () => [] },
      CREATION,
      unknown('the reply was lost, and the operation log shows no operation of ep-1'),
    ],
    [
      'nor where the log cannot be read',
      { log: refusing(failure('no')) },
      CREATION,
      unknown('the reply was lost, and the operation log could not be read'),
    ],
    [
      'an operation that ended well proves it',
      { log: () => [operation({ action: 'start_compute', status: 'finished', createdAtMs: NOW })] },
      CREATION,
      DONE,
    ],
    [
      'its list does where it may start none',
      kind({ operations: { ...ENDPOINT, mayStartNone: () => true } }),
      CREATION,
      DONE,
    ],
    ['and where its kind starts none', kind({ operations: undefined as never }), CREATION, DONE],
  ])('%s', async (_, script, step, end) => {
    expect((await ran(madeUnseen(script), step)).end).toEqual(end);
  });

  it.each<[string, Script, StepEnd]>([
    ['is done without an operation', { log: () => [] }, DONE],
    [
      'is unknown where the log cannot be read',
      { log: refusing(failure('no')) },
      unknown('the reply was lost, and the operation log could not be read'),
    ],
  ])('an update that the list shows %s', async (_, script, end) => {
    let isMade = false;
    const write = (): void => {
      isMade = true;
      throw lost;
    };
    expect((await ran({ ...script, write, list: () => [isMade ? AFTER : BEFORE] })).end).toEqual(end);
  });

  it('a removal that the list shows is done, whatever the log', async () => {
    let isMade = false;
    const write = (): void => {
      isMade = true;
      throw lost;
    };
    const { end } = await ran({ write, list: () => (isMade ? [] : [BEFORE]), log: refusing(failure('no')) }, REMOVAL);
    expect(end).toEqual(DONE);
  });
});

describe('the journal has as complete', () => {
  const id = stepOf().id;
  it('a restart', async () => {
    let asked = 0;
    const log = () => (asked++ === 0 ? [] : [operation({ action: 'restart_compute', status: 'finished' })]);
    const operations = { ...ENDPOINT, starts: { restart: ['restart_compute'] } };
    const { end, noted } = await ran({ ...UNCHANGED, ...kind({ operations }), log }, RESTART);
    expect(end).toEqual(DONE);
    expect(noted).toEqual([`intent ${id}`, `acked ${id}`, `stored ${id}`]);
  });

  it('not a restart whose operation failed', async () => {
    let asked = 0;
    const failed = [operation({ action: 'restart_compute', status: 'failed' })];
    const script: Script = {
      ...UNCHANGED,
      ...kind({ operations: { ...ENDPOINT, starts: { restart: ['restart_compute'] } } }),
      log: () => (asked++ === 0 ? [] : failed),
      wait: () => ({ end: 'failed', operations: failed }),
    };
    expect((await ran(script, RESTART)).noted).toEqual([`intent ${id}`, `acked ${id}`]);
  });

  it('a replaced secret that no sink stores', async () => {
    const reveal = async () => Promise.resolve({ problem: 'none' });
    expect((await ran({ ...UNCHANGED, ...kind({ reveal }) })).noted).toEqual([
      `intent ${id}  secret`,
      `acked ${id}`,
      `stored ${id}`,
    ]);
  });
});
