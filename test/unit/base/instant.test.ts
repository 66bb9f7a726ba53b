// Times as text: what no calendar, clock or zone has is no time, and is never taken for another one.
import { describe, expect, it } from 'vitest';
import { parseInstantMs, parseWrittenTimeMs } from '../../../src/base/time/instant.ts';

const UNREAL = [
  '2026-11-31T00:00:00Z',
  '2026-02-29T00:00:00Z',
  '2100-02-29T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-00-10T00:00:00Z',
  '2026-10-00T00:00:00Z',
  '2026-10-10T24:00:00Z',
  '2026-10-10T10:60:00Z',
  '2026-10-10T10:10:60Z',
  '2026-10-10T10:10:10+99:99',
  '2026-10-10T10:10:10+14:01',
  '2026-10-10T10:10:10-10:60',
  '2026-10-10T10:10:10',
  ' 2026-10-10T10:10:10Z',
  '2026-10-10T10:10:10Z\n',
  '+02026-10-10T10:10:10Z',
  'yesterday',
  '',
];

describe('a time on the wire', () => {
  it.each([
    ['2026-11-20T00:00:00Z', Date.UTC(2026, 10, 20)],
    ['2024-02-29T23:59:59Z', Date.UTC(2024, 1, 29, 23, 59, 59)],
    ['2026-12-01T06:00:00.25+02:00', Date.UTC(2026, 11, 1, 4, 0, 0, 250)],
    ['2026-12-01T06:00:00.289999-03:30', Date.UTC(2026, 11, 1, 9, 30, 0, 289)],
    ['0050-01-01T00:00:00Z', Date.parse('0050-01-01T00:00:00Z')],
  ])('%s is one', (text, expected) => {
    expect(parseInstantMs(text)).toBe(expected);
  });

  it.each([
    ...UNREAL,
    '2026-12-01',
    '2026-10-10T10:10Z',
    '2026-10-10t10:10:10Z',
    '2026-10-10T10:10:10z',
    '2026-10-10 10:10:10Z',
    '2026-10-10T10:10:10,5Z',
    '2026-10-10T10:10:10.Z',
    '2026-10-10T10:10:10+0200',
  ])('%j is none', (text) => {
    expect(parseInstantMs(text)).toBeUndefined();
  });
});

describe('a time in a file', () => {
  it.each([
    ['2026-11-20T00:00:00Z', Date.UTC(2026, 10, 20)],
    ['2026-12-01', Date.UTC(2026, 11, 1)],
    ['2026-12-01T06:00+02:00', Date.UTC(2026, 11, 1, 4)],
    ['2026-12-01t06:00:00z', Date.UTC(2026, 11, 1, 6)],
    ['2026-12-01 06:00:00.250-0330', Date.UTC(2026, 11, 1, 9, 30, 0, 250)],
    ['2024-02-29', Date.UTC(2024, 1, 29)],
  ])('%s is one', (text, expected) => {
    expect(parseWrittenTimeMs(text)).toBe(expected);
  });

  it.each([...UNREAL, '2026-02-29', '2026-11-31', '2026-12-01T24:00Z', '2026-12-01T06:00'])('%j is none', (text) => {
    expect(parseWrittenTimeMs(text)).toBeUndefined();
  });
});
