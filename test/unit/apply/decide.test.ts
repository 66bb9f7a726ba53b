// The parts of the decision on one step: strangers, facts, differences in words, contents, and what earlier steps wrote.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { decide, differenceWords, shows, strangersIn, type Reading } from '../../../src/apply/judge/decide.ts';
import type { Decision, ExecutableKind } from '../../../src/apply/run/run.ts';
import type { Contents, LiveResource } from '../../../src/model/live.ts';
import type { Plan, Step } from '../../../src/model/outcome/plan.ts';
import {
  AFTER,
  BEFORE,
  CREATION,
  KIND,
  REMOVAL,
  resource,
  scriptedRun,
  type ScriptedRun,
  stepOf,
} from './scripted-run.ts';

const SEND: Decision = { state: 'send' };
const changed = (reason: string): Decision => ({ state: 'changed', reason });
const present = (part: object): Step['expects'] => ({ ...stepOf().expects, ...part });

interface Context extends Partial<Reading> {
  readonly step?: Partial<Step>;
  readonly kind?: Partial<ExecutableKind>;
  readonly steps?: readonly Step[];
  readonly prepare?: (scripted: ScriptedRun) => void;
}

function decided({ step = {}, kind = {}, steps = [], prepare, live = [BEFORE], ...reading }: Context): Decision {
  const scripted = scriptedRun({ kind: { ...KIND, ...kind }, run: { plan: { steps } as unknown as Plan } });
  prepare?.(scripted);
  return decide(scripted.run, stepOf(step), { live, ...reading });
}

describe('a creation', () => {
  const former = { where: { name: 'old' }, known: [] };
  const place = { where: { name: 'new' }, known: [] };
  const step: Partial<Step> = {
    ...CREATION,
    achieves: { name: 'new' },
    expects: { state: 'absent', joins: place, former },
  };
  const foreign = 'the resource ep-1, which the plan does not know, has the former name';

  it('is not sent where a stranger has its former name', () => {
    expect(decided({ step, live: [resource('ep-1', { name: 'old' })] })).toEqual(changed(foreign));
    expect(decided({ step, live: [resource('ep-1', { name: 'else' })] })).toEqual(SEND);
    const plain: Step['expects'] = { state: 'absent', joins: place };
    expect(decided({ step: { ...step, expects: plain }, live: [resource('ep-1', { name: 'old' })] })).toEqual(SEND);
  });

  it('without a wish of its own is done by whatever has its place', () => {
    const done: Decision = { state: 'done', id: 'ep-1' };
    expect(decided({ step: { ...step, achieves: null }, live: [resource('ep-1', { name: 'new' })] })).toEqual(done);
  });
});

describe('strangers', () => {
  it('are those of the pool that nobody knows, the oldest first, then by their ids', () => {
    const at = (id: string, createdAtMs: number | null, spec: JsonObject = {}): LiveResource => ({
      ...resource(id, spec),
      createdAtMs,
    });
    const live = [
      at('e', 30),
      at('d', 20),
      at('c', 20),
      at('b', null),
      at('known', 1),
      at('ours', 2),
      at('else', 3, { name: 'x' }),
      at('a', 25),
    ];
    const pool = { where: { name: null }, known: ['known'] };
    const ids = strangersIn(scriptedRun({ run: { claims: new Set(['ours']) } }).run, stepOf(), pool, live).map(
      ({ id }) => id,
    );
    expect(ids).toEqual(['b', 'c', 'd', 'a', 'e']);
  });
});

describe('a target that is not listed', () => {
  const taken = changed('the resource ep-2, which the plan does not know, has taken the slot');
  const joins = { where: {}, known: [] };

  it.each<[string, object, readonly LiveResource[], Decision]>([
    ['is awaited if its id is to come', { id: '{shop/primary}' }, [], SEND],
    ['is awaited beside a stranger if the plan has seen it', { id: '{shop/primary}', joins }, [resource('ep-2')], SEND],
    ['is not if the plan has not', { id: '{shop/primary}', joins, attributes: {} }, [resource('ep-2')], taken],
    ['is awaited then, too, if nobody took its place', { id: '{shop/primary}', joins, attributes: {} }, [], SEND],
    ['is gone else', {}, [], changed('ep-1 no longer exists')],
  ])('%s', (_, expects, live, decision) => {
    expect(decided({ step: { expects: present(expects) }, live })).toEqual(decision);
  });

  it('was replaced, where a removal finds a stranger', () => {
    const step: Partial<Step> = { ...REMOVAL, expects: present({ joins }) };
    const words = 'the resource ep-1 no longer exists, and ep-2, which the plan does not know, has taken the slot';
    expect(decided({ step, live: [resource('ep-2')] })).toEqual(changed(words));
    expect(decided({ step, live: [BEFORE, resource('ep-2')] })).toEqual(SEND);
  });

  it('is not in its own way', () => {
    const step: Partial<Step> = { expects: present({ joins: { where: { disabled: false }, known: [] } }) };
    expect(decided({ step })).toEqual(SEND);
    expect(decided({ step, live: [BEFORE, resource('ep-2', { disabled: false })] })).toEqual(taken);
  });
});

