// From files to the desired state: merging, profiles, variables, limits, places.
import { describe, expect, it } from 'vitest';
import { brief, load, loadText, type Given } from '../../support/files.ts';

const project = (computes: string, more = ''): string =>
  `version: 1\nprojects:\n  shop:\n    branches: { main: br-a-1, dev: br-b-2 }\n${more}    computes:\n${computes}`;

async function specs(given: Given): Promise<Record<string, unknown>> {
  const { desired, diagnostics } = await load(given);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return Object.fromEntries((desired?.resources ?? []).map(({ address, spec }) => [address, spec]));
}

const specOf = async (text: string, given: Given = {}): Promise<unknown> =>
  Object.values(await specs({ ...given, paths: ['trueup.yaml'], files: { ...given.files, 'trueup.yaml': text } }))[0];

const place = { branch_id: 'br-a-1', type: 'read_write' };
const attributes: readonly (readonly [string, string, object])[] = [
  ['a label stands for its branch', 'branch: main', place],
  ['a branch id needs no label', 'branch: br-x-9', { ...place, branch_id: 'br-x-9' }],
  ['a duration in seconds', 'branch: main\nsuspend_timeout_seconds: 5m', { ...place, suspend_timeout_seconds: 300 }],
  ['-1 is never', 'branch: main\nsuspend_timeout_seconds: -1', { ...place, suspend_timeout_seconds: -1 }],
  [
    'parameters are text',
    'branch: main\nsettings: { pg_settings: { a: 1, b: true, c: 1.50, d: x, e: 9007199254740993 } }',
    { ...place, settings: { pg_settings: { a: '1', b: 'true', c: '1.5', d: 'x', e: '9007199254740993' } } },
  ],
  [
    'null is not managed',
    'branch: main\ndisabled: null\nsettings: { pg_settings: { a: null, b: x } }',
    { ...place, settings: { pg_settings: { b: 'x' } } },
  ],
  ['a pin alone says nothing of place and type', 'id: ep-a-1\ndisabled: false', { disabled: false }],
  ['what shall be absent is only identified', 'branch: main\nstate: absent\ndisabled: true', place],
];

it.each(attributes)('what a file means: %s', async (_name, lines, expected) => {
  const body = lines
    .split('\n')
    .map((line) => `        ${line}\n`)
    .join('');
  expect(await specOf(project(`      p:\n${body}`))).toEqual(expected);
});

describe('profiles', () => {
  const profiles =
    'profiles:\n  far: { disabled: true, pooler_enabled: true, settings: { pg_settings: { a: far, b: far } } }\n' +
    '  near: { disabled: false, settings: { pg_settings: { b: near, c: near } } }\n';
  const text = (own: string, use = 'far'): string =>
    `${project(`      p: { branch: main, ${own} }\n`, `    use: ${use}\n`)}${profiles}`;
  const parameters = async (own: string, use?: string): Promise<unknown> => specOf(text(own, use));

  it('the nearest value wins, parameter by parameter', async () => {
    expect(await parameters('use: near, settings: { pg_settings: { c: own } }')).toMatchObject({
      disabled: false,
      pooler_enabled: true,
      settings: { pg_settings: { a: 'far', b: 'near', c: 'own' } },
    });
  });

  it('null takes an attribute out of management', async () => {
    expect(await parameters('disabled: null, settings: { pg_settings: { a: null } }')).toEqual({
      branch_id: 'br-a-1',
      type: 'read_write',
      pooler_enabled: true,
      settings: { pg_settings: { b: 'far' } },
    });
  });

  it.each([
    ['shop/**', true],
    ['**/databases/x', true],
    ['My%20Shop/roles/*', true],
    ['Käse', true],
    ['{a,b}/**', false],
    ['!shop/**', false],
    ['sho[p]/*', false],
    ['100%/*', false],
    ['shop/branches/{a,b}', false],
    ['shop/branches/50%', false],
    ['shop/branches/a%20b', true],
    ['a%2fb/*', false],
    ['a\u200db', false],
    ['a b', false],
  ])('protects by %s, or refuses what can mean nothing', async (glob, isGood) => {
    const { diagnostics } = await loadText(`version: 1\nsafety: { protect: [${JSON.stringify(glob)}] }\n`);
    expect(diagnostics.map(({ code }) => code)).toEqual(isGood ? [] : ['wrong_value']);
  });

  it.each([
    ['as high as that of the files', 2, []],
    ['higher', 3, ['overlay_loosens']],
  ])('a limit in an overlay is compared with that of the same scope: %s', async (_, most, codes) => {
    const text = 'version: 1\nsafety: { max_deletes: 2 }\nprojects: { shop: { safety: { max_deletes: 1 } } }\n';
    const files = { 'over.yaml': `version: 1\nsafety: { max_deletes: ${most} }\n` };
    const { diagnostics } = await loadText(text, { overlays: ['over.yaml'], files });
    expect(diagnostics.map(({ code }) => code)).toEqual(codes);
  });

  it.each([
    ['default', 'default: null'],
    ['protected', 'protected: null'],
    ['owner', 'databases: { shop: { owner: null } }'],
    ['no_login', 'roles: { web: { no_login: null } }'],
  ])('null in an overlay takes the %s of a branch, or of what is in it, out of management', async (attribute, over) => {
    const branchWith = (written: string): string =>
      `version: 1\nprojects: { p: { id: p-1, branches: { main: { ${written} } } } }\n`;
    const all =
      'default: true, protected: true, roles: { web: { no_login: false } }, databases: { shop: { owner: web } }';
    const managedWith = async (overlays: readonly string[]): Promise<readonly string[] | undefined> => {
      const files = { 'over.yaml': branchWith(over) };
      const { desired, diagnostics } = await loadText(branchWith(all), { overlays, files });
      expect(diagnostics).toEqual([]);
      return desired?.resources.flatMap(({ spec }) => Object.keys(spec));
    };
    expect(await managedWith([])).toContain(attribute);
    expect(await managedWith(['over.yaml'])).not.toContain(attribute);
  });

  it('a profile for each type', async () => {
    const READER = 'type: read_only';
    expect(await parameters(READER, '{ read_write: far, read_only: near }')).toMatchObject({ disabled: false });
    expect(await parameters(READER, '{ read_write: far }')).toEqual({ branch_id: 'br-a-1', type: 'read_only' });
  });
});

