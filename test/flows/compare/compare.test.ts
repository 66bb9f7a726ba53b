// `plan --compare-with`: which changes are this change's own, which were pending, what is let go; from real runs in memory.
import { afterEach, describe, expect, it } from 'vitest';
import { PlanFile as validPlan } from '../../../src/model/generated/validators.js';
import { clearDesks, desk, type Desk } from '../../outputs/desk.ts';

afterEach(clearDesks);

interface PlanJson {
  readonly trueup: {
    readonly plan_hash: string;
    readonly compare?: {
      readonly from_this_change: string[];
      readonly already_pending: string[];
      readonly no_longer_managed: string[];
      readonly guards_changed: readonly { readonly change: string; readonly guard: string }[];
    };
    readonly warnings: readonly { readonly code: string; readonly message: string }[];
  };
}

const MAIN = 'branch_id: br-wispy-meadow-118737';
const STAGING = 'branch_id: br-calm-sea-220011';
const PRIMARY = `primary: { ${MAIN}`;

/** Without the line of the version. */
function shopOf(computes: readonly string[], more: string = ''): string {
  return `projects:\n  shop:\n${more}    computes:\n${computes.map((text) => `      ${text}\n`).join('')}`;
}

function shop(computes: readonly string[], more?: string): string {
  return `version: 1\n${shopOf(computes, more)}`;
}

/** The primary of the shop, with these members beside its branch. */
function primary(...members: readonly string[]): string {
  return shop([`primary: { ${[MAIN, ...members].join(', ')} }`]);
}

const LAB = `  lab: { computes: { primary: { branch_id: br-misty-field-330021, pooler_enabled: true } } }\n`;

interface Origins {
  readonly own?: readonly string[];
  readonly pending?: readonly string[];
  readonly gone?: readonly string[];
}
type Case = readonly [name: string, head: string, base: string, origins: Origins];

const cases: readonly Case[] = [
  [
    'a change that only these files ask for is from this change',
    primary('pooler_enabled: true'),
    primary(),
    { own: ['shop/primary'] },
  ],
  [
    'the same change in both is pending already',
    primary('pooler_enabled: true'),
    primary('pooler_enabled: true'),
    { pending: ['shop/primary'] },
  ],
  [
    'the same attribute with another value is from this change',
    primary('suspend_timeout_seconds: 600'),
    primary('suspend_timeout_seconds: 900'),
    { own: ['shop/primary'] },
  ],
  [
    'one attribute more than what is pending makes the whole change this one’s',
    primary('pooler_enabled: true, suspend_timeout_seconds: 600'),
    primary('pooler_enabled: true'),
    { own: ['shop/primary'] },
  ],
  [
    'managing one attribute more that is as it should be changes nothing about what is pending',
    primary('pooler_enabled: true, autoscaling_limit_max_cu: 0.25'),
    primary('pooler_enabled: true'),
    { pending: ['shop/primary'] },
  ],
  [
    'a creation that both ask for is pending, another one is not',
    shop([`${PRIMARY} }`, `a: { ${STAGING} }`, `b: { ${MAIN}, type: read_only }`]),
    shop([`${PRIMARY} }`, `a: { ${STAGING} }`]),
    { own: ['shop/b'], pending: ['shop/a'] },
  ],
  [
    'a resource that is dropped from the files is no longer managed',
    shop([`other: { ${STAGING} }`]),
    primary(),
    { own: ['shop/other'], gone: ['shop/primary'] },
  ],
  ['a project that is dropped from the files is not managed', primary(), primary() + LAB, { gone: ['lab/primary'] }],
  ['a project that the base does not know is from this change', primary() + LAB, primary(), { own: ['lab/primary'] }],
  ['a new name for the same live resource is neither a change nor let go', shop([`main: { ${MAIN} }`]), primary(), {}],
  [
    'another label and the id in place of the name are the same project',
    `version: 1\nprojects: { store: { id: spring-example-302709, computes: { primary: { ${MAIN} } } } }\n`,
    primary(),
    {},
  ],
  [
    'what prune deletes is from this change, and not merely let go',
    shop([`other: { ${STAGING}, new: true }`], '    prune: true\n'),
    primary(),
    { own: ['shop/ep-cool-darkness-123456', 'shop/other'] },
  ],
  ['a pending creation that is dropped leaves nothing', primary(), shop([`${PRIMARY} }`, `a: { ${STAGING} }`]), {}],
  [
    'keys count like everything else',
    'version: 1\napi_keys: { ci: { secret: { file: ci.json } }, bot: { secret: { file: bot.json } } }\n',
    'version: 1\napi_keys: { ci: { secret: { file: ci.json } }, root: {} }\n',
    { own: ['api_keys/bot'], pending: ['api_keys/ci'], gone: ['api_keys/root'] },
  ],
];

