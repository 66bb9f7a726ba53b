// Consent by what is lost: who may say it, how, and what nobody's word covers.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NeededConsent } from '../../../src/model/outcome/consent.ts';
import { syntheticDesk, leave, type SyntheticDesk, type Ran } from '../desk.ts';
import type { Tree } from '../service.ts';

afterAll(leave);

const HEAD = 'version: 1\nprojects:\n  shop:\n    id: shop-1\n    cellars:\n';
const ABSENT = '{ state: absent }';
const OLD = `      old: ${ABSENT}\n`;
const CELLARS: Tree = { old: {}, new: { keeps: 9 }, third: {} };

/** A desk with these cellars, of which the file says `cellars`. */
async function deskOf(cellars: string, live: Tree = CELLARS): Promise<SyntheticDesk> {
  const desk = await syntheticDesk(HEAD + cellars);
  desk.service.plant(live, null, ['cellar', 'bottle']);
  return desk;
}

interface Told {
  readonly hash: string;
  readonly blocks: Readonly<Record<string, readonly string[]>>;
  readonly consents: Readonly<Record<string, readonly NeededConsent[]>>;
  readonly limits: readonly string[];
  readonly steps: readonly string[];
}

interface PlanJson {
  readonly resource_changes: readonly {
    readonly address: string;
    readonly trueup: {
      readonly action: string;
      readonly blocked_by: readonly string[];
      readonly consents?: readonly NeededConsent[];
    };
  }[];
  readonly trueup: {
    readonly plan_hash: string;
    readonly limits_exceeded: readonly { readonly limit: string }[];
    readonly steps: readonly { readonly id: string }[];
  };
}

async function told(desk: SyntheticDesk, ...flags: readonly string[]): Promise<Told> {
  const { out, err, code } = await desk.run('plan', '--format', 'json', ...flags);
  expect(code, err).toBe(0);
  const { resource_changes: all, trueup } = JSON.parse(out) as PlanJson;
  const changes = all.filter((one) => one.trueup.action !== 'none');
  return {
    hash: trueup.plan_hash,
    blocks: Object.fromEntries(changes.map((one) => [one.address, one.trueup.blocked_by])),
    consents: Object.fromEntries(changes.map((one) => [one.address, one.trueup.consents ?? []])),
    limits: trueup.limits_exceeded.map(({ limit }) => limit),
    steps: trueup.steps.map(({ id }) => id),
  };
}

const allow = (...words: readonly string[]): readonly string[] => words.flatMap((word) => ['--allow', word]);
const A = 'shop/cellars/old';

describe('a drop', () => {
  test.each<readonly [name: string, flags: readonly string[], given: NeededConsent['given']]>([
    ['nobody', [], null],
    ['its address', allow(`drop:${A}`), 'literal'],
    ['a pattern of three parts', allow('drop:shop/cellars/o*'), 'pattern'],
    ['all below its project', allow('drop:shop/**'), 'pattern'],
    ['itself and what is in it', allow(`drop:${A}/**`), 'pattern'],
    ['what is in it', allow(`drop:${A}/bottles/**`), null],
    ['all of everything', allow('*:*'), null],
    ['its action', allow(`delete:${A}`, 'delete:*'), null],
    ['another word', allow(`recreate:${A}`), null],
    ['the project', allow('drop:shop'), null],
  ])('is allowed by %s', async (_, flags, given) => {
    const { consents, blocks, steps } = await told(await deskOf(OLD), ...flags);
    expect(consents).toEqual({ [A]: [{ word: 'drop', address: A, given }] });
    expect(blocks).toEqual({ [A]: given === null ? ['allowance'] : [] });
    expect(steps).toEqual(given === null ? [] : [`delete:${A}`]);
  });

  test.each<readonly [name: string, flags: readonly string[], code: number]>([
    ['--auto-approve alone', [], 5],
    ['its address', allow(`drop:${A}`), 0],
    ['a pattern', allow('drop:shop/cellars/*'), 0],
  ])('is done unattended by %s', async (_, flags, code) => {
    const desk = await deskOf(OLD);
    const ran = await desk.run('apply', '--auto-approve', ...flags);
    expect(ran.code, ran.err).toBe(code);
    expect(ran.ledger).toEqual(code === 0 ? ['delete cellar old'] : []);
  });

  test('is told with what is at stake, and with the flag that allows it', async () => {
    const desk = await deskOf(OLD, { old: { last_used: '2026-11-01T00:00:00Z', has: { red: {}, white: {} } } });
    const { out } = await desk.run('plan');
    expect(out.replaceAll(/\s+/g, ' ')).toContain(
      'it holds 2, last used 2026-11-01T00:00:00.000Z, and can be dug up for 7 days',
    );
    expect(out.replaceAll(/\s+/g, ' ')).toContain(`needs consent → --allow drop:${A}`);
    for (const format of ['markdown', 'html']) {
      const other = await desk.run('plan', '--format', format, ...allow(`drop:${A}`));
      expect(other.out).toContain('can be dug up for 7 days');
      expect(other.out.includes('Consent: drop, allowed by its address')).toBe(format === 'html');
    }
  });
});