it('a hold takes every live value, also one that the file may not write', async () => {
  const hold = '{ path: default, value: false, until: 2026-12-01, reason: INC-1 }';
  const branch = `{ default: true, lifecycle: { hold: [${hold}] } }`;
  const { desired, diagnostics } = await loadText(
    `version: 1\nprojects: { shop: { branches: { next: ${branch} } } }\n`,
  );
  expect(diagnostics).toEqual([]);
  expect(desired?.resources[0]?.lifecycle.hold).toMatchObject([{ path: 'default', value: false }]);
});

describe('several files', () => {
  it('expectations may repeat, not differ; limits accumulate', async () => {
    const block = (id: string): string =>
      `version: 1\nexpect: { has_project: ${id} }\nsafety: { max_deletes: 1 }\nprojects: { shop: { safety: { max_restarts: 2 } } }\n`;
    const same = await load({ files: { 'a.yaml': block('x-1'), 'b.yaml': block('x-1') } });
    expect(same.diagnostics).toEqual([]);
    expect(
      same.desired?.safety.map(({ project, maxDeletes, maxRestarts }) => [project, maxDeletes, maxRestarts]),
    ).toEqual([
      [null, 1, null],
      [null, 1, null],
      ['shop', null, 2],
      ['shop', null, 2],
    ]);
    expect(brief(await load({ files: { 'a.yaml': block('x-1'), 'b.yaml': block('x-2') } }))).toEqual([
      'expect_differs b.yaml:2:24',
    ]);
  });

  const inShop = (section: string): string => `projects: { shop: { ${section} } }`;
  const halves: readonly (readonly [string, string, string])[] = [
    ['previews: { r: { each: [1], name: "p-{key}", ttl: 7d } }', 'previews: { r: { max: 3 } }', 'previews'],
    ['retention: { r: { match: ["preview/*"], older_than: 7d } }', 'retention: { r: { max: 3 } }', 'retention'],
    ['branches: { b: { from: { branch: br-a-1 } } }', 'branches: { b: { from: { lsn: 0/1 } } }', 'from'],
    ['branches: { b: { from: br-a-1, reset: {} } }', 'branches: { b: { reset: { not_before: 2026-11-20 } } }', 'reset'],
    [
      'org_api_keys: { r: { org: org-a, secret: { file: k.json } } }',
      'org_api_keys: { r: { rotate: { every: 30d } } }',
      'org_api_keys',
    ],
  ];
  it.each(halves)('%s and %s are judged together', async (first, second) => {
    const [a = '', b = ''] = [first, second].map((half) => (half.startsWith('org_') ? half : inShop(half)));
    const files = { 'a.yaml': `version: 1\n${a}\n`, 'b.yaml': `version: 1\n${b}\n` };
    for (const [below, over] of [
      ['a.yaml', 'b.yaml'],
      ['b.yaml', 'a.yaml'],
    ] as const) {
      expect(brief(await load({ paths: [below, over], files }))).toEqual([]);
      expect(brief(await load({ paths: [below], overlays: [over], files }))).toEqual([]);
    }
  });

  it('a key that all files lack is missing once, where the entry is first written', async () => {
    const rule = (text: string): string => `version: 1\n${inShop(`retention: { r: ${text} }`)}\n`;
    const files = { 'a.yaml': rule('{ older_than: 7d }'), 'b.yaml': rule('{ max: 3 }'), 'c.yaml': rule('{ max: x }') };
    const MISSING = 'missing_key a.yaml:2:34';
    expect(brief(await load({ paths: ['a.yaml', 'b.yaml'], files }))).toEqual([MISSING]);
    expect(brief(await load({ paths: ['a.yaml'], overlays: ['b.yaml'], files }))).toEqual([MISSING]);
    const refused = await load({ paths: ['a.yaml', 'c.yaml'], files });
    expect(brief(refused)).toEqual([MISSING, 'wrong_type c.yaml:2:44']);
    expect(refused.diagnostics[0]?.message).toContain('match');
  });

  it('an overlay replaces a list, so each of its items is whole', async () => {
    const held = (item: string): string =>
      `version: 1\n${inShop(`branches: { b: { from: br-a-1, lifecycle: { hold: [${item}] } } }`)}\n`;
    const files = {
      'a.yaml': held('{ path: name, value: x, until: 2026-12-01, reason: INC-1 }'),
      'b.yaml': held('{ path: name, value: x, until: 2026-12-01 }'),
    };
    expect(brief(await load({ paths: ['a.yaml'], overlays: ['b.yaml'], files }))).toEqual(['missing_key b.yaml:2:72']);
    expect(brief(await load({ paths: ['b.yaml'], overlays: ['a.yaml'], files }))).toEqual([]);
  });

  it('a safety file holds a block or its content', async () => {
    for (const content of ['safety: { max_deletes: 2 }\n', 'max_deletes: 2\n', 'version: 1\nmax_deletes: 2\n']) {
      const result = await loadText('version: 1\n', { files: { 's.yaml': content }, safetyFiles: ['s.yaml'] });
      expect(result.desired?.safety).toMatchObject([{ project: null, maxDeletes: 2 }]);
    }
    const wrong = await loadText('version: 1\n', { files: { 's.yaml': 'max_delete: 2\n' }, safetyFiles: ['s.yaml'] });
    expect(brief(wrong)).toEqual(['unknown_key s.yaml:1:1']);
  });
});

