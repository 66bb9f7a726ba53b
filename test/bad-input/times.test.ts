// Every time of a file is one that a calendar and a clock have, wherever it stands: nothing is made from another moment instead.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseWrittenTimeMs } from '../../src/base/time/instant.ts';
import { runRows, type Row } from './rows.ts';

const UNREAL = [
  '2026-11-31',
  '2026-02-29',
  '2026-00-10',
  '2026-13-01',
  '2026-11-00',
  '2026-11-20T24:00:00Z',
  '2026-11-20T23:60:00Z',
  '2026-11-20T23:59:60Z',
  '2026-11-20T12:00:00+99:99',
  '2026-11-20T12:00:00+14:01',
  '2026-11-20T12:00:00',
];

/** Every place of a file that takes a time, as a line with `TIME` in it. */
const PLACES: readonly (readonly [string, string])[] = [
  ['from.at', 'projects: { shop: { branches: { main: br-a-1, x: { from: { branch: main, at: "TIME" } } } } }'],
  ['expires_at', 'projects: { shop: { branches: { x: { expires_at: "TIME" } } } }'],
  ['restart', 'projects: { shop: { computes: { p: { branch: br-a-1, restart: { not_before: "TIME" } } } } }'],
  [
    'hold.until',
    'projects: { shop: { computes: { p: { branch: br-a-1, lifecycle: { hold: [{ path: disabled, value: true, reason: x, until: "TIME" }] } } } } }',
  ],
  ['a rotation', 'api_keys: { a: { secret: { file: a.json }, rotate: { not_before: "TIME" } } }'],
  [
    'a reset',
    'projects: { shop: { branches: { x: { roles: { app: { password: { file: a.json }, rotate: { not_before: "TIME" } } } } } } }',
  ],
];

runRows(
  PLACES.flatMap(([place, line]) =>
    UNREAL.map((time): Row => [
      `${place}: ${time}`,
      `version: 1\n${line.replace('TIME', time)}\n`,
      [`invalid_time 2:${line.indexOf('"TIME') + 1}`],
      /8601 time that exists/,
    ]),
  ),
);

runRows(
  PLACES.flatMap(([place, line]) =>
    ['2028-02-29', '2000-02-29', '2026-12-31T23:59:59.999999999+14:00', '2026-11-20 06:00-0330'].map((time): Row => [
      `${place}: ${time}`,
      `version: 1\n${line.replace('TIME', time)}\n`,
      [],
    ]),
  ),
);

describe('the schema', () => {
  const text = readFileSync(new URL('../../schemas/desired-state.schema.json', import.meta.url), 'utf8');
  const patterns = [...text.matchAll(/"pattern": ("\^\(\?:\[0-9\]\{4\}-.*")/g)].map(
    ([, pattern = '']) => new RegExp(String(JSON.parse(pattern))),
  );

  it.each(patterns)('takes the same times as the parser', (pattern) => {
    expect(patterns).toHaveLength(2);
    const days = [1900, 1996, 2000, 2026, 2028, 2100].flatMap((year) =>
      Array.from({ length: 14 * 33 }, (_, at) => `${year}-${two(Math.floor(at / 33))}-${two(at % 33)}`),
    );
    const clocks = ['T23:59:59.123456789Z', 't00:00z', ' 06:00+0530', 'T24:00Z', 'T06:60Z', 'T06:00:60Z', 'T6:00Z'];
    const zones = ['Z', '', '+14:00', '-14:00', '+14:01', '+15:00', '+13:60', '-00:00', '+99:99', '+1:00', ' Z'];
    const times = [...clocks, ...zones.map((zone) => `T12:00${zone}`)].map((clock) => `2026-11-20${clock}`);
    for (const time of [...days, ...times])
      expect([time, pattern.test(time)]).toEqual([time, parseWrittenTimeMs(time) !== undefined]);
  });
});

function two(number: number): string {
  return String(number).padStart(2, '0');
}
