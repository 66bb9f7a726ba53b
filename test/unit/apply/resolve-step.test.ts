// Protects the last change of a step before it is sent: ids that this run made, the end of a lease, and the mark of the run.
import { describe, expect, it } from 'vitest';
import type { Expectation, Step } from '../../../src/model/outcome/plan.ts';
import { completed, findInherited, hasUnknowns, resolveStep } from '../../../src/apply/step/resolve-step.ts';
import { failure, refusing, resource, type Script, scriptedRun, stepOf } from './scripted-run.ts';

const MOMENT = { nowMs: Date.parse('2026-01-01T00:00:00Z'), runId: 'run-7', projectId: 'shop-1' };

describe('the moment of sending completes', () => {
  it.each([
    ['a lease', { expires_at: { ttl_seconds: 60 } }, { expires_at: '2026-01-01T00:01:00.000Z' }],
    ['a mark of the run', { value: { 'trueup.run': { run_id: true } } }, { value: { 'trueup.run': 'run-7' } }],
    ['a mark of a set', { value: { 'trueup.set': { set: 'pr' } } }, { value: { 'trueup.set': 'shop-1/pr' } }],
  ] as const)('%s', (_, body, wanted) => {
    expect(completed(structuredClone(body) as never, MOMENT)).toEqual(wanted);
  });

  it('no body at all', () => expect(completed(null, MOMENT)).toBeNull());

  it.each([
    { pgbouncer_settings: { ttl_seconds: 60 } },
    { expires_at: { ttl_seconds: '60' } },
    { expires_at: { ttl_seconds: 60, more: 1 } },
    { expires_at: [{ ttl_seconds: 60 }] },
    { pg_settings: { run_id: true } },
    { 'trueup.run': { run_id: 'true' } },
    { 'trueup.run': { run_id: true, more: 1 } },
    { settings: { set: 'pr' } },
    { 'trueup.set': { set: 1 } },
    { 'trueup.set': { set: 'pr', more: 1 } },
  ])('nothing that only looks like it: %j', (body) => {
    expect(completed(structuredClone(body) as never, MOMENT)).toEqual(body);
  });
});

const OLD: Expectation = {
  state: 'present',
  id: 'ep-old',
  attributes: {},
  fingerprint: { lasting: {}, passing: {}, restsOn: [] },
  joins: null,
};

const step = (part: Partial<Step>): Step =>
  stepOf({ path: '/projects/shop-1/endpoints/ep-old', body: { endpoint: {} }, expects: OLD, achieves: {}, ...part });

const NEXT = { ref: 'shop/branches/next', field: 'id' };
const TAKES: Expectation = { state: 'absent', joins: { where: { branch_id: NEXT }, known: [] } };

const FREE = { where: {}, known: [] };

describe('a step', () => {
  it.each<[string, Partial<Step>]>([
    ['its project', { projectId: '{shop}' }],
    ['its parent', { parentId: '{shop/branches/next}' }],
    ['its path', { path: '/projects/{shop}/endpoints' }],
    ['its body', { body: { endpoint: { branch_id: NEXT } } }],
    ['what it achieves', { achieves: { branch_id: NEXT } }],
    ['its place', { expects: TAKES }],
    ['its place beside others', { path: '/projects/{shop}/endpoints', expects: { state: 'absent', joins: FREE } }],
    ['its next place', { expects: { ...OLD, joins: { where: { branch_id: NEXT }, known: [] } } }],
    ['its own target', { expects: { ...OLD, id: '{shop/primary}' } }],
  ])('waits for an id in %s, and gets it', (_, part) => {
    const made = new Map([
      ['shop', 'shop-1'],
      ['shop/branches/next', 'br-next'],
      ['shop/primary', 'ep-new'],
    ]);
    const resolved = resolveStep(step(part), made);
    expect([hasUnknowns(step(part)), hasUnknowns(resolved)]).toEqual([true, false]);
    expect(JSON.stringify(resolved)).toMatch(/"(shop-1|br-next|ep-new)"/);
    expect(hasUnknowns(resolveStep(step(part), new Map()))).toBe(true);
  });

  it('that needs no id stays the same object', () => {
    const known = step({});
    expect(hasUnknowns(known)).toBe(false);
    expect(resolveStep(known, new Map([['shop', 'shop-2']]))).toBe(known);
  });

  it('gets an id, but no other fact of a resource, and only where it is asked for', () => {
    const asked = { host: { ref: 'shop/branches/next', field: 'host' }, id: NEXT };
    const place: Expectation = { state: 'absent', joins: FREE };
    const resolved = resolveStep(
      step({ projectId: null, body: asked, expects: place }),
      new Map([['shop/branches/next', 'br-next']]),
    );
    expect(resolved).toMatchObject({ projectId: null, body: { host: asked.host, id: 'br-next' } });
    expect(resolved.expects).toStrictEqual(place);
  });

  it('that creates a project does not wait for its own id', () => {
    const place: Expectation = { state: 'absent', joins: { where: { name: 'shop' }, known: [] } };
    const creation = step({ address: 'shop', projectId: '{shop}', path: '/projects', expects: place });
    expect(hasUnknowns(creation)).toBe(false);
    expect(resolveStep(creation, new Map([['shop', 'shop-9']])).projectId).toBe('shop-9');
    expect(hasUnknowns({ ...creation, expects: OLD })).toBe(true);
  });

  it.each(['.', '..', ''])('never has the id %j as a segment of its path', (id) => {
    const path = '/projects/{shop}/endpoints';
    expect(resolveStep(step({ path }), new Map([['shop', id]])).path).toBe(path);
  });

  it('has an id encoded in its path', () => {
    const { path } = resolveStep(step({ path: '/projects/{shop}/endpoints' }), new Map([['shop', 'a/b']]));
    expect(path).toBe('/projects/a%2Fb/endpoints');
  });
});