describe('variables', () => {
  const one = async (line: string, given: Given = {}): Promise<unknown> =>
    specOf(project(`      p:\n        branch: main\n        ${line}\n`), given);

  const cases: readonly (readonly [string, string, Record<string, string>, object])[] = [
    [
      'alone and unquoted it is read again as YAML',
      'autoscaling_limit_max_cu: ${var:X}',
      { X: '4' },
      { autoscaling_limit_max_cu: 4 },
    ],
    [
      'also within a flow mapping',
      'settings: { pg_settings: { a: ${var:X}, b: "${var:X}" } }',
      { X: '0x10' },
      { settings: { pg_settings: { a: '0x10', b: '0x10' } } },
    ],
    ['quoted it stays text', 'name: "${var:X}"', { X: '4' }, { name: '4' }],
    ['inside text it stays text', 'name: v${var:X}.${var:Y}', { X: '4', Y: 'true' }, { name: 'v4.true' }],
    ['a value is not searched again', 'name: x${var:X}', { X: '${var:Y}' }, { name: 'x${var:Y}' }],
    ['a default when empty', 'suspend_timeout_seconds: ${var:X:-5m}', { X: '' }, { suspend_timeout_seconds: 300 }],
    ['a literal', 'name: $${var:X}', {}, { name: '${var:X}' }],
  ];
  it.each(cases)('%s', async (_name, line, variables, expected) => {
    expect(await one(line, { variables })).toMatchObject(expected);
  });

  it('flags win over files, files over the environment', async () => {
    const files = {
      'v.json': '{"X":"file","Y":"file"}',
      'w.json': '{"Y":{"sensitive":false,"type":"string","value":"terraform"}}',
    };
    const given = {
      files,
      variableFiles: ['v.json', 'w.json'],
      env: { X: 'env', Y: 'env', Z: 'env' },
      variables: { X: 'flag' },
    };
    expect(await one('name: ${var:X}-${var:Y}-${var:Z}', given)).toMatchObject({ name: 'flag-terraform-env' });
  });

  const problems: readonly (readonly [string, string, string, string])[] = [
    ['unset, with the nearest name', 'name: ${var:REGIN}', '{"REGION":"x"}', 'variable_unset 8:15'],
    ['a list', 'name: ${var:X}', '{"X":[1]}', 'variable_not_scalar 8:15'],
    ['sensitive', 'name: ${var:X}', '{"X":{"sensitive":true,"type":"string","value":"x"}}', 'variable_sensitive 8:15'],
    ['a credential', 'name: ${var:X}', `{"X":"napi_${'a1'.repeat(20)}"}`, 'secret_in_file 8:15'],
    ['in a key', '"${var:X}": 1', '{"X":"name"}', 'variable_in_key 8:9'],
    ['in a key beside what is none', '"$${a} ${var:X}": 1', '{"X":"name"}', 'variable_in_key 8:9'],
    ['a broken file', 'name: x', '{', 'variable_file v.json:1:1'],
  ];
  it.each(problems)('%s is a problem', async (_name, line, file, expected) => {
    const text = project(`      p:\n        branch: main\n        ${line}\n`);
    const result = await loadText(text, { files: { 'v.json': file }, variableFiles: ['v.json'] });
    expect(brief(result)).toEqual([expected]);
    expect(JSON.stringify([...result.sources, result.diagnostics])).not.toContain('a1a1a1');
  });
});

