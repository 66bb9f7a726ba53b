// Durations as people write them: 200ms, 300s, 5m, 24h, 7d; a bare number is seconds.
import type { Json } from '../json.ts';

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
type Unit = keyof typeof UNIT_MS;
const WHOLE_UNITS = ['d', 'h', 'm', 's'] as const;

/** Returns milliseconds, or undefined if the value is not a duration. */
export function parseDurationMs(text: Json | undefined): number | undefined {
  if (typeof text === 'number') return Number.isFinite(text) ? text * 1000 : undefined;
  if (typeof text !== 'string') return undefined;
  const match = /^(\d{1,12}(?:\.\d{1,6})?)(ms|s|m|h|d)?$/.exec(text);
  if (match === null) return undefined;
  return Number(match[1]) * UNIT_MS[(match[2] ?? 's') as Unit];
}

/** Writes the shortest exact form of a duration: 90_000 → "90s", 300_000 → "5m", 1_500 → "1500ms". */
export function formatDuration(ms: number): string {
  if (ms === 0) return '0s';
  const unit = WHOLE_UNITS.find((candidate) => ms % UNIT_MS[candidate] === 0) ?? 'ms';
  return `${ms / UNIT_MS[unit]}${unit}`;
}

/** Writes a duration for people, with two units at most: 3_725_000 → "1h 2m", 12_400 → "12s". */
export function humanDuration(ms: number): string {
  const parts: string[] = [];
  let rest = Math.max(0, Math.round(ms / 1000) * 1000);
  for (const name of WHOLE_UNITS) {
    const size = UNIT_MS[name];
    const count = Math.floor(rest / size);
    if (count > 0) parts.push(`${count}${name}`);
    rest -= count * size;
  }
  return parts.length === 0 ? '0s' : parts.slice(0, 2).join(' ');
}