describe('a fact', () => {
  const facts = (lasting: JsonObject, passing: JsonObject): Partial<ExecutableKind> => ({
    fingerprint: () => ({ lasting, passing }),
  });
  const on = (lasting: JsonObject, passing: JsonObject, restsOn: readonly string[]): Partial<Step> => ({
    expects: present({ fingerprint: { lasting, passing, restsOn } }),
  });

  it.each<[string, Partial<Step>, Partial<ExecutableKind>, Decision]>([
    [
      'that lasts shows another resource',
      on({ made: 1 }, {}, []),
      facts({ made: 2 }, {}),
      changed('ep-1 is not the resource that the plan shows: made is 2, but the plan has 1'),
    ],
    [
      'that is missing now',
      on({ made: 1 }, {}, []),
      facts({}, {}),
      changed('ep-1 is not the resource that the plan shows: made is null, but the plan has 1'),
    ],
    [
      'that passes counts where the step rests on it',
      on({}, { state: 'idle' }, ['state']),
      facts({}, { state: 'active' }),
      changed('ep-1: state is "active", but the plan has "idle"'),
    ],
    [
      'that the plan did not have',
      on({}, {}, ['state']),
      facts({}, { state: 'active' }),
      changed('ep-1: state is "active", but the plan has null'),
    ],
    ['that nobody shows is no difference', on({}, {}, ['state']), facts({}, {}), SEND],
    ['that nothing rests on passes', on({}, { state: 'idle' }, []), facts({}, { state: 'active' }), SEND],
  ])('%s', (_, step, kind, decision) => expect(decided({ step, kind })).toEqual(decision));
});

describe('a difference', () => {
  it('is told for the first three attributes', () => {
    const four = { a: 1, b: 1, c: 1, d: 1 };
    expect(differenceWords({ a: 1, b: 1, c: 1 }, {})).toBe(
      'a is null, but the plan expects 1; b is null, but the plan expects 1; c is null, but the plan expects 1',
    );
    expect(differenceWords(four, {})).toMatch(/^a is .*; b is .*; c is null, but the plan expects 1 …$/);
  });

  it('is a member that came into an attribute that a request replaces, but no other attribute', () => {
    expect(differenceWords({ settings: { a: 1 } }, { settings: { a: 1, b: 2 }, other: 3 })).toBe(
      'settings.b is 2, but the plan expects null',
    );
    expect(differenceWords({ name: 'a' }, { name: 'b' })).toBe('name is "b", but the plan expects "a"');
    expect(differenceWords({ settings: { a: 1 } }, { settings: { a: 2 } })).toBe(
      'settings.a is 2, but the plan expects 1',
    );
    expect(differenceWords({ settings: { a: 1 } }, {})).toBe('settings.a is null, but the plan expects 1');
  });

  it('is not an empty object, but a reference', () => {
    expect(shows({ attributes: {} }, {}, { settings: {} })).toBe(true);
    expect(shows({ attributes: {} }, { branch: 'br-1' }, { branch: { ref: 'shop/next', field: 'id' } })).toBe(false);
  });

  it('that the newest earlier step wrote is none', () => {
    const step: Partial<Step> = {
      expects: present({ attributes: { disabled: false, name: 'a' } }),
      achieves: { disabled: true },
    };
    const live = [resource('ep-1', { disabled: false, name: 'c' })];
    const reason = 'ep-1 has changed: name is "c", but the plan expects "a"';
    expect(decided({ step, live, earlier: [{ name: 'b' }, { name: 'c' }, { size: 1 }] })).toEqual(SEND);
    expect(decided({ step, live, earlier: [{ name: 'c' }, { name: 'b' }] })).toEqual(changed(reason));
    expect(decided({ step, live })).toEqual(changed(reason));
    expect(decided({ step, live, prepare: ({ run }) => run.made.set('ep-1', [{ name: 'c' }]) })).toEqual(SEND);
  });

  it('makes a step done only where the step changes something, or was not seen', () => {
    const done: Decision = { state: 'done', id: 'ep-1' };
    expect(decided({ live: [AFTER] })).toEqual(done);
    const same: Partial<Step> = { expects: present({ attributes: { disabled: true } }) };
    expect(decided({ step: same, live: [AFTER] })).toEqual(SEND);
    expect(decided({ step: { expects: present({ attributes: {} }) }, live: [AFTER] })).toEqual(done);
    const more: Partial<Step> = { expects: present({ attributes: { disabled: true, name: 'a' } }) };
    const other = [resource('ep-1', { disabled: true, name: 'b' })];
    const reason = 'ep-1 has changed: name is "b", but the plan expects "a"';
    expect(decided({ step: more, live: other })).toEqual(changed(reason));
  });
});

