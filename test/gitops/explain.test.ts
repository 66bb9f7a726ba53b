// `trueup explain`: every key of the schema is found and has words, and the rules that it tells are those that plans follow.
import { picked } from '../../src/base/picked.ts';
import { attributeAt, writableOf } from '../../src/model/attributes.ts';
import { describe, expect, it } from 'vitest';
import { explain } from '../../src/cli/authoring/explanation.ts';
import { main } from '../../src/cli/main.ts';
import { filePlaces } from '../../src/cli/authoring/shipped-schema.ts';
import { kinds } from '../../src/kinds/index.ts';
import { fakeIo, testClock } from '../support/fake-io.ts';

const places = filePlaces();

async function say(...words: readonly string[]): Promise<{ readonly code: number; readonly text: string }> {
  const clock = testClock();
  const io = fakeIo({ cwd: '/', clock });
  const code = await clock.run(main(['explain', ...words], io));
  return { code, text: io.all() };
}

describe('the places of the file', () => {
  it('are all found, and each has a description', () => {
    const paths = places.map(({ path }) => path.join('.'));
    for (const path of [
      'projects.PROJECT.computes.NAME.settings.pg_settings.NAME',
      'projects.PROJECT.computes.NAME.lifecycle.hold.until',
      'api_keys.NAME.rotate.overlap',
      'safety.windows',
      'profiles.NAME.autoscaling_limit_max_cu',
    ])
      expect(paths).toContain(path);
    expect(places.filter(({ schema: { description } }) => typeof description !== 'string')).toEqual([]);
    expect(new Set(paths).size).toBe(paths.length);
  });
});

describe('a managed attribute', () => {
  // A lease stands in the file as what it is in everyday words.
  const written = (attribute: string): string => (attribute === 'ttl_seconds' ? 'ttl' : attribute);
  // What is chosen when something is created stands below `create`, and the name of a project tells which one is meant.
  const managed = kinds.flatMap((kind) =>
    writableOf(kind)
      .filter(
        (attribute) =>
          explain(places, `create.${attribute}`).length === 0 && `${kind.section}.${attribute}` !== 'projects.name',
      )
      .map((attribute) => [`${kind.section}.NAME.${written(attribute)}`, attribute, kind] as const),
  );
  it.each(managed)('%s comes with the rule that plans follow', (path, attribute, kind) => {
    const found = explain(places, path);
    expect(found).toHaveLength(1);
    expect(found[0]?.change).toMatchObject(picked(attributeAt(kind, attribute), ['change', 'restarts']));
  });
});

describe('a description', () => {
  const WAYS: Readonly<Record<string, RegExp>> = {
    restart: /restart/,
    move: /moves/,
    replace: /replaces/,
    immutable: /cannot/,
    never: /cannot|used at creation only/,
  };
  const changes = places.flatMap((place) => {
    const change = explain([place], place.path.join('.'))[0]?.change ?? null;
    if (change === null) return [];
    const { change: kind, restarts } = change;
    const way = restarts ? 'restart' : kind;
    return way === 'update' ? [] : [{ key: place.path.join('.'), way, place }];
  });
  it.each(changes)('of $key says that a change is a $way', ({ way, place }) => {
    const above = places.filter(({ path }) => path.every((word, at) => word === place.path[at]));
    expect(above.map(({ schema: { description } }) => String(description)).join('\n')).toMatch(WAYS[way] ?? /^$/);
  });
});

describe('words', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    [
      'autoscaling_limit_min_cu',
      ['with a restart', 'drops open connections', 'the connection limit changes', '(0.25 to'],
    ],
    ['suspend_timeout_seconds', ['a change    in place\n', 'default     0', '-1 never']],
    ['branch', ['moves the resource', 'id and host stay']],
    ['type', ['replaces the resource', 'at worst    cannot be undone']],
    ['region_id', ['a change    refused']],
    ['settings.pg_settings.work_mem', ['projects.PROJECT.computes.NAME.settings.pg_settings.NAME', 'with a restart']],
    ['rotate.every', ['api_keys.NAME.rotate.every', 'apply --due']],
    ['windows', ['a list, at most 100 entries, each a window']],
    ['branches.NAME.ttl', ['a change    in place', 'deletes data that can be recovered for seven days']],
    ['use', ['projects.PROJECT.use', 'projects.PROJECT.computes.NAME.use']],
  ];
  it.each(cases)('%s', async (word, expected) => {
    const { code, text } = await say(word);
    expect(code).toBe(0);
    for (const part of expected) expect(text).toContain(part);
  });

  it.each(['from.branch', 'from.at', 'from.lsn'])(
    'say of %s no change: only the making of a branch takes it',
    async (word) => {
      const { code, text } = await say(word);
      expect([code, text.includes('a change')]).toEqual([0, false]);
    },
  );

  it('for a key that is refused, and for an unknown one', async () => {
    for (const [word, expected] of [
      ['host', 'a file cannot change it'],
      ['profile', 'write `use:`'],
      ['primary.zzzzzzz', 'lists all keys'],
    ] as const) {
      const { code, text } = await say(word);
      expect(code).toBe(1);
      expect(text).toContain(expected);
    }
  });

  const near: readonly (readonly [word: string, keys: readonly string[]])[] = [
    ['typ', ['type']],
    ['min_cu', ['autoscaling_limit_min_cu']],
    ['autosuspend', ['suspend_timeout_seconds']],
    ['autoscaling', ['autoscaling_limit_min_cu', 'autoscaling_limit_max_cu']],
    ['region', ['region_id']],
    ['replicas', ['type', 'name', 'read_only']],
    ['pooler', ['pooler_enabled', 'pooler_mode', 'pgbouncer_settings', 'pooled']],
    ['allowlist', ['allowed_ips']],
    ['expiry', ['ttl', 'expires_at']],
  ];
  it.each(near)('for %s: the closest keys', async (word, keys) => {
    const { code, text } = await say(word);
    expect(code).toBe(1);
    for (const key of keys) expect(text).toContain(`    ${key}: `);
  });

  it('for everything, and as JSON', async () => {
    expect((await say()).text).toContain('safety.max_deletes\n');
    const [one] = JSON.parse((await say('disabled', '--format', 'json')).text) as object[];
    expect(one).toMatchObject({
      change: { on_change: 'update', restarts: false, impact: ['drops_connections', 'refuses_connections'] },
    });
  });
});
