// Preview sets in files: the list of keys, resets by key, and the mistakes that show without the API.
import { describe, expect, it } from 'vitest';
import { memberOf, type MemberSet } from '../../../src/model/desired.ts';
import { brief, load, loadText, type Given } from '../../support/files.ts';

const SET: Readonly<Record<string, string>> = {
  each: '${var:PRS}',
  name: '"preview/pr-{key}"',
  from: 'staging',
  ttl: '7d',
  max: '3',
  gone: 'delete',
  computes: '{ primary: { autoscaling_limit_max_cu: 1 } }',
  connections: '{ app: { role: app, database: orders, secret: { exec: "preview-{key}" } } }',
};

/** A file with this set, each key on a line of its own from line 8. */
function fileWith(over: Readonly<Record<string, string | null>>, more = ''): string {
  const lines = Object.entries({ ...SET, ...over }).flatMap(([key, value]) =>
    value === null ? [] : [`        ${key}: ${value}`],
  );
  return `version: 1
projects:
  shop:
    use: prod
    branches: { staging: br-calm-sea-220011, qa: { from: staging${more} } }
    previews:
      pr:
${lines.join('\n')}
profiles: { prod: { suspend_timeout_seconds: 60 } }
`;
}

const listed = (text: string): Given => ({ env: { PRS: text } });

async function setIn(file: string, given: Given): Promise<MemberSet> {
  const { desired, diagnostics } = await loadText(file, given);
  expect(diagnostics).toEqual([]);
  return desired?.projects[0]?.sets?.[0] as MemberSet;
}

describe('the list of keys', () => {
  const cases: readonly (readonly [string, Given, readonly string[]])[] = [
    ['a JSON list in the environment', listed('[124, 123, "x"]'), ['123', '124', 'x']],
    ['a JSON list in a flag', { variables: { PRS: ' [123] ' } }, ['123']],
    ['a list in a variable file', fileOf('[123, "a.b"]'), ['123', 'a.b']],
    ['an output of Terraform', fileOf('{ "sensitive": false, "type": ["list", "string"], "value": ["7"] }'), ['7']],
    ['an empty list', listed('[]'), []],
    ['a key twice', listed('[123, "123"]'), ['123']],
  ];
  it.each(cases)('may be %s', async (_, given, keys) => {
    expect((await setIn(fileWith({}), given)).keys).toEqual(keys);
  });

  it('may be written in the file', async () => {
    expect((await setIn(fileWith({ each: '[a, 12]' }), {})).keys).toEqual(['12', 'a']);
  });

  const mistakes: readonly (readonly [string, string, Given, string])[] = [
    ['text', '${var:PRS}', listed('123,124'), 'wrong_type 8:15'],
    ['an empty text', '${var:PRS}', listed(''), 'null_variable 8:15'],
    ['the output of a script that failed', '${var:PRS}', listed('[123,'), 'wrong_type 8:15'],
    ['an object', '${var:PRS}', fileOf('{ "a": 1 }'), 'variable_not_scalar 8:15'],
    ['a list in quotes', '"${var:PRS}"', listed('[1]'), 'wrong_type 8:15'],
    ['a list of lists', '${var:PRS}', listed('[[1]]'), 'wrong_type 8:15'],
    ['a list with null', '${var:PRS}', listed('[null]'), 'wrong_type 8:15'],
    ['a key with a slash', '${var:PRS}', listed('["a/b"]'), 'bad_key 8:15'],
    ['a key of dots', '[".."]', {}, 'bad_key 8:16'],
    ['a fraction', '[1.5]', {}, 'wrong_type 8:16'],
    ['more keys than max', '[1, 2, 3, 4]', {}, 'too_many_keys 8:15'],
    ['not set', '${var:PRS}', {}, 'variable_unset 8:15'],
  ];
  it.each(mistakes)('must not be %s', async (_, each, given, problem) => {
    expect(brief(await loadText(fileWith({ each }), given))).toEqual([problem]);
  });

  it('is for lists alone: elsewhere a JSON list in a variable is a text', async () => {
    const file = fileWith({ each: '[1]' }, ', name: "${var:PRS}"').replace('"${var:PRS}"', '${var:PRS}');
    const { desired } = await loadText(file, listed('[123]'));
    expect(desired?.resources.find(({ name }) => name === 'qa')?.spec['name']).toBe('[123]');
  });
});

