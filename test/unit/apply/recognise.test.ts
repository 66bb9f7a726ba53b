// What shows after a lost reply that a request took effect, and which reply to a creation is not believed.
import { describe, expect, it } from 'vitest';
import { findEvidenceBy, isNotNew, isProvedBy, notNewBy } from '../../../src/apply/judge/recognise.ts';
import type { Recognise } from '../../../src/apply/kind-remote.ts';
import type { ExecutableKind } from '../../../src/apply/run/run.ts';
import type { LiveResource, OperationRecord } from '../../../src/model/live.ts';
import type { Step } from '../../../src/model/outcome/plan.ts';
import {
  AFTER,
  BEFORE,
  CREATION,
  ENDPOINT,
  failure,
  KIND,
  NOW,
  operation,
  refusing,
  REMOVAL,
  resource,
  type Script,
  scriptedRun,
  type ScriptedRun,
  stepOf,
} from './scripted-run.ts';

const DAY_MS = 86_400_000;
const RESTART: Partial<Step> = { action: 'restart', achieves: { disabled: false } };
const restarting: Partial<ExecutableKind> = {
  ...KIND,
  operations: { ...ENDPOINT, starts: { restart: ['restart_compute'] } },
};
const by = (recognise: Recognise, part: Partial<ExecutableKind> = {}): Script => ({
  kind: { ...KIND, recognise: () => recognise, ...part },
});

describe('a reply to a creation', () => {
  interface Reply {
    readonly id?: string | null;
    readonly madeAtMs?: number | null;
    readonly sentAtMs?: number | null;
    readonly live?: readonly LiveResource[];
    readonly claimed?: string;
    readonly step?: Partial<Step>;
  }

  function isBelieved({
    id = 'ep-1',
    madeAtMs,
    sentAtMs = NOW,
    live = [],
    claimed = '',
    step = CREATION,
  }: Reply): boolean {
    const { run } = scriptedRun();
    run.claims.add(claimed);
    const outcome = { id, operations: null, secret: null, record: {}, ...(madeAtMs === undefined ? {} : { madeAtMs }) };
    const found = notNewBy(run, stepOf(step), outcome, { live, sentAtMs });
    if (found !== null)
      expect([isNotNew(found), found.failureClass, found.message]).toEqual([
        true,
        'unusable',
        'the reply names ep-1, which existed before the request; trueup does not change that resource',
      ]);
    return found === null;
  }

  it.each<[string, boolean, Reply]>([
    ['is believed', true, {}],
    ['without an id names nothing', true, { id: null, live: [resource('')] }],
    ['is not believed if the resource was listed before', false, { live: [resource('ep-0'), BEFORE] }],
    ['is believed beside others', true, { live: [resource('ep-0')], claimed: 'ep-2' }],
    ['is not believed if the resource belongs to another step', false, { claimed: 'ep-1' }],
    ['is not believed if the resource is older than any clock could be wrong', false, { madeAtMs: NOW - DAY_MS - 1 }],
    ['is believed within that', true, { madeAtMs: NOW - DAY_MS }],
    ['is believed at an unknown time', true, { madeAtMs: 0, sentAtMs: null }],
    ['is believed without a time', true, { madeAtMs: null }],
    ['to a change is not judged', true, { step: {}, live: [BEFORE] }],
  ])('%s', (_, wanted, reply) => expect(isBelieved(reply)).toBe(wanted));

  it('is another failure than that of any other reply', () => expect(isNotNew(failure('no'))).toBe(false));
});

it('an operation proves a step if only the newer of two logs has it', () => {
  const { run } = scriptedRun({ kind: restarting });
  const own = operation({ action: 'restart_compute', status: 'finished' });
  const proved = (before: readonly OperationRecord[] | null, log: readonly OperationRecord[] | null): boolean =>
    isProvedBy(run, stepOf(RESTART), { live: [], log: before }, log);
  expect([proved([], [own]), proved([own], [own]), proved([], [operation()])]).toEqual([true, false, false]);
  expect([proved(null, [own]), proved([], null)]).toEqual([false, false]);
});

