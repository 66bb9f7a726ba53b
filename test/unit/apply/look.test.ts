// What is read for a step right before it is sent, how it is judged, and what a guard holds back.
import { describe, expect, it } from 'vitest';
import { confirmed, heldBy, isAlwaysLookedAt, lookAfresh, lookAt, readAfter } from '../../../src/apply/judge/look.ts';
import type { ExecutableKind, Run } from '../../../src/apply/run/run.ts';
import type { SinkState } from '../../../src/apply/sinks/sink.ts';
import type { Contents, LiveResource } from '../../../src/model/live.ts';
import { DROP } from '../../../src/model/outcome/impact.ts';
import type { IdleLimit, Plan, Step, StepAction } from '../../../src/model/outcome/plan.ts';
import {
  AFTER,
  BEFORE,
  CREATION,
  kind,
  NOW,
  operation,
  REMOVAL,
  resource,
  type Script,
  scriptedRun,
  type ScriptedRun,
  stepOf,
} from './scripted-run.ts';

const DAY_MS = 86_400_000;
const never = new AbortController().signal;

async function looked(
  script: Script,
  step: Partial<Step> = {},
  prepare: (scripted: ScriptedRun) => void = () => undefined,
) {
  const scripted = scriptedRun(script);
  prepare(scripted);
  const look = await scripted.clock.run(lookAt(scripted.run, stepOf(step), -1, never));
  return { ...scripted, ...look };
}

describe('the reading for a step', () => {
  it.each<[StepAction, number]>([
    ['update', 8000],
    ['create', 8000],
    ['delete', 9950],
    ['revoke', 9950],
    ['move', 9950],
    ['restart', 9950],
  ])('of a %s begins after %i of 10,000', async (action, afterMs) => {
    const { run, clock } = scriptedRun();
    await clock.advance(10_000);
    expect(isAlwaysLookedAt(run, stepOf({ action }))).toBe(afterMs === 9950);
    expect([7000, 9990].map((changedMs) => readAfter(run, stepOf({ action }), changedMs))).toEqual([afterMs, 9990]);
  });

  it('of a new key is as young', () => {
    const record = { removedBy: () => '' } as never;
    const { run } = scriptedRun(kind({ record }));
    expect([CREATION, REMOVAL, {}].map((step) => isAlwaysLookedAt(run, stepOf(step)))).toEqual([true, true, false]);
  });

  it('has the log only where nothing else shows the step', async () => {
    const script: Script = { list: () => [BEFORE], log: () => [operation()] };
    expect((await looked(script)).log).toBeNull();
    const restart: Partial<Step> = { action: 'restart', achieves: { disabled: false } };
    expect((await looked(script, restart)).log).toHaveLength(1);
    expect((await looked(script, { ...restart, projectId: null })).log).toBeNull();
  });
});

describe('a target of which the list does not show all', () => {
  const show = async (_: unknown, of: { readonly id: string }) =>
    Promise.resolve({ ...resource(of.id, { disabled: true }), marks: { owner: 'x' } });

  it.each<[string, LiveResource, boolean]>([
    ['its annotation', { ...BEFORE, marks: null }, true],
    ['what the plan expects', resource('ep-1', {}), true],
    ['nothing', { ...BEFORE, marks: {} }, false],
  ])('is read by its own route where it omits %s', async (_, listed, isRead) => {
    const other = { ...resource('ep-0'), marks: null };
    const { live } = await looked({ ...kind({ show }), list: () => [other, listed] });
    expect(live).toEqual([other, isRead ? { ...AFTER, marks: { owner: 'x' } } : listed]);
  });

  it('stays as listed where it is gone, has no route, or is new', async () => {
    const listed = resource('ep-1', {});
    const gone = { show: async () => Promise.resolve(null) };
    expect((await looked({ ...kind(gone), list: () => [listed] })).live).toEqual([listed]);
    expect((await looked({ list: () => [listed] })).live).toEqual([listed]);
    expect((await looked({ ...kind({ show }), list: () => [listed] }, CREATION)).live).toEqual([listed]);
  });

  it('is not asked for what nobody expects', async () => {
    const expects = { ...stepOf().expects, attributes: { disabled: false, name: null } } as Step['expects'];
    const { live } = await looked({ ...kind({ show }), list: () => [BEFORE] }, { expects });
    expect(live).toEqual([BEFORE]);
  });
});

