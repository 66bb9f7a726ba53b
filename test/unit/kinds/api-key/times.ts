// Durations in test tables: `7d`, `-1h` for what lies ahead.
import { parseDurationMs } from '../../../../src/base/time/duration.ts';

export function inMs(text: string): number {
  const ms = parseDurationMs(text.replace(/^-/, ''));
  if (ms === undefined) throw new Error(`no duration: ${text}`);
  return text.startsWith('-') ? -ms : ms;
}