describe('evidence', () => {
  interface Search extends Script {
    readonly before?: readonly LiveResource[];
    readonly logBefore?: readonly OperationRecord[] | null;
    readonly pausesMs?: readonly number[];
    readonly deadlineMs?: number;
    readonly step?: Partial<Step>;
  }

  async function found(search: Search, prepare: (scripted: ScriptedRun) => void = () => undefined) {
    const { before = [], logBefore = null, pausesMs = [], deadlineMs = 60_000, step = CREATION, ...script } = search;
    const scripted = scriptedRun(script);
    prepare(scripted);
    const evidence = await scripted.clock.run(
      findEvidenceBy(deadlineMs, scripted.run, stepOf(step), { live: before, log: logBefore }, pausesMs),
    );
    return { evidence, at: scripted.reads.map(({ atMs }) => atMs), claims: [...scripted.run.claims] };
  }
  const SEND = { state: 'send' };
  const DONE = { state: 'done', id: 'ep-1' };
  const unclear = (reason: string, newcomers: readonly string[] = []): object => ({
    state: 'unclear',
    reason,
    newcomers,
  });

  it('is looked for at once and after each pause, until there is some', async () => {
    expect(await found({ pausesMs: [1000, 2000] })).toMatchObject({ evidence: SEND, at: [0, 1000, 3000] });
    const list: Script['list'] = (atMs) => (atMs < 1000 ? [] : [AFTER]);
    expect(await found({ pausesMs: [1000, 2000], list })).toMatchObject({ evidence: DONE, at: [0, 1000] });
  });

  it('that cannot be read in time is unclear; any other refusal is told', async () => {
    const script: Search = { listMs: 5000, deadlineMs: 3000 };
    expect((await found(script)).evidence).toEqual(unclear('the live state could not be read again in time'));
    await expect(found({ list: refusing(failure('no')) })).rejects.toThrow('no');
  });

  it('of a change are its attributes, of a removal its absence, whoever took its place', async () => {
    expect((await found({ list: () => [AFTER], step: {} })).evidence).toEqual(DONE);
    expect((await found({ list: () => [BEFORE], step: {} })).evidence).toEqual(SEND);
    const gone = { state: 'done', id: null };
    const expects = { ...stepOf().expects, joins: { where: {}, known: [] } } as Step['expects'];
    expect((await found({ list: () => [resource('ep-2')], step: { ...REMOVAL, expects } })).evidence).toEqual(gone);
    expect((await found({ list: () => [BEFORE], step: REMOVAL })).evidence).toEqual(SEND);
  });

  describe('of a restart is an operation', () => {
    const own = operation({ action: 'restart_compute' });
    const restart: Search = { kind: restarting, step: RESTART, list: () => [BEFORE] };

    it.each<[string, Search, object]>([
      ['that the log has now', { logBefore: [], log: () => [own] }, DONE],
      ['that it has not', { logBefore: [], log: () => [] }, SEND],
      [
        'of which nobody knows whether it is newer',
        { logBefore: null, log: () => [own] },
        unclear('no operation log shows the request'),
      ],
      [
        'of no project',
        { logBefore: [], step: { ...RESTART, projectId: null } },
        unclear('no operation log shows the request'),
      ],
    ])('%s', async (_, search, wanted) => {
      expect((await found({ ...restart, ...search })).evidence).toEqual(wanted);
    });
  });

  describe('of a creation that the service allows twice', () => {
    const other = resource('ep-2', { disabled: false });
    const appeared = (ids: string): string =>
      `${ids} appeared after the request, and another run or person may have created them`;
    const isOurs = async (_: unknown, { id }: { readonly id: string }) => Promise.resolve(id === 'ep-2');

    it.each<[string, Search, object, readonly string[]]>([
      [
        'is its mark',
        { ...by('mark', { isOurs }), list: () => [AFTER, other] },
        { state: 'done', id: 'ep-2' },
        ['ep-2'],
      ],
      ['are all its attributes where it has none', { ...by('mark'), list: () => [other, AFTER] }, DONE, ['ep-1']],
      [
        'is not one with other attributes',
        { ...by('mark'), list: () => [other] },
        unclear(appeared('ep-2'), ['ep-2']),
        [],
      ],
      [
        'is none where nothing shows it',
        { ...by('nothing'), list: () => [AFTER, other] },
        unclear(appeared('ep-1, ep-2'), ['ep-1', 'ep-2']),
        [],
      ],
      ['is not what was there before', { ...by('mark'), list: () => [AFTER], before: [AFTER] }, SEND, []],
    ])('%s', async (_, search, evidence, claims) => {
      expect(await found(search)).toMatchObject({ evidence, claims });
    });

    it('is not what belongs to another step', async () => {
      const { evidence } = await found({ ...by('mark'), list: () => [AFTER] }, ({ run }) => run.claims.add('ep-1'));
      expect(evidence).toEqual(SEND);
    });

    it('is not what lies in another place', async () => {
      const expects: Step['expects'] = { state: 'absent', joins: { where: { disabled: false }, known: [] } };
      const { evidence } = await found({ ...by('nothing'), list: () => [AFTER], step: { ...CREATION, expects } });
      expect(evidence).toEqual(SEND);
    });
  });
});
