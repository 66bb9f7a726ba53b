// `trueup explain`: every key of the schema is found and has words, and the rules that it tells are those that plans follow.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { explain } from '../../src/cli/authoring/explanation.ts';
import { main } from '../../src/cli/main.ts';
import { placesOf } from '../../src/cli/authoring/schema-places.ts';
import { kinds } from '../../src/kinds/index.ts';
import { fakeIo, testClock } from '../support/fake-io.ts';

const schema = readFileSync(new URL('../../schemas/desired-state.schema.json', import.meta.url), 'utf8');
const places = placesOf(schema);

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
  const managed = kinds.flatMap(({ section, rules }) =>
    section.attributes
      .filter(
        (attribute) =>
          explain(places, `create.${attribute}`).length === 0 && `${section.section}.${attribute}` !== 'projects.name',
      )
      .map((attribute) => [`${section.section}.NAME.${written(attribute)}`, attribute, rules] as const),
  );
  it.each(managed)('%s comes with the rule that plans follow', (path, attribute, rules) => {
    const found = explain(places, path);
    expect(found).toHaveLength(1);
    expect(found[0]?.change).toMatchObject(rules.attribute(attribute));
  });
});

describe('words', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    [
      'autoscaling_limit_min_cu',
      ['is made in place and restarts it', 'drops existing connections', 'the connection limit changes'],
    ],
    ['suspend_timeout_seconds', ['a change    is made in place\n', 'default     0', '-1 never']],
    ['branch', ['moves the resource to another place; its id and host stay']],
    ['type', ['deletes the resource and makes a new one', 'permanent: cannot be undone']],
    ['region_id', ['is not possible: a difference is an error']],
    ['settings.pg_settings.work_mem', ['projects.PROJECT.computes.NAME.settings.pg_settings.NAME', 'restarts it']],
    ['rotate.every', ['api_keys.NAME.rotate.every', 'apply --due']],
    ['branches.NAME.ttl', ['a change    is made in place', 'data goes, and can be recovered for a while']],
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

  it('for what is not in the file', async () => {
    for (const [word, expected] of [
      ['host', 'can only be read'],
      ['typ', 'Did you mean type?'],
      ['primary.nothing', 'lists them all'],
    ] as const) {
      const { code, text } = await say(word);
      expect(code).toBe(1);
      expect(text).toContain(expected);
    }
  });

  it('for everything, and as JSON', async () => {
    expect((await say()).text).toContain('safety.max_deletes\n');
    const [one] = JSON.parse((await say('disabled', '--format', 'json')).text) as object[];
    expect(one).toMatchObject({
      change: { on_change: 'update', restarts: false, impact: ['drops_connections', 'refuses_connections'] },
    });
  });
});