describe('the contents of a target that is removed', () => {
  const contents = (kinds: readonly string[]): Contents => ({
    kinds,
    of: (_, around) => around,
    stake: () => ({ usedAt: null, version: null, bytes: null }),
  });
  const removal = (contains?: Readonly<Record<string, string>>): Partial<Step> => ({
    ...REMOVAL,
    expects: { ...stepOf().expects, ...(contains === undefined ? {} : { contains }) },
  });
  /** Kinds with these parents; a list tells below what it was read, and has one resource. */
  function around(parents: Readonly<Record<string, string>>, takesMs = 0) {
    const asked: string[] = [];
    const prepare = ({ run, clock }: ScriptedRun): void => {
      for (const [name, parent] of Object.entries(parents))
        (run.kinds as Map<string, ExecutableKind>).set(name, {
          parent,
          list: async (_: unknown, { projectId, parentId }: { projectId: string; parentId?: string }) => {
            asked.push(`${name} of ${parentId ?? projectId}`);
            await clock.sleep(takesMs);
            return [{ ...resource(`${name}-1`, { name }), kind: name }];
          },
        } as unknown as ExecutableKind);
    };
    return { asked, prepare };
  }
  const deep = { role: 'project', replica: 'compute', database: 'role' };

  it('are read: what lies in the project, in the target, and below these', async () => {
    const { asked, prepare } = around(deep);
    const script: Script = { ...kind({ contents: contents(['role', 'replica', 'database']) }), list: () => [BEFORE] };
    const known = { 'role-1': 'role', 'replica-1': 'replica', 'database-1': 'database' };
    const { verdict, around: found } = await looked(script, removal(known), prepare);
    expect(asked).toEqual(['role of shop-1', 'replica of ep-1', 'database of role-1']);
    expect(found?.map(({ id }) => id)).toEqual(Object.keys(known));
    expect(verdict).toEqual({ state: 'send' });
  });

  it('that grew make the step stale', async () => {
    const script: Script = { ...kind({ contents: contents(['role']) }), list: () => [BEFORE] };
    const { verdict } = await looked(script, removal({}), around(deep).prepare);
    expect(verdict).toEqual({
      state: 'changed',
      reason: 'the contents of ep-1 changed since the plan was made: the role role (new)',
    });
  });

  it('are not read where the plan shows none, or where the step is not sent', async () => {
    const { asked, prepare } = around(deep);
    const script: Script = kind({ contents: contents(['role']) });
    await looked({ ...script, list: () => [BEFORE] }, removal(), prepare);
    expect((await looked({ ...script, list: () => [] }, removal({}), prepare)).verdict.state).toBe('done');
    expect(asked).toEqual([]);
  });

  it.each([
    [1000, ['role of shop-1']],
    [1001, ['role of shop-1', 'role of shop-1']],
  ])('are read once more if reading them took %i ms', async (takesMs, wanted) => {
    const { asked, prepare } = around(deep, takesMs);
    const script: Script = { ...kind({ contents: contents(['role']) }), list: () => [BEFORE] };
    await looked(script, removal({ 'role-1': 'role' }), prepare);
    expect(asked).toEqual(wanted);
  });
});

describe('a new resource that is there already', () => {
  const made = async (script: Script, step: Partial<Step> = {}) =>
    (await looked({ list: () => [AFTER], ...script }, { ...CREATION, ...step })).verdict;
  const isOurs = (answer: boolean) => kind({ isOurs: async () => Promise.resolve(answer) });

  it('is of this plan if its annotation says so, or if it has none', async () => {
    const done = { state: 'done', id: 'ep-1' };
    expect(await made({})).toEqual(done);
    expect(await made(isOurs(true))).toEqual(done);
    expect(await made(isOurs(false))).toEqual({
      state: 'changed',
      reason: 'ep-1 has the name, and this plan did not create it',
    });
    expect(await made(isOurs(false), { with: 'shop' })).toEqual(done);
    expect(await made(isOurs(false), stepOf())).toEqual(done);
  });

  it('is judged for itself, not for another of its id', async () => {
    const { run } = scriptedRun(isOurs(false));
    const live = [{ ...AFTER, kind: 'role' }, resource('ep-2')];
    for (const verdict of [{ state: 'done', id: 'ep-1' }, { state: 'send' }] as const)
      expect(await confirmed(run, stepOf(CREATION), live, verdict)).toBe(verdict);
  });

  describe('and has a secret', () => {
    const sink = (part: Partial<SinkState>): ReturnType<Run['openSinks']>[number] =>
      ({
        label: 'file',
        check: async () => Promise.resolve({ state: 'stored', holds: null, reason: null, ...part }),
      }) as never;
    const secret = kind({ record: { removedBy: () => '' } as never });
    const foreign = 'the resource ep-1, which the plan does not know, has the same name';

    it.each<[string, readonly Partial<SinkState>[], string | null]>([
      ['every sink has it', [{}, { holds: { id: 'ep-1' } }], null],
      ['no sink is declared', [], foreign],
      ['one sink has another', [{}, { holds: { id: 'ep-2' } }], foreign],
      ['one sink has none', [{ state: 'absent' }, {}], foreign],
      [
        'one cannot be read',
        [{}, { state: 'broken', reason: 'no' }],
        `${foreign}; file does not show which key it holds: no`,
      ],
    ])('is of this plan only where %s', async (_, states, reason) => {
      const verdict = await made({ ...secret, run: { openSinks: () => states.map(sink) } });
      expect(verdict).toEqual(reason === null ? { state: 'done', id: 'ep-1' } : { state: 'changed', reason });
    });

    it('is not judged after a stop', async () => {
      const scripted = scriptedRun({ ...secret, list: () => [AFTER] });
      scripted.stop.admission.abort();
      await expect(lookAt(scripted.run, stepOf(CREATION), -1, never)).rejects.toThrow('aborted');
    });
  });
});

