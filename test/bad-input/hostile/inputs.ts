// Hostile inputs, generated: what a pull request could hold to keep a run busy. Each is judged in the built program under limits.

import type { World } from '../../../src/control-plane/index.ts';

export interface Hostile {
  readonly name: string;
  /** Content by path in the working folder, or below KEPT in the state folder; made when its turn comes. */
  readonly files: () => Readonly<Record<string, string>>;
  /** Words after the program; `validate` where none are given. */
  readonly args?: readonly string[];
  /** Exit codes that it may end with; 1 where none are given. */
  readonly codes?: readonly number[];
  /** Part of what must be said. */
  readonly says?: string;
  /** What is live in the account that is asked; without it, none is asked. */
  readonly world?: World;
}

/** Begins the path of what lies in the state folder. */
export const KEPT = 'kept:';

const MIB = 1024 * 1024;
const LARGE = 30 * MIB;
/** What costs more than its size shows it here. */
const PIECES = 8 * MIB;
const HEAD = 'version: 1\n';
const ENTRIES = 240_000;
/** As many as the schema lets one project declare. */
const COMPUTES = 50_000;
const BRANCHES = 10_000;

const times = (count: number, one: (at: number) => string, between = ''): string =>
  Array.from({ length: count }, (_, at) => one(at)).join(between);

/** A file of wishes with this text in it. */
const wish = (make: () => string) => (): Readonly<Record<string, string>> => ({ 'trueup.yaml': HEAD + make() });

/** Pieces again and again, up to so many bytes. */
const filled = (piece: string, bytes = LARGE): string => piece.repeat(Math.ceil(bytes / piece.length));

const computes = (lines: string): string => `projects:\n  shop:\n    branches: { main: br-a }\n    computes:\n${lines}`;
const many = (count: number, attribute: (at: number) => string): string =>
  computes(times(count, (at) => `      c${at}: { branch: main, type: read_only, ${attribute(at)} }\n`));

const one = (name: string, make: () => string, more: Partial<Hostile> = {}): Hostile => ({
  name,
  files: wish(make),
  ...more,
});

/** A lexer or a parser that counts nothing. */
const SYNTAX: readonly Hostile[] = [
  ...[
    '[',
    '{',
    '[{',
    '- ',
    '? ',
    '&a ',
    '!!str ',
    '*a ',
    '"',
    '#',
    ': ',
    '\n- ',
    '---\n',
    '|\n',
    '<<: ',
    '{a: ',
    '&a [',
    '- - - ',
    '\u2028',
  ].map((piece) => one(`${JSON.stringify(piece)} again and again`, () => `x: ${filled(piece, PIECES)}`)),
  ...['\\x41', '\\u0041', '\\U00000041', '\\n', '\\"', '\\ ', '\\\n', "''"].map((escape) =>
    one(`${JSON.stringify(escape)} again and again in a quoted text`, () => {
      const quote = escape === "''" ? "'" : '"';
      return `x: ${quote}${filled(escape, PIECES)}${quote}\n`;
    }),
  ),
  one('quotes of 1,000 escapes each', () => times(40_000, (at) => `x${at}: "${'\\x41'.repeat(250)}"\n`)),
  one('tags on many values', () => times(200_000, (at) => `k${at}: !!str v\n`)),
  one('anchors on many values', () => times(200_000, (at) => `k${at}: &a${at} v\n`)),
  one('one long comment', () => `# ${'x'.repeat(60 * MIB)}\n`, { codes: [0] }),
  one('comments and empty lines at each entry', () => times(ENTRIES, (at) => `k${at}: 1 # x\n\n# y\n`)),
  one('one long key', () => `${'k'.repeat(60 * MIB)}: 1\n`),
  one('one long text', () => `k: ${'v '.repeat(20 * MIB)}\n`),
  one('one long block text', () => `k: |\n${filled('  line of a text\n')}`),
  one('indentation that grows', () => times(3000, (at) => `${' '.repeat(at)}k:\n`)),
  one('keys in brackets', () => times(100_000, (at) => `? [a, ${at}]\n: b\n`)),
  one('entries without a value', () => times(ENTRIES, (at) => `k${at}:\n`)),
  one('control characters', () => filled('\u0001', 8 * MIB)),
  one('characters that reorder', () => filled('\u202e', 8 * MIB)),
  one('long numbers', () => times(2000, (at) => `k${at}: ${'9'.repeat(20_000)}\n`)),
  one('long hexadecimal numbers', () => times(600, (at) => `k${at}: 0x${'f'.repeat(60_000)}\n`)),
  one('long ids of keys', () => `api_keys:\n${times(1022, (at) => `  k${at}: { id: 0x${'f'.repeat(65_530)} }\n`)}`),
  one('something like keys of the service', () => filled('napi_0123456789abcdef ', 30 * MIB)),
  one('nearly something like them', () => filled('bearer napi_ Bearer a-----BEGIN ', 30 * MIB)),
  one('nearly old keys', () => filled(`${'a'.repeat(63)}-`, 30 * MIB)),
  one('one file beyond the bound', () => 'x'.repeat(65 * MIB), { says: 'bytes' }),
];