describe('a resource that is copied together with its parent', () => {
  const WHERE = { branch_id: 'br-1' };
  const COPIED: Expectation & { readonly state: 'present' } = {
    ...OLD,
    id: '{shop/primary}',
    attributes: { disabled: false },
    joins: { where: WHERE, known: [] },
  };
  const ACHIEVES = { branch_id: 'br-2' };
  const COPY = stepOf({ expects: COPIED, achieves: ACHIEVES });
  const other = resource('ep-0', { branch_id: 'br-0' });

  async function found(script: Script, one: Step = COPY) {
    const { run, clock, reads, halts, stop } = scriptedRun(script);
    const end = await clock.run(findInherited(run, one));
    return { end, id: run.madeIds.get(one.address), at: reads.map(({ atMs }) => atMs), halts, stop };
  }

  it.each([
    ['by its place', WHERE],
    ['by what an earlier run made of it', ACHIEVES],
  ])('is found %s', async (_, spec) => {
    const list = () => [other, resource('ep-1', spec)];
    expect(await found({ list })).toMatchObject({ end: null, id: 'ep-1', at: [0] });
  });

  it('is found in a list that lags', async () => {
    const list = (atMs: number) => (atMs < 3000 ? [other] : [resource('ep-1', WHERE)]);
    expect(await found({ list })).toMatchObject({ end: null, id: 'ep-1', at: [0, 500, 1500, 3500] });
  });

  it('that never appears makes its step stale, or needless if it was to go', async () => {
    const absent = await found({ list: () => [other] });
    expect(absent).toMatchObject({ id: undefined, at: [0, 500, 1500, 3500, 7500] });
    const message = 'the parent does not have the expected resource: branch_id "br-1"';
    expect(absent.end).toMatchObject({ end: 'failed', diagnostic: { code: 'stale', message } });
    const removal = await found({ list: () => [other] }, { ...COPY, achieves: null });
    expect(removal.end).toEqual({ end: 'satisfied', id: null });
  });

  it.each<[string, Partial<Step>]>([
    ['is created', { expects: { state: 'absent', joins: { where: WHERE, known: [] } } }],
    ['has an id', { expects: { ...COPIED, id: 'ep-1' } }],
    ['has no place', { expects: { ...COPIED, joins: null } }],
    ['was never seen', { expects: { ...COPIED, attributes: {} } }],
    ['has no project yet', { projectId: '{shop}' }],
  ])('is not one that %s: there the reference stays unknown', async (_, part) => {
    const { end, at } = await found({ list: () => [resource('ep-1', WHERE)] }, { ...COPY, ...part });
    expect(end).toMatchObject({ end: 'failed', diagnostic: { code: 'reference_unknown' } });
    expect(at).toEqual([]);
  });

  it.each<[string, Error, readonly string[]]>([
    ['a refused credential, which stops the run', failure('who?', { status: 401 }), ['unauthorized']],
    ['another refusal', failure('no', { status: 403 }), []],
  ])('that cannot be read fails its step: %s', async (_, error, halted) => {
    const { end, halts } = await found({ list: refusing(error) });
    expect(end).toMatchObject({ end: 'failed', diagnostic: { code: 'unread' } });
    expect(halts).toEqual(halted);
  });

  it('is not looked for after a stop, and a bug is a bug', async () => {
    const { run, stop, reads } = scriptedRun();
    stop.admission.abort();
    expect(await findInherited(run, COPY)).toEqual({ end: 'not_started' });
    expect(reads).toEqual([]);
    await expect(found({ list: refusing(new Error('bug')) })).rejects.toThrow('bug');
  });
});