describe('problems', () => {
  it('are all said in one run, each once', async () => {
    const text =
      'version: 1\nexpect: { base_url: ftp://x }\napi_keys: { a: { rotate: { every: 90d } } }\nprojects:\n  shop:\n    use: nope\n    computes:\n' +
      '      p: { branch: main, foo: 1, autoscaling_limit_min_cu: 4, autoscaling_limit_max_cu: 2 }\n      q: { branch: br-a-1 }\n      r: { branch: br-a-1 }\n';
    expect(brief(await loadText(text))).toEqual([
      'wrong_value 2:21',
      'missing_key 3:13',
      'unknown_profile 6:10',
      'unknown_branch 8:20',
      'unknown_key 8:26',
      'min_over_max 8:60',
      'two_primaries 10:20',
    ]);
  });

  it('a refused part does not make what depends on it look missing', async () => {
    expect(brief(await loadText(project('      p: { branch: [main] }\n')))).toEqual(['wrong_type 6:20']);
  });

  it('are bounded', async () => {
    const computes = Array.from({ length: 3000 }, (_, at) => `      c${at}: { foo: 1 }\n`).join('');
    const { diagnostics, desired } = await loadText(project(computes));
    expect(diagnostics.length).toBe(1001);
    expect(diagnostics.some(({ code }) => code === 'too_many_problems')).toBe(true);
    expect(desired).toBeNull();
  });

  it('no credential is shown, neither in texts nor in messages', async () => {
    const value = `napi_${'q7'.repeat(20)}`;
    const text = `version: 1\n# ${value}\nfoo: "napi\\u005f${'q7'.repeat(20)}"\nversion2: { ${value}: 1 }\n`;
    const result = await loadText(text);
    expect(JSON.stringify([[...result.sources], result.diagnostics])).not.toContain('q7q7');
    expect(result.sources.get('trueup.yaml')?.length).toBe(text.length);
  });

  const contradictions: readonly (readonly [string, string])[] = [
    ['branch: main, branch_id: br-a-1', 'contradiction 6:26'],
    ['branch: main, new: true, id: ep-a-1', 'contradiction 6:37'],
    ['branch: main, new: true, moved_from: dev', 'contradiction 6:37'],
    ['branch: main, state: absent, moved_from: dev', 'contradiction 6:41'],
    ['branch: main, type: read_only, moved_from: dev', 'contradiction 6:43'],
    ['branch: main, restart: { max_age: 1s }', 'bad_duration 6:46'],
    ['branch: main, restart: { not_before: 2026-02-30 }', 'invalid_time 6:49'],
  ];
  it.each(contradictions)('%s', async (entry, expected) => {
    expect(brief(await loadText(project(`      p: { ${entry} }\n`)))).toEqual([expected]);
  });

  it('a label cannot be mistaken for something else', async () => {
    expect(brief(await loadText('version: 1\nprojects: { api_keys: {} }\n'))).toEqual(['reserved_label 2:13']);
    expect(brief(await loadText(project('      ep-a-1: { branch: main }\n')))).toEqual(['reserved_label 6:7']);
    expect(brief(await loadText('version: 1\nprojects: { a: { name: x }, b: { name: x } }\n'))).toEqual([
      'duplicate_project 2:29',
    ]);
  });
});