function fileOf(value: string): Given {
  return { files: { 'vars.json': `{ "PRS": ${value} }` }, variableFiles: ['vars.json'] };
}

describe('resets by key', () => {
  const times = (text: string): Given => ({ env: { PRS: '[123, 124]', PUSHED: text } });
  const file = (over: Readonly<Record<string, string | null>> = {}): string =>
    fileWith({ reset_on: '${var:PUSHED}', ...over });

  it('come from a map in a variable; other keys have none', async () => {
    const set = await setIn(file(), times('{"123": "2026-11-20T10:00:00+01:00", "999": "2026-11-20"}'));
    expect(set.own).toEqual({ 123: { reset: '2026-11-20T09:00:00.000Z' } });
    expect(memberOf(set, '123')[0]?.spec).toMatchObject({ name: 'preview/pr-123', reset: '2026-11-20T09:00:00.000Z' });
    expect(memberOf(set, '124')[0]?.spec).not.toHaveProperty('reset');
    expect((await setIn(file({ reset_on: '{ 124: 2026-11-20 }' }), times('{}'))).own).toEqual({
      124: { reset: '2026-11-20T00:00:00.000Z' },
    });
    expect((await setIn(file(), times('{}'))).own).toBeUndefined();
    expect((await setIn(file({ reset_on: '${var:NONE:-{}}' }), times(''))).own).toBeUndefined();
    expect((await setIn(file({ reset_on: '${var:NONE:-{"124":"2026-11-20"}}' }), times(''))).own).toEqual({
      124: { reset: '2026-11-20T00:00:00.000Z' },
    });
  });

  it.each([
    ['text', '123=now', {}, 'wrong_type 16:19'],
    ['a list', '[1]', {}, 'wrong_type 16:19'],
    ['the output of a script that failed', '{"123":', {}, 'wrong_type 16:19'],
    ['a time that does not exist', '{"123": "2026-02-30"}', {}, 'invalid_time 16:19'],
    ['no time', '{"123": null}', {}, 'wrong_type 16:19'],
    ['a key with a slash', '{"a/b": "2026-11-20"}', {}, 'bad_label 16:19'],
    ['resets of a set without a parent', '{"123": "2026-11-20"}', { from: null }, 'reset_refused 15:19'],
  ] as const)('must not be %s', async (_, text, over, problem) => {
    expect(brief(await loadText(file(over), times(text)))).toEqual([problem]);
  });
});

describe('a mistake in a set', () => {
  const mistakes: readonly (readonly [string, Readonly<Record<string, string | null>>, readonly string[]])[] = [
    ['no TTL', { ttl: null }, ['missing_key 7:7']],
    ['no bound', { max: null }, ['missing_key 7:7']],
    ['a name without a key', { name: 'preview' }, ['wrong_value 9:15']],
    ['an unknown parent', { from: 'stagin' }, ['unknown_branch 10:15']],
    ['a TTL of more than 30 days', { ttl: '31d' }, ['wrong_value 11:14']],
    ['`closed` beside previews that are not deleted', { gone: 'keep', closed: '[1]' }, ['contradiction 16:17']],
    [
      'one sink for all members',
      { connections: '{ app: { role: app, database: orders, secret: { exec: vault } } }' },
      ['shared_sink 15:60'],
    ],
    ['a branch of the same name', { name: '"q{key}"', each: '[a]' }, ['duplicate_name 9:15']],
    ['protection', { protected: 'true' }, ['refused_key 16:9']],
    ['the branch of a compute', { computes: '{ primary: { branch: staging } }' }, ['refused_key 14:32']],
  ];
  it.each(mistakes)('%s is reported once, whatever the number of keys', async (_, over, problems) => {
    for (const keys of ['[1, 2, 3]', '[]']) {
      const each = over['each'] ?? keys;
      expect(brief(await load({ files: { 'trueup.yaml': fileWith({ each, ...over }) } }))).toEqual(problems);
    }
  });

  it('names the key as the file does', async () => {
    const { diagnostics } = await loadText(fileWith({ each: '[1]', from: 'stagin' }));
    expect(diagnostics[0]).toMatchObject({ address: 'shop/previews/pr/{key}' });
  });

  it('is `{key}` in the sink of a resource outside sets', async () => {
    const file = fileWith({ each: '[1]' }, ', connections: { c: { role: a, database: b, secret: { exec: "{key}" } } }');
    expect(brief(await loadText(file))).toEqual(['bad_sink 5:125']);
  });
});
