// Small grammars of the files: windows, plain scalars.
import { describe, expect, it } from 'vitest';
import { coreScalar } from '../../../src/config/yaml/yaml-package.ts';
import { looksSecret } from '../../../src/config/yaml/show.ts';
import { parseWindow } from '../../../src/config/check/windows.ts';

describe('windows', () => {
  const good: readonly (readonly [string, readonly number[], number, number, string])[] = [
    ['Sun 02:00-04:00 Europe/Berlin', [0], 120, 240, 'Europe/Berlin'],
    ['Mon-Fri 22:00-05:00 UTC', [1, 2, 3, 4, 5], 1320, 300, 'UTC'],
    ['Fri-Mon 00:00-24:00', [0, 1, 5, 6], 0, 1440, 'UTC'],
    ['sat, SUN 1:30-2:00 europe/berlin', [0, 6], 90, 120, 'Europe/Berlin'],
    ['02:00-04:00 America/New_York', [], 120, 240, 'America/New_York'],
  ];
  it.each(good)('%s', (text, weekdays, startMinute, endMinute, timeZone) => {
    expect(parseWindow(text)).toMatchObject({ window: { weekdays, startMinute, endMinute, timeZone } });
  });

  const bad: readonly (readonly [string, RegExp])[] = [
    ['', /days, hours/],
    ['Sun', /days, hours/],
    ['Son 02:00-04:00', /"Son" is not a day of the week/],
    ['Mon-Tue-Wed 02:00-04:00', /"Wed" is not a day of the week/],
    ['Sunday 02:00-04:00', /"Sunday" is not a day of the week/],
    ['Sun 24:00-25:00', /not a span of hours/],
    ['Sun 02:60-04:00', /not a span of hours/],
    ['Sun 02:00-02:00', /empty/],
    ['Sun 02:00-04:00 Europe/Berln', /is not a time zone/],
    ['Sun 02:00-04:00 +01:00', /is not a time zone/],
    ['Sun 02:00-04:00 UTC extra', /days, hours/],
  ];
  it.each(bad)('%s is refused', (text, problem) => {
    expect(parseWindow(text)).toMatchObject({ problem: expect.stringMatching(problem) as string });
  });
});

it.each([
  ['~', null],
  ['true', true],
  ['yes', 'yes'],
  ['12', 12n],
  ['0o17', 15n],
  ['1.50', 1.5],
  ['1e3', 1000],
  ['12:30:00', '12:30:00'],
  ['2026-01-01', '2026-01-01'],
  ['', null],
])('the plain scalar %s', (text, expected) => {
  expect(coreScalar(text)).toBe(expected);
});

it.each([
  [`napi_${'a1'.repeat(20)}`, true],
  ['Authorization: bearer abcdefghijklmnop', true],
  ['k'.repeat(32) + '7'.repeat(32), true],
  ['-----BEGIN PRIVATE KEY-----', true],
  ['0123456789abcdef'.repeat(4), false],
  ['ep-cool-darkness-123456', false],
  ['the bearer of bad news arrives', false],
])('%s looks like a credential: %s', (text, expected) => {
  expect(looksSecret(text)).toBe(expected);
});
