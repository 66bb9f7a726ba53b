// What the human plan promises: its last line, its order, its groups, and no lie when something is out of sight.
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Guard } from '../../../src/model/outcome/guard.ts';
import type { Change, Plan } from '../../../src/model/outcome/plan.ts';
import { columnsOf } from '../../../src/render/text/width.ts';
import { OPTIONS, planText } from './every.ts';
import { change, EMPTY_PLAN, FULL_PLAN, plan } from './worlds.ts';

const NO_CHANGES = 'No changes. Your infrastructure matches the configuration.';

function lastLine(value: Plan): string | undefined {
  return planText(value, OPTIONS).trimEnd().split('\n').at(-1);
}

const of = (action: Change['action'], fields: Partial<Change> = {}): Change =>
  change({ address: `shop/${action}`, action, ...fields });

const cases: readonly [string, Plan, string][] = [
  ['nothing to do', EMPTY_PLAN, NO_CHANGES],
  ['a create', plan([of('create')]), 'Plan: 1 to add, 0 to change, 0 to destroy.'],
  ['a rotation adds', plan([of('rotate')]), 'Plan: 1 to add, 0 to change, 0 to destroy.'],
  ['a replacement adds and destroys', plan([of('replace')]), 'Plan: 1 to add, 0 to change, 1 to destroy.'],
  ['a revocation destroys', plan([of('revoke')]), 'Plan: 0 to add, 0 to change, 1 to destroy.'],
  ['a restart changes', plan([of('restart')]), 'Plan: 0 to add, 1 to change, 0 to destroy.'],
  ['a move changes', plan([of('move')]), 'Plan: 0 to add, 1 to change, 0 to destroy.'],
  [
    'blocked ones do not count',
    plan([of('delete', { blockedBy: ['consent'] })]),
    'Plan: 0 to add, 0 to change, 0 to destroy.',
  ],
  [
    'unread: not called a match',
    plan([], { unread: [{ what: 'shop', projectId: null, reason: '503' }] }),
    'Plan: 0 to add, 0 to change, 0 to destroy.',
  ],
  [
    'held: not called a match',
    plan([of('none', { held: [{ path: 'a', wanted: 1, live: 2, untilMs: 0, reason: '' }] })]),
    'Plan: 0 to add, 0 to change, 0 to destroy.',
  ],
  [
    'due alone is no difference',
    plan([of('restart', { due: true })], { summary: { ...EMPTY_PLAN.summary, due: 1 } }),
    NO_CHANGES,
  ],
  ['due and asked for counts', plan([of('restart', { due: true })]), 'Plan: 0 to add, 1 to change, 0 to destroy.'],
];

it.each(cases)('last line: %s', (_, value, expected) => {
  expect(lastLine(value)).toBe(expected);
  expect(
    planText(value, { ...OPTIONS, verbose: true })
      .trimEnd()
      .endsWith(expected),
  ).toBe(true);
});

describe('guards in force', () => {
  const at = (file: string, line: number): Guard['source'] => {
    const start = { line, column: 3, offset: 0 };
    return { file, start, end: start };
  };
  const guards: readonly Guard[] = [
    { guard: 'protect', project: null, address: '*/primary', value: true, from: 'file', source: at('trueup.yaml', 12) },
    { guard: 'protect', project: null, address: '*/primary', value: true, from: 'file', source: at('trueup.yaml', 12) },
    { guard: 'max_deletes', project: 'shop', address: null, value: 1, from: 'operator', source: at('limits.yaml', 2) },
    {
      guard: 'windows',
      project: null,
      address: null,
      value: ['Sat 01:00-02:00 UTC', 'Sun 02:00-04:00 UTC'],
      from: 'file',
      source: null,
    },
    {
      guard: 'ignore',
      project: 'shop',
      address: 'shop/a',
      value: 'pooler_mode',
      from: 'file',
      source: at('a.yaml', 3),
    },
    {
      guard: 'hold',
      project: 'shop',
      address: 'shop/a',
      value: {
        path: 'autoscaling_limit_max_cu',
        value: 16,
        until: '2026-12-01T00:00:00.000Z',
        reason: 'INC-\u001b[2J1',
      },
      from: 'file',
      source: at('a.yaml', 9),
    },
  ];

  it('stand in the plan that is reviewed, once each, with whence they are; nothing of them acts on a terminal', () => {
    const text = planText(plan([of('create')], { guards }), { ...OPTIONS, width: 200 });
    expect(text.slice(text.indexOf('Guards in force'))).toMatch(
      new RegExp(
        [
          'Guards in force:',
          '  protect of \\*/primary \\(trueup.yaml:12\\)',
          '  max_deletes of shop: 1 \\(--safety limits.yaml:2\\)',
          '  windows: Sat 01:00-02:00 UTC; Sun 02:00-04:00 UTC',
          '  ignore of shop/a: pooler_mode \\(a.yaml:3\\)',
          '  hold of shop/a: autoscaling_limit_max_cu at 16 until 2026-12-01 \\(INC-.*1\\) \\(a.yaml:9\\)',
          '',
        ].join('\\n'),
      ),
    );
    expect(text).not.toContain('\u001b[2J');
  });

  it('of which there are none, or with nothing to review, take no line', () => {
    expect(planText(plan([of('create')]), OPTIONS)).not.toContain('Guards in force');
    expect(planText({ ...EMPTY_PLAN, guards }, OPTIONS)).not.toContain('Guards in force');
    expect(planText({ ...EMPTY_PLAN, guards }, { ...OPTIONS, verbose: true })).toContain('Guards in force');
  });
});