/** Aliases, merges and references that expand. */
const EXPANSION: readonly Hostile[] = [
  one(
    'a billion laughs',
    () =>
      `a: &a [x,x,x,x,x,x,x,x,x]\n${times(9, (at) => `${'bcdefghij'[at]}: &${'bcdefghij'[at]} [${times(9, () => `*${'abcdefghi'[at]}`, ',')}]\n`)}`,
  ),
  one(
    'merges of merges',
    () =>
      `m0: &m0 { ${times(60, (at) => `k${at}: 1`, ', ')} }\n${times(2000, (at) => `m${at + 1}: &m${at + 1} { <<: [${times(40, () => `*m${at}`, ', ')}], x${at}: 1 }\n`)}`,
  ),
  one(
    'aliases of one wide mapping',
    () => `a: &a { ${times(900, (at) => `k${at}: 1`, ', ')} }\n${times(60_000, (at) => `x${at}: *a\n`)}`,
  ),
  one(
    'merges of one wide mapping',
    () => `a: &a { ${times(900, (at) => `k${at}: 1`, ', ')} }\n${times(60_000, (at) => `x${at}: { <<: *a }\n`)}`,
  ),
  one(
    'a wide profile, used by all',
    () => `profiles:\n  p: { pg: 1, ${times(900, (at) => `a${at}: 1`, ', ')} }\n${many(20_000, () => 'use: p')}`,
  ),
  one(
    'wide settings, used by all',
    () =>
      `profiles:\n  p: { settings: { pg_settings: { ${times(2000, (at) => `a${at}: "1"`, ', ')} } } }\n${many(2000, () => 'use: p')}`,
  ),
  one(
    'aliases to anchors that are not there',
    () =>
      `${times(3000, (at) => `a${at}: &anchor-number-${at} 1\n`)}${times(60_000, (at) => `b${at}: *anchor-numbed-${at}\n`)}`,
  ),
  one('variables of variables', () => many(40_000, () => `name: "${'${var:x}'.repeat(50)}"`), {
    args: ['validate', '--var', `x=${'y'.repeat(1000)}`],
  }),
  one('references that nobody set', () => many(40_000, (at) => `name: "\${var:name-${at}}"`), {
    args: ['validate', ...Array.from({ length: 500 }, (_, at) => ['--var', `nane-${at}=1`]).flat()],
  }),
  one('references that are left open', () => `x: "${filled('${var:a')}"\n`),
];

