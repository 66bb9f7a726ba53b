// Retention rules in files: what they mean, and the mistakes that show without the API.
import { describe, expect, it } from 'vitest';
import { brief, loadText } from '../../support/files.ts';

/** A file with this rule, each key on a line of its own from line 6. */
function fileWith(over: Readonly<Record<string, string | null>>): string {
  const keys = { match: '["preview/*"]', older_than: '7d', max: '20', ...over };
  const lines = Object.entries(keys).flatMap(([key, value]) => (value === null ? [] : [`        ${key}: ${value}`]));
  return `version: 1\nprojects:\n  shop:\n    retention:\n      old:\n${lines.join('\n')}\n`;
}

describe('a retention rule', () => {
  it('has its idle time from its age, and knows where its names come from', async () => {
    const OPEN = '["preview/a","preview/a"]';
    for (const [over, expected] of [
      [{}, { idleForMs: 604_800_000, keep: [], isKeepGiven: false }],
      [
        { idle_for: '24h', keep: '[preview/a]' },
        { idleForMs: 86_400_000, keep: ['preview/a'], isKeepGiven: false },
      ],
      [{ keep: '${var:OPEN}' }, { keep: ['preview/a'], isKeepGiven: true }],
      [{ keep: '${var:NONE:-[]}' }, { keep: [], isKeepGiven: true }],
      [{ keep: '[preview/b, "preview/${var:ONE}"]' }, { keep: ['preview/a', 'preview/b'], isKeepGiven: true }],
    ] as const) {
      const { desired, diagnostics } = await loadText(fileWith(over), { env: { OPEN, ONE: 'a' } });
      expect(diagnostics).toEqual([]);
      expect(desired?.projects[0]?.retention).toMatchObject([
        { name: 'old', match: ['preview/*'], max: 20, ...expected },
      ]);
      expect(desired?.resources).toEqual([]);
    }
  });

  const mistakes: readonly (readonly [string, Readonly<Record<string, string | null>>, string])[] = [
    ['no pattern', { match: '[]' }, 'wrong_length 6:16'],
    ['a pattern of every name', { match: '["*"]' }, 'wrong_value 6:17'],
    ['a pattern with two literal characters', { match: '["pr*"]' }, 'wrong_value 6:17'],
    ['an age of less than a day', { older_than: '23h' }, 'bad_duration 7:21'],
    ['no age', { older_than: null }, 'missing_key 5:7'],
    ['an idle time of less than an hour', { idle_for: '59m' }, 'bad_duration 9:19'],
    ['no bound', { max: null }, 'missing_key 5:7'],
    ['a bound of none', { max: '0' }, 'out_of_range 8:14'],
    ['names in a text', { keep: 'preview/a' }, 'wrong_type 9:15'],
    ['a variable that is no list', { keep: '${var:TEXT}' }, 'wrong_type 9:15'],
    ['a variable that is not set', { keep: '${var:NONE}' }, 'variable_unset 9:15'],
    ['another key', { gone: 'delete' }, 'unknown_key 9:9'],
  ];
  it.each(mistakes)('must not have %s', async (_, over, problem) => {
    expect(brief(await loadText(fileWith(over), { variables: { TEXT: 'a' } }))).toEqual([problem]);
  });
});