const sides = (head: string, base: string): Desk => desk({ 'trueup.yaml': head, 'base/trueup.yaml': base });
const COMPARE = ['plan', '--local', '--compare-with', 'base'];

interface Compared {
  readonly code: number;
  readonly err: string;
  readonly json: PlanJson | null;
  /** `removed protect` and the like, of the guards. */
  readonly changed: readonly string[];
}

/** The plan as JSON, which fits its schema, unless the run ends before. */
async function compared({ run }: Desk, ...words: readonly string[]): Promise<Compared> {
  const { code, out, err } = await run(...COMPARE, '--format', 'json', ...words);
  const json = code === 1 ? null : (JSON.parse(out) as PlanJson);
  if (json !== null) expect(validPlan(json), JSON.stringify(validPlan.errors)).toBe(true);
  const guards = json?.trueup.compare?.guards_changed ?? [];
  return { code, err, json, changed: guards.map(({ change, guard }) => `${change} ${guard}`) };
}

describe('plan --compare-with', () => {
  it.each(cases)('%s', async (_name, head, base, { own = [], pending = [], gone = [] }) => {
    const at = sides(head, base);
    const { code, err, json } = await compared(at);
    expect(code, err).toBe(0);
    expect(json?.trueup.compare).toEqual({
      from_this_change: own,
      already_pending: pending,
      no_longer_managed: gone,
      guards_changed: head.includes('prune') ? [expect.objectContaining({ change: 'added', guard: 'prune' })] : [],
    });
    const plain = JSON.parse((await at.run('plan', '--local', '--format', 'json')).out) as PlanJson;
    expect(plain.trueup.compare).toBeUndefined();
    expect(json?.trueup.plan_hash).toBe(plain.trueup.plan_hash);
  });
});

describe('orders that stand', () => {
  const key = (text: string): string => `api_keys: { ci: { ${text} } }\n`;
  const rotated = (rotate: string, place = 'vault'): string => key(`secret: { exec: ${place} }, rotate: { ${rotate} }`);
  const expecting = 'expect: { has_project: spring-example-302709 }\n';
  const byAge = 'restart: { max_age: 3650d }';
  const bare = shopOf([`${PRIMARY} }`]);
  it.each<[string, head: string, base: string, changed: readonly string[]]>([
    ['another place for a secret', rotated('every: 90d', 'scratch'), rotated('every: 90d'), ['changed secret']],
    ['a quicker clock', rotated('every: 8d, overlap: 1d'), rotated('every: 90d, overlap: 1d'), ['changed rotate']],
    [
      'an old key that goes at once',
      rotated('every: 90d, overlap: 0s, revoke: after_overlap'),
      rotated('every: 90d, overlap: 7d, revoke: when_unused'),
      ['changed rotate'],
    ],
    ['a restart by age', shopOf([`${PRIMARY}, ${byAge} }`]), bare, ['added restart']],
    ['a prune of what is not there yet', shopOf([`${PRIMARY} }`], '    prune: true\n'), bare, ['added prune']],
    ['an expectation that is given up', '', expecting, ['removed expect']],
    ['a restart by age under another label', shopOf([`main: { ${MAIN}, ${byAge} }`]), bare, ['added restart']],
    [
      'a place of what comes with a new branch',
      'projects: { shop: { branches: { main: {}, new: { from: main, roles: { shop_owner: { password: { file: app.json } } } } } } }\n',
      'projects: { shop: { branches: { main: {} } } }\n',
      [],
    ],
    ['another name of a project', 'projects: { store: { name: shop, create: {} } }\n', 'projects: { shop: {} }\n', []],
    ['a key that is new', rotated('every: 90d'), '', []],
  ])('stand among what changed, though nothing is done today: %s', async (_what, head, base, changed) => {
    const at = sides(`version: 1\n${head}`, `version: 1\n${base}`);
    const words = ['--sink', 'vault=true', '--sink', 'scratch=true'];
    expect((await compared(at, ...words)).changed).toEqual(changed);
    const told = (await at.run(...COMPARE, ...words)).out;
    for (const one of changed) expect(told).toContain(`  ${one.replace(' ', ': ')}`);
  });
});

describe('who gets at what', () => {
  const branch = (own: string, more = ''): string =>
    `version: 1\nprojects: { shop: { ${more}branches: { main: { protected: ${own} } } } }\n`;

  it.each<[string, string, string, readonly string[]]>([
    ['a branch that is not protected any more', branch('false'), branch('true'), ['changed protected']],
    ['access', branch('true', 'permissions: { eve@a.example: {} }, '), branch('true'), ['added project_permission']],
    ['what the base asks for already', branch('false'), branch('false'), []],
    ['a branch that stays as it is', branch('true'), branch('true'), []],
  ])('stands among the guards that change: %s', async (_name, head, base, changed) => {
    const at = sides(head, base);
    await at.run('apply', '--local', '--auto-approve', '-f', 'base/trueup.yaml');
    expect((await compared(at)).changed).toEqual(changed);
  });
});