/** Problems, and candidates for each. */
const PROBLEMS: readonly Hostile[] = [
  one(
    'unknown profiles',
    () =>
      `profiles:\n${times(3000, (at) => `  profile-of-team-${at}: { disabled: true }\n`)}${many(20_000, (at) => `use: profile-of-tean-${at}`)}`,
  ),
  one(
    'unknown branches',
    () =>
      `projects:\n  shop:\n    branches:\n${times(3000, (at) => `      branch-of-team-${at}: br-${at}\n`)}    computes:\n${times(30_000, (at) => `      c${at}: { branch: branch-of-tean-${at} }\n`)}`,
  ),
  one('unknown keys of computes', () => many(COMPUTES, () => 'autoscaling_limit_max_cux: 1')),
  one('unknown keys at the top', () => times(ENTRIES, (at) => `projectz${at}: 1\n`)),
  one('unknown attributes of holds', () =>
    many(
      30_000,
      (at) => `lifecycle: { hold: [{ path: autoscaling_limit_max_c${at}, value: 1, until: 2030-01-01, reason: x }] }`,
    ),
  ),
  one('unknown attributes to ignore', () => many(30_000, (at) => `lifecycle: { ignore: [pooler_mod${at}, disablet] }`)),
  one('wrong values', () => many(COMPUTES, () => 'disabled: maybe')),
  one('wrong times', () => many(50_000, (at) => `restart: { not_before: "2026-13-${at}" }`)),
  one('wrong labels', () => `projects:\n${times(ENTRIES, (at) => `  "x y ${at}": {}\n`)}`),
  one('odd time zones', () => `safety:\n  windows:\n${times(100, () => '    - "Sun 02:00-04:00 eUROPE/bERLIN"\n')}`),
  one(
    'windows of many words',
    () => `safety:\n  windows:\n${times(100, () => `    - "${'Sun '.repeat(16_000)}02:00-04:00"\n`)}`,
  ),
  one('ids claimed twice', () => many(COMPUTES, () => 'id: ep-same')),
  one('names that look alike', () =>
    computes(
      times(COMPUTES, (at) => `      ${at % 2 === 0 ? 'A' : 'a'}${at >> 1}: { branch: main, type: read_only }\n`),
    ),
  ),
  one('projects that are one', () => `projects:\n${times(80_000, (at) => `  p${at}: { name: same }\n`)}`),
  one('two primaries of one branch', () => computes(times(COMPUTES, (at) => `      c${at}: { branch: main }\n`))),
  one('sinks that are one', () => `api_keys:\n${times(10_000, (at) => `  k${at}: { secret: { file: same.json } }\n`)}`),
  one(
    'patterns of many stars',
    () => `safety: { protect: ["${'*a'.repeat(30_000)}b"] }\n${many(5000, (at) => `name: "${'a'.repeat(60)}${at}"`)}`,
    { codes: [0, 1] },
  ),
];

/** Within all bounds for one file, but not for the run. */
const FILES: readonly Hostile[] = [
  {
    name: 'six files of 240,000 entries',
    files: () =>
      Object.fromEntries(
        Array.from({ length: 6 }, (_, at) => [
          `f${at}.yaml`,
          `version: 1\nprofiles:\n  p${at}: { settings: { pg_settings: { ${times(ENTRIES, (n) => `a${at}x${n}: "1"`, ', ')} } } }\n`,
        ]),
      ),
    args: ['validate', '-f', '.'],
    says: 'too_many_entries',
  },
  {
    name: 'forty plain files of 6,000 computes',
    files: () =>
      Object.fromEntries(
        Array.from({ length: 40 }, (_, at) => [
          `f${at}.yaml`,
          `version: 1\n${many(6000, () => 'disabled: false').replaceAll('  shop:', `  shop${at}:`)}`,
        ]),
      ),
    args: ['validate', '-f', '.'],
    says: 'too_many_entries',
  },
  {
    name: 'five files of 20 MiB',
    files: () =>
      Object.fromEntries(
        Array.from({ length: 5 }, (_, at) => [`f${at}.yaml`, `version: 1\n${filled('# x\n', 20 * MIB)}`]),
      ),
    args: ['validate', '-f', '.'],
    says: 'files_too_large',
  },
  {
    name: 'files that write the same',
    files: () =>
      Object.fromEntries(
        Array.from({ length: 20 }, (_, at) => [`f${at}.yaml`, HEAD + many(2500, () => 'disabled: true')]),
      ),
    args: ['validate', '-f', '.'],
    says: 'written_twice',
  },
];