describe('another loss', () => {
  const NEW = 'shop/cellars/new';
  test.each<readonly [name: string, wish: string, word: string]>([
    ['what is kept for a shorter time', 'new: { keeps: 3 }', `shorten:${NEW}`],
    ['who may come in, which is said of the project', 'new: { open: true }', 'access:shop'],
    ['what cannot be taken back', 'new: { sealed: true }', `oneway:${NEW}`],
  ])('%s', async (_, wish, word) => {
    const desk = await deskOf(`      ${wish}\n`);
    expect((await told(desk)).blocks).toEqual({ [NEW]: ['allowance'] });
    expect((await told(desk, ...allow('*:*', 'drop:shop/**'))).blocks).toEqual({ [NEW]: ['allowance'] });
    const { code, ledger } = await desk.run('apply', '--auto-approve', ...allow(word));
    expect([code, ledger]).toEqual([0, ['update cellar new']]);
  });

  test('needs each of its words', async () => {
    const desk = await deskOf('      new: { keeps: 3, open: true, sealed: true }\n');
    const { consents, steps } = await told(desk, ...allow('access:shop', `oneway:${NEW}`));
    expect(consents[NEW]?.map(({ word, given }) => [word, given])).toEqual([
      ['access', 'literal'],
      ['oneway', 'literal'],
      ['shorten', null],
    ]);
    expect(steps).toEqual([]);
  });

  test('is none where nothing is lost', async () => {
    const desk = await deskOf('      new: { keeps: 30, note: seen }\n');
    expect((await desk.run('apply', '--auto-approve')).ledger).toEqual(['update cellar new']);
  });
});

describe('a plan that is kept', () => {
  let desk: SyntheticDesk;
  beforeAll(async () => {
    desk = await deskOf(OLD);
  });
  const saved = async (...flags: readonly string[]): Promise<void> => {
    const { code, err } = await desk.run('plan', '-o', 'plan.json', ...flags);
    expect(code, err).toBe(0);
  };
  const applied = async (...flags: readonly string[]): Promise<Ran> => desk.run('apply', 'plan.json', ...flags);

  test('made without the consent gets none by being reviewed', async () => {
    await saved();
    expect((await applied()).code).toBe(5);
    expect((await applied(...allow(`drop:${A}`))).ledger).toEqual([]);
  });

  test('unsigned, needs it again', async () => {
    await saved(...allow(`drop:${A}`));
    const { code, ledger, err } = await applied();
    expect([code, ledger]).toEqual([5, []]);
    expect(err).toContain(`--allow drop:${A}`);
  });

  test('unsigned, is carried out where it is given again', async () => {
    await saved(...allow(`drop:${A}`));
    expect((await applied(...allow(`drop:${A}`))).ledger).toEqual(['delete cellar old']);
  });

  test('signed, needs it no more', async () => {
    const other = await syntheticDesk(HEAD + OLD, { env: { TRUEUP_PLAN_KEY: 'a key of some length' } });
    other.service.plant(CELLARS, null, ['cellar', 'bottle']);
    await other.run('plan', '-o', 'plan.json', ...allow(`drop:${A}`));
    expect((await other.run('apply', 'plan.json')).ledger).toEqual(['delete cellar old']);
  });
});

describe('at a prompt', () => {
  test.each<readonly [name: string, answers: readonly string[], code: number, ledger: readonly string[]]>([
    ['its address is typed', [A, 'yes'], 0, ['delete cellar old', 'update cellar new']],
    ['nothing is typed: it stays, and the rest goes on', ['', 'yes'], 5, ['update cellar new']],
    ['something else is typed', ['yes', 'yes'], 5, ['update cellar new']],
    ['its address is typed, and the plan is refused', [A, 'no'], 1, []],
  ])('%s', async (_, answers, code, ledger) => {
    const desk = await deskOf(`${OLD}      new: { keeps: 3 }\n`);
    const ran = await desk.answering(answers, 'apply');
    expect(ran.code, ran.err).toBe(code);
    expect(ran.ledger.toSorted()).toEqual(ledger);
  });

  test('each is typed, however many', async () => {
    const desk = await deskOf(`${OLD}      third: ${ABSENT}\n      new: ${ABSENT}\n`);
    const ran = await desk.answering(['shop/cellars/new', A, 'shop/cellars/third', 'yes'], 'apply');
    expect(ran.code, ran.err).toBe(0);
    expect(ran.ledger).toHaveLength(3);
  });
});

describe('a declaration', () => {
  test('that is made for it consents to its own drop, however many', async () => {
    const gone = '{ state: absent, disposable: true }';
    const desk = await deskOf(`      old: ${gone}\n      third: ${gone}\n`);
    const { consents } = await told(desk);
    expect(consents[A]?.[0]?.given).toBe('file');
    expect((await desk.run('apply', '--auto-approve')).ledger).toHaveLength(2);
  });

  test('whose pin vanished is made anew by its own word alone', async () => {
    const desk = await deskOf('      lost: { id: ce-000099 }\n');
    const { blocks } = await told(desk, ...allow('*:*'));
    expect(blocks).toEqual({ 'shop/cellars/lost': ['vanished'] });
    expect((await desk.run('plan')).out).toContain('it can be dug up until 2026-12-01T00:00:00Z');
    expect((await desk.run('apply', '--auto-approve')).ledger).toEqual([]);
    const { ledger } = await desk.run('apply', '--auto-approve', ...allow('recreate:shop/cellars/lost'));
    expect(ledger).toEqual(['create cellar lost']);
  });
});

test('completion offers the words of the kinds, and the addresses behind them', async () => {
  const desk = await deskOf(OLD);
  const words = async (...line: readonly string[]): Promise<readonly string[]> =>
    (await desk.run('completion', 'words', '--', 'apply', ...line)).out.trim().split('\n');
  expect(await words('--allow', 'd')).toEqual(['delete:', 'disable:', 'drop:']);
  expect(await words('--allow', 'drop:')).toEqual([`drop:${A}`]);
});

test('a word that a kind brings along is explained and counted', async () => {
  const desk = await deskOf('      new: { sealed: true }\n');
  const { out } = await desk.run('plan', ...allow('oneway:shop/cellars/new'));
  expect(out).toContain('What is left gathers dust.');
  expect(out).toContain('1 change leaves dust');
});