const HEAD = shop([`replica: { ${MAIN}, type: read_only }`, `staging: { ${STAGING} }`]);
const BASE = shop([`${PRIMARY} }`, `staging: { ${STAGING} }`]);

describe('the three sections', () => {
  it('stand in the human plan in place of the changes', async () => {
    const { run } = sides(HEAD, BASE);
    const { out } = await run(...COMPARE);
    const titles = out.split('\n').filter((line) => /^\S.*:$/.test(line));
    expect(titles).toEqual([
      'From this change:',
      'Already pending (without this change):',
      'No longer managed (live, and left alone):',
      'Not managed by these files (left alone):',
    ]);
    expect(out).toMatch(/From this change:\n {2}\+ shop\/replica/);
    expect(out).toMatch(/Already pending .*:\n {2}\+ shop\/staging/);
    expect(out).toMatch(/No longer managed .*:\n {2}shop\/primary\n/);
    expect(out.trimEnd().split('\n').at(-1)).toBe('Plan: 2 to add, 0 to change, 0 to destroy.');
  });

  it('say so when this change brings nothing', async () => {
    const { run } = sides(BASE, BASE);
    const { out } = await run(...COMPARE);
    expect(out).toMatch(/\n\nFrom this change:\n {2}nothing\n\nAlready pending/);
  });

  it.each([
    ['markdown', /^By origin: 1 from this change, 1 already pending, 1 no longer managed\.$/m],
    ['markdown', /#### From this change\n[\s\S]*shop\/replica[\s\S]*#### Already pending [\s\S]*shop\/staging/],
    ['html', /<h2>From this change<\/h2>[\s\S]*shop\/replica[\s\S]*<h2>Already pending[\s\S]*shop\/staging/],
    ['html', /<h2>No longer managed \(live, and left alone\)<\/h2>\s*<p[^>]*><code>shop\/primary<\/code> <\/p>/],
  ])('are in the %s of the plan, and of the saved plan that is shown later', async (format, expected) => {
    const { run } = sides(HEAD, BASE);
    const { out } = await run(...COMPARE, '-o', 'plan.json', '--format', format);
    expect(out).toMatch(expected);
    expect((await run('show', 'plan.json', '--format', format)).out).toMatch(expected);
  });
});

describe('files to compare with that cannot be planned', () => {
  it.each([
    [
      'expect another service',
      { 'base/trueup.yaml': 'version: 1\nexpect: { base_url: https://a.example/api/v2 }\n' },
      /expects the service/,
    ],
    [
      'name a project that is gone',
      { 'base/trueup.yaml': 'version: 1\nprojects: { shp: { computes: { p: { branch_id: br-a-1 } } } }\n' },
      /"shp"/,
    ],
  ])('%s: a warning, and nothing counts as pending', async (_, base, why) => {
    const at = desk({ 'trueup.yaml': HEAD, 'base/README': 'the target branch', ...base });
    const { code, json, err } = await compared(at);
    expect(code).toBe(0);
    expect(err).toMatch(/warning/i);
    expect(err).toMatch(why);
    expect(json?.trueup.compare).toEqual({
      from_this_change: ['shop/replica', 'shop/staging'],
      already_pending: [],
      no_longer_managed: [],
      // Whatever they ask for, they asked for it.
      guards_changed: JSON.stringify(base).includes('expect:')
        ? [expect.objectContaining({ change: 'removed', guard: 'expect' })]
        : [],
    });
    expect(json?.trueup.warnings.map((warning) => warning.code)).toContain('base_unusable');
    const comment = (await at.run(...COMPARE, '--format', 'markdown', '--max-chars', '2000')).out;
    expect(comment).toContain('`Not compared: the files to compare with cannot be used');
    expect(comment).not.toContain('By origin');
  });
});

describe('the side that is compared with', () => {
  const GUARDS = 'version: 1\nsafety: { max_deletes: 0, protect: ["*/primary"] }\n';
  const ONE = primary();
  const compare = async (files: Readonly<Record<string, string>>, ...words: readonly string[]): Promise<Compared> =>
    compared(desk(files), ...words);
  const LOST = ['removed max_deletes', 'removed protect'];
  const BASE_FILES = { 'base/trueup.yaml': ONE, 'base/guards.yaml': GUARDS };
  const LISTED = { ...BASE_FILES, 'base/.github/trueup-files': 'trueup.yaml\nguards.yaml\n' };

  it('that has errors ends the run: a guard in it could be lost unseen', async () => {
    const broken = 'version: 1\nprojects: { shop: { computes: 7 } }\n';
    const { code, err } = await compare({ 'trueup.yaml': HEAD, 'base/trueup.yaml': broken });
    expect(code).toBe(1);
    expect(err).toMatch(/computes/);
    expect(err).toContain('the files to compare with cannot be read');
  });

  it.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ['a file', { 'trueup.yaml': ONE, 'g.yaml': GUARDS, 'base/trueup.yaml': ONE }, ['-f', 'trueup.yaml', 'g.yaml']],
    ['a folder', { 'infra/a.yaml': ONE, 'infra/b.yaml': GUARDS, 'base/README': '' }, ['-f', 'infra']],
    ['an empty folder', { 'infra/a.yaml': ONE, 'infra/b.yaml': GUARDS, 'base/infra/README': '' }, ['-f', 'infra']],
    ['every file', { 'trueup.yaml': `${GUARDS}${shopOf([`${PRIMARY} }`])}`, 'base/README': '' }, []],
  ])('is empty where it lacks %s', async (_, files, words) => {
    const { code, err, changed } = await compare(files, ...words);
    expect([code, changed], err).toEqual([0, ['added max_deletes', 'added protect']]);
    expect(err).not.toContain('base_unusable');
  });

  it('has files of a folder that the other side lacks', async () => {
    const files = { 'infra/a.yaml': ONE, 'base/infra/a.yaml': ONE, 'base/infra/b.yaml': GUARDS };
    expect((await compare(files, '-f', 'infra')).changed).toEqual(LOST);
  });

  it.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ['names fewer', { 'trueup.yaml': ONE, '.github/trueup-files': 'trueup.yaml\r\n' }, ['-f', 'trueup.yaml']],
    ['is gone', { 'trueup.yaml': ONE }, []],
    ['names another', { 'new.yaml': ONE, '.github/trueup-files': 'new.yaml' }, ['--file=new.yaml']],
  ])('is read by its own list of files, where that of this side %s', async (_, files, words) => {
    const { code, err, changed } = await compare({ ...LISTED, ...files }, ...words);
    expect([code, changed], err).toEqual([0, ['changed files', ...LOST]]);
    const { run } = desk({ ...LISTED, ...files });
    const { out } = await run(...COMPARE, ...words);
    expect(out).toMatch(/Guards changed:\n {2}changed: files: .*- "?guards\.yaml/);
  });

  it('is read by the same paths, where files were named that no list names', async () => {
    const files = { ...LISTED, 'trueup.yaml': ONE, 'other.yaml': ONE, 'base/other.yaml': ONE };
    expect((await compare(files, '-f', 'other.yaml')).changed).toEqual([]);
  });

  it.each([
    ['names a file outside', '../elsewhere.yaml\n', /is not in the working folder/],
    ['is larger than a list', 'a.yaml\n'.repeat(10_000), /larger than 65536 bytes/],
  ])('whose list %s ends the run', async (_, list, says) => {
    const files = { ...BASE_FILES, 'trueup.yaml': ONE, 'base/.github/trueup-files': list };
    const { code, err } = await compare(files);
    expect([code, err]).toEqual([1, expect.stringMatching(says) as string]);
  });
});