it('a step that its kind finds needless is done, by the log that was read', () => {
  const asked: unknown[] = [];
  const kind: Partial<ExecutableKind> = {
    needless: (_, target, log) => {
      asked.push([target.id, log]);
      return 'it rests';
    },
  };
  expect(decided({ kind })).toEqual({ state: 'done', id: 'ep-1', reason: 'it rests' });
  expect(asked).toEqual([['ep-1', []]]);
});

describe('contents', () => {
  const contents: Contents = {
    kinds: [],
    of: (_, around) => around,
    stake: () => ({ usedAt: null, version: null, bytes: null }),
  };
  const role = (id: string, name: string | null): LiveResource => ({
    ...resource(id, name === null ? {} : { name }),
    kind: 'role',
  });
  const contains = { 'r-1': 'app', 'r-2': null };
  const removal: Partial<Step> = { ...REMOVAL, expects: present({ contains }) };
  const words = (list: string): Decision => changed(`the contents of ep-1 changed since the plan was made: ${list}`);

  it.each<[string, readonly LiveResource[], Decision]>([
    ['that the plan has', [role('r-1', 'app'), role('r-2', null)], SEND],
    ['of which some are gone', [role('r-1', 'app')], SEND],
    ['with a new one', [role('r-3', 'web')], words('the role web (new)')],
    ['with a new one that has no name', [role('r-3', null)], words('the role r-3 (new)')],
    ['with another name', [role('r-1', 'web')], words('the role web (formerly app)')],
    ['with a name for the first time', [role('r-2', 'web')], words('the role web (without a name in the plan)')],
    [
      'with three new ones',
      ['a', 'b', 'c'].map((name) => role(name, name)),
      words('the role a (new), the role b (new) and the role c (new)'),
    ],
    [
      'with more',
      ['a', 'b', 'c', 'd', 'e'].map((name) => role(name, name)),
      words('the role a (new), the role b (new), the role c (new) and 2 others'),
    ],
  ])('%s', (_, around, decision) => {
    expect(decided({ step: removal, kind: { contents }, around })).toEqual(decision);
  });

  it('that were not read, or of which the plan had none, are not judged', () => {
    const around = [role('r-3', 'web')];
    expect(decided({ step: removal, kind: { contents } })).toEqual(SEND);
    expect(decided({ step: removal, around })).toEqual(SEND);
    expect(decided({ step: REMOVAL, kind: { contents }, around })).toEqual(SEND);
  });

  describe('of a target that stays', () => {
    const step: Partial<Step> = { expects: present({ contains: {} }) };
    const around = [role('r-3', 'web')];
    const creation = (part: Partial<Step>): Step =>
      stepOf({ ...CREATION, kind: 'role', address: 'shop/primary/web', achieves: { name: 'web' }, ...part });
    const stale = words('the role web (new)');

    it.each<[string, readonly Step[], Decision]>([
      ['may be made below it', [creation({})], SEND],
      ['may be made for it', [creation({ address: 'shop/roles/web', achieves: { name: 'web', owner: 'ep-1' } })], SEND],
      ['may be made without a name', [creation({ achieves: {} })], SEND],
      ['may be made beside others', [creation({ achieves: { name: 'x' } }), creation({})], SEND],
      ['are not made elsewhere', [creation({ address: 'shop/primaries' })], stale],
      ['are not made with another name', [creation({ achieves: { name: 'x' } })], stale],
      ['are not made as another kind', [creation({ kind: 'database' })], stale],
      ['are not made by an update', [creation({ action: 'update' })], stale],
      ['are strange else', [], stale],
    ])('%s', (_, steps, decision) => {
      expect(decided({ step, kind: { contents }, around, steps })).toEqual(decision);
    });

    it('may belong to this run', () => {
      const prepare = ({ run }: ScriptedRun): void => void run.claims.add('r-3');
      expect(decided({ step, kind: { contents }, around, prepare })).toEqual(SEND);
    });
  });
});