it('a new look claims what it finds done, and nothing else', async () => {
  const claimed = async (list: Script['list'], step: Partial<Step>): Promise<readonly string[]> => {
    const { run, clock } = scriptedRun(list === undefined ? {} : { list });
    await clock.run(lookAfresh(run, stepOf(step)));
    return [...run.claims];
  };
  expect(await claimed(() => [AFTER], CREATION)).toEqual(['ep-1']);
  expect(await claimed(() => [], REMOVAL)).toEqual([]);
  expect(await claimed(() => [BEFORE], CREATION)).toEqual([]);
});

describe('a drop of what was used lately', () => {
  const used = (lastMs: number | null): Partial<ExecutableKind> => ({
    contents: { kinds: [], lastUse: () => lastMs } as unknown as Contents,
  });
  const GUARD = 'safety.drop.unless_idle keeps resources that were used within 7d';
  const LIMIT: IdleLimit = { project: null, ms: 7 * DAY_MS };

  interface Drop {
    readonly limits?: readonly IdleLimit[];
    readonly given?: string;
    readonly origin?: string;
    readonly step?: Partial<Step>;
    readonly live?: readonly LiveResource[];
    readonly doubt?: string;
    readonly consents?: readonly object[];
  }

  function held(lastMs: number | null, drop: Drop = {}): string | null {
    const { limits = [LIMIT], given = 'flag', origin = 'file', step = REMOVAL, live = [BEFORE], doubt } = drop;
    const { consents = [{ word: DROP, given }] } = drop;
    const { address } = stepOf(step);
    const changes = [{ address: 'other' }, { address, origin, consents }];
    const plan = { windows: [], upkeep: [], changes, idleLimits: limits } as unknown as Plan;
    const { run } = scriptedRun({ ...kind(used(lastMs)), run: { plan } });
    if (doubt !== undefined) Object.assign(run.client, { clockDoubt: () => doubt });
    return heldBy(run, stepOf(step), { live });
  }

  it.each<[string, number | null, string | null]>([
    ['is held back', NOW - 7 * DAY_MS + 1, `the last use was at 2025-12-25T00:00:00.001Z: ${GUARD}`],
    ['goes on once it was idle for long enough', NOW - 7 * DAY_MS, null],
    ['is held back while in use', Infinity, `the resource is in use now: ${GUARD}`],
    ['goes on if it was never used', null, null],
  ])('%s', (_, lastMs, reason) => expect(held(lastMs)).toBe(reason));

  it('is held back while nobody knows the time', () => {
    expect(held(0, { doubt: 'why' })).toBe(`${GUARD}, and the time at the service is not known: why`);
  });

  it.each<[string, Drop]>([
    ['nothing is dropped', { step: {} }],
    ['the file itself consents', { given: 'file' }],
    ['no drop needs consent', { consents: [] }],
    ['the limit is of another project', { limits: [{ ...LIMIT, project: 'else' }] }],
    ['the limit is of a rule', { limits: [{ ...LIMIT, rule: 'shop/retention/old' }] }],
    ['there is no limit', { limits: [] }],
    ['the target is gone', { live: [resource('ep-2')] }],
  ])('goes on where %s', (_, drop) => expect(held(Infinity, drop)).toBeNull());

  it('is held back by the longest limit that covers it', () => {
    const limits = [{ ...LIMIT, project: 'shop', ms: DAY_MS }, LIMIT, { ...LIMIT, ms: 2 * DAY_MS }];
    expect(held(Infinity, { limits })).toContain('within 7d');
  });

  it('is held back by a rule that asks for it, whose limit covers nothing else', () => {
    const rule = 'shop/retention/old';
    const limits = [{ ...LIMIT, rule }, LIMIT];
    const under = (address: string, origin = 'retention'): Drop => ({ limits, origin, step: { ...REMOVAL, address } });
    expect(held(Infinity, under(`${rule}/a`))).toBe(
      `the resource is in use now: ${rule} keeps resources that were used within 7d`,
    );
    expect(held(Infinity, under('shop/retention/older/a'))).toBeNull();
    expect(held(Infinity, under(`${rule}/a`, 'file'))).toContain('safety.drop.unless_idle');
  });

  it('knows no window while nobody knows the time, or none that is closed', () => {
    const windows = [
      { project: null, windows: [{ text: 'Thu', weekdays: [4], startMinute: 0, endMinute: 1, timeZone: 'UTC' }] },
    ];
    const changes = [{ address: 'shop/primary', action: 'delete', blockedBy: [], impact: ['drops_connections'] }];
    const plan = { windows, upkeep: [], changes } as unknown as Plan;
    const { run } = scriptedRun({ run: { plan } });
    expect(heldBy(run, stepOf(REMOVAL), { live: [BEFORE] })).toBeNull();
    Object.assign(run.client, { clockDoubt: () => 'why' });
    expect(heldBy(run, stepOf(REMOVAL), { live: [BEFORE] })).toContain('the time at the service is not known');
  });
});