describe('what cannot be compared is refused before anything is read', () => {
  it.each([
    ['no such folder', ['--compare-with', 'nowhere'], /nowhere is not a folder/],
    ['a file in place of the folder', ['--compare-with', 'trueup.yaml'], /trueup\.yaml is not a folder/],
    ['a place below a file', ['--compare-with', 'trueup.yaml/base'], /trueup\.yaml\/base is not a folder/],
    ['standard input', ['-f', '-', '--compare-with', 'base'], /-f -/],
    ['a file outside', ['-f', '../trueup.yaml', '--compare-with', 'base'], /is not in the working folder/],
  ])('%s', async (_, argv, why) => {
    const { run } = sides(HEAD, BASE);
    const { code, out, err } = await run('plan', '--local', ...argv);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(why);
  });
});

describe('guards', () => {
  const GUARDED = `safety: { max_deletes: 1, protect: ["*/primary"] }\n${primary('lifecycle: { ignore: [name] }')}`;
  const BARE = primary();
  it('that a pull request only removes are shown, and make another hash', async () => {
    const { json } = await compared(sides(BARE, GUARDED));
    expect(json?.trueup.compare?.guards_changed).toEqual([
      { change: 'removed', guard: 'ignore', project: 'shop', address: 'shop/primary', before: 'name', after: null },
      { change: 'removed', guard: 'max_deletes', project: null, address: null, before: 1, after: null },
      { change: 'removed', guard: 'protect', project: null, address: '*/primary', before: true, after: null },
    ]);
    const other = await compared(sides(GUARDED, GUARDED));
    expect(other.changed).toEqual([]);
    expect(other.json?.trueup.plan_hash).not.toBe(json?.trueup.plan_hash);
  });
});