describe('width', () => {
  const long = 'a long value, in words and '.repeat(12) + 'x'.repeat(300);
  const name = `${'漢'.repeat(30)} ${'n'.repeat(60)}`;
  const wide = of('update', {
    address: `shop/${name}`,
    resourceId: `ep-${'i'.repeat(57)}`,
    attributes: [
      { path: 'settings.pg_settings.search_path', before: null, after: long, restarts: true },
      { path: 'name', before: long, after: name, restarts: false },
      { path: `settings.pgbouncer_settings.${'p'.repeat(90)}`, before: 1, after: 2, restarts: false },
    ],
  });
  const nested = of('update', {
    attributes: ['a', 'b', 'c', 'd'].map((key) => ({
      path: `settings.${key}`,
      before: `${key} ${long}`,
      after: name,
      restarts: false,
    })),
  });
  const shown = plan([wide, nested, of('delete', { address: `shop/${name}`, blockedBy: ['consent'] })], {
    unmanaged: [{ address: `shop/${name}`, kind: 'compute', id: 'ep-x', projectId: null, spec: {}, pruned: false }],
    unread: [{ what: name, projectId: null, reason: long }],
  });

  it.each([
    [80, false],
    [80, true],
    [120, false],
    [60, true],
  ])('of %i columns is kept to (verbose: %s)', (width, verbose) => {
    const lines = planText(shown, { ...OPTIONS, width, verbose }).split('\n');
    expect(lines.filter((line) => columnsOf(line) > width)).toEqual([]);
  });

  it('long values are shown whole, up to their limit', () => {
    const text = planText(shown, OPTIONS).replaceAll(/\s+/g, '');
    expect(text).toContain(long.slice(0, 380).replaceAll(' ', ''));
  });

  it.each([60, 80])('of %i columns cuts no name, so that two that differ in the middle never look alike', (width) => {
    const names = ['north', 'south'].map((side) => `shop/${'a'.repeat(40)}-${side}-${'b'.repeat(40)}`);
    const paths = ['vacuum', 'analyze'].map((what) => `settings.pg_settings.autovacuum_${what}_scale_factor`);
    const attributes = paths.map((path) => ({ path, before: '0.1', after: '0.2', restarts: true }));
    const alike = plan(names.map((address) => of('update', { address, attributes })));
    const text = planText(alike, { ...OPTIONS, width }).replaceAll(/\s+/g, '');
    for (const whole of [...names, ...paths]) expect(text).toContain(whole);
  });
});

it.each([68, 69, 71, 73, 74, 90, 200])('an address of %i characters stands on one line, to be copied', (length) => {
  const address = `shop/${'a'.repeat(length - 5)}`;
  const alone = { address, kind: 'compute', id: 'ep-x', projectId: null, spec: {}, pruned: false };
  const made = of('update', { address, notes: [`${address} is new`] });
  const text = planText(plan([made], { unmanaged: [alone] }), { ...OPTIONS, verbose: true });
  const words = text.split(/\s+/);
  expect(words.filter((word) => /^a+$/.test(word))).toEqual([]);
  expect(words.filter((word) => word === address).length).toBeGreaterThanOrEqual(3);
});

describe('brief plan', () => {
  const text = planText(FULL_PLAN, OPTIONS);

  it('lists all that is dangerous, however much it is', () => {
    const many = plan(
      Array.from({ length: 40 }, (_, at) =>
        change({ address: `shop/old-${at}`, action: 'delete', impact: ['permanent'] }),
      ),
    );
    expect(planText(many, OPTIONS).match(/shop\/old-\d+/g)).toHaveLength(40);
  });

  it('means the same without colour', () => {
    const painted = planText(FULL_PLAN, { ...OPTIONS, color: true });
    expect(painted).not.toBe(text);
    expect(stripVTControlCharacters(painted)).toBe(text);
  });
});

describe('the first plan of a new project', () => {
  const rest = Array.from({ length: 16 }, (_, at) => {
    const address = `shop/branches/main/databases/db-${String(at).padStart(2, '0')}`;
    const owner = { path: 'owner_name', before: null, after: 'app', restarts: false };
    return change({ address, action: 'create', attributes: [owner], waitsFor: 'shop' });
  });
  const project = change({ address: 'shop', action: 'create', blockedBy: ['allowance'] });
  const waiting = rest.map((one): Change => ({ ...one, blockedBy: ['dependency'] }));

  it('has one line for what waits for a blocked project, and all of it with -v', () => {
    const held = plan([project, ...waiting]);
    const lines = planText(held).split('\n');
    expect(lines.length).toBeLessThan(20);
    expect(lines.filter((line) => line.includes('16 more wait for it: shop/branches'))).toHaveLength(1);
    for (const { address } of rest)
      expect(planText(held, { ...OPTIONS, verbose: true })).toContain(`+ ${address}  create`);
  });
});