/** Other texts than wishes. */
const OTHERS: readonly Hostile[] = [
  ...(
    [
      ['deep', '['.repeat(30 * MIB)],
      ['deep objects', '{"a":'.repeat(8 * MIB)],
      ['closed and deep', `${'['.repeat(3 * MIB)}${']'.repeat(3 * MIB)}`],
      ['a long number', '9'.repeat(30 * MIB)],
      ['long numbers', `{"a": [${times(400_000, () => '12345678901234567890', ',')}]}`],
      ['many names', `{${times(1_000_000, (at) => `"n${at}": ${at}`, ',')}}`],
      ['one name', `{${times(1_000_000, () => '"a": 1', ',')}}`],
      ['escapes', `{"a": "${'\\u0041'.repeat(5 * MIB)}"}`],
    ] as const
  ).flatMap(([what, text]): Hostile[] => [
    {
      name: `variables: ${what}`,
      files: () => ({ 'trueup.yaml': HEAD, 'v.json': text }),
      args: ['validate', '--var-file', 'v.json'],
      codes: [0, 1],
    },
    { name: `a plan: ${what}`, files: () => ({ 'p.json': text }), args: ['show', 'p.json'] },
    { name: `a plan to apply: ${what}`, files: () => ({ 'p.json': text }), args: ['apply', 'p.json', '--local'] },
  ]),
  ...(
    [
      ['not its own', 'x'.repeat(60 * MIB)],
      ['empty lines', '\n'.repeat(30 * MIB)],
      ['deep lines', `${'['.repeat(MIB)}\n`.repeat(8)],
      [
        'lines of runs',
        times(
          60_000,
          (at) => `{"type":"run","run":"r${at}","seq":1,"atMs":1,"owner":{"pid":1,"host":"a","started":"b"}}\n`,
        ),
      ],
      [
        'lines of intents',
        times(
          40_000,
          (at) =>
            `{"type":"intent","run":"r","seq":${at},"atMs":1,"step":"s${at}","kind":"api_key","address":"api_keys/a","verb":"POST","path":"/api_keys","pool":null,"known":[],"secret":true}\n`,
        ),
      ],
    ] as const
  ).map(([what, text]): Hostile => ({
    name: `the journal: ${what}`,
    files: () => ({ 'trueup.yaml': HEAD, [`${KEPT}journal`]: text }),
    args: ['plan', '--local'],
    codes: [0, 1, 3],
  })),
  {
    name: 'limits',
    files: () => ({ 'trueup.yaml': HEAD, 's.yaml': `protect: ${filled('[')}` }),
    args: ['validate', '--safety', 's.yaml'],
  },
];

/** What is large but allowed, planned. */
const PLAN: Partial<Hostile> = { args: ['plan', '--local', '--no-history'], codes: [0, 1, 3, 5] };
const replicas = (count: number, label: (at: number) => string): string =>
  computes(times(count, (at) => `      ${label(at)}: { branch: main, type: read_only }\n`));
const PLANS: readonly Hostile[] = [
  one(
    'a plan under many protections',
    () =>
      `safety:\n  protect:\n${times(1000, (at) => `    - "*/*x*y*z${at}"\n`)}${replicas(30_000, (at) => `xxxyyyzzz${at}x`)}`,
    PLAN,
  ),
  one(
    'a plan under patterns of many stars',
    () =>
      `safety: { protect: [${times(500, (at) => `"*/${'*a'.repeat(90)}${at}"`, ', ')}] }\n${replicas(2000, (at) => `${'a'.repeat(50)}${at}`)}`,
    PLAN,
  ),
  one(
    'a plan of many moves',
    () => computes(times(40_000, (at) => `      c${at}: { branch_id: br-a${at}, moved_from: br-a${at + 1} }\n`)),
    PLAN,
  ),
];

const branches = (entries: string, head = ''): string => `projects:\n  shop:\n    branches:\n${head}${entries}`;

/** A shop with one branch of that name. */
const rootedIn = (name: string): World => ({
  version: 1,
  projects: [{ id: 'shop-000001', name: 'shop', branches: [{ id: 'br-a', name, default: true }] }],
});

const PLAN_OF_BRANCHES = ['plan', '--no-history', '-q', '--format', 'markdown'];

/** Trees of branches: parents are followed, and what lies on them is ordered before their copies. */
const TREES: readonly Hostile[] = [
  one('as many branches as may be', () => branches(times(BRANCHES, (at) => `      b${at}: {}\n`)), { codes: [0] }),
  one(
    'a chain of branches',
    () =>
      branches(
        times(BRANCHES - 1, (at) => `      b${at + 1}: { from: b${at} }\n`),
        '      b0: {}\n',
      ),
    { codes: [0] },
  ),
  one(
    'a ring of branches',
    () => branches(times(BRANCHES, (at) => `      b${at}: { from: b${(at + 1) % BRANCHES} }\n`)),
    { says: 'parent_ring' },
  ),
  one('parents that nobody knows', () => branches(times(BRANCHES, (at) => `      b${at}: { from: zz${at} }\n`))),
  one(
    'a plan of many branches with roles and databases',
    () =>
      branches(
        times(4000, (at) => `      b${at}: { from: main, roles: { r: {} }, databases: { d: { owner: r } } }\n`),
        '      main: {}\n',
      ),
    { args: PLAN_OF_BRANCHES, codes: [0], world: rootedIn('main') },
  ),
  one(
    'a plan of a long chain of branches that have no former name',
    () =>
      branches(
        times(8000, (at) => `      b${at + 1}: { from: b${at}, renamed_from: b${at + 2} }\n`),
        '      b0: {}\n',
      ),
    { args: PLAN_OF_BRANCHES, codes: [0], world: rootedIn('b0') },
  ),
  one(
    'a plan of many pairs of branches that change their names, where none has them',
    () =>
      branches(
        times(4999, (at) => `      p${at}: { renamed_from: q${at} }\n      q${at}: { renamed_from: p${at} }\n`),
        '      main: {}\n',
      ),
    { args: PLAN_OF_BRANCHES, says: 'reference_ring', world: rootedIn('main') },
  ),
  one(
    'a plan of a long chain of protected branches with roles',
    () =>
      branches(
        times(8000, (at) => `      b${at + 1}: { from: b${at}, protected: true, roles: { r${at}: {} } }\n`),
        '      b0: {}\n',
      ),
    { args: PLAN_OF_BRANCHES, codes: [0], world: rootedIn('main') },
  ),
];

/** One replica is live on the branch that a file declares so many of. */
const ALIKE: World = {
  version: 1,
  projects: [
    {
      id: 'shop-000001',
      name: 'shop',
      branches: [{ id: 'br-a', name: 'main', default: true }],
      computes: [
        { id: 'ep-a-main', branch: 'main' },
        { id: 'ep-a-one', branch: 'main', type: 'read_only' },
      ],
    },
  ],
};
const ALIKES: readonly Hostile[] = [9000, 20_000, 38_000].map((count) =>
  one(
    `a plan of ${count} replicas, one live`,
    () => many(count, (at) => `autoscaling_limit_max_cu: 2, suspend_timeout_seconds: ${60 + at}`),
    { args: PLAN_OF_BRANCHES, codes: [0], world: ALIKE },
  ),
);

export const HOSTILE: readonly Hostile[] = [SYNTAX, EXPANSION, PROBLEMS, FILES, OTHERS, PLANS, TREES, ALIKES].flat();
