// Attributes of projects in their normal form: the API's own names, types and units.
import { isJsonObject, type Json, type JsonObject } from '../../../base/json.ts';
import { parseDurationMs } from '../../../base/time/duration.ts';
import type { Normalised } from '../../../config/kind-section.ts';

const MAX_HISTORY_SECONDS = 30 * 86_400;
const MAX_SUSPEND_SECONDS = 604_800;

/** The normal form of an attribute; `path` may lead into settings. What the schema of the file holds already is not said again. */
export function normalise(path: string, value: Json): Normalised {
  if (path === 'history_retention_seconds') return historySeconds(value);
  if (value !== null && /^settings\.quota\.(?:active|compute)_time_seconds$/.test(path)) return wholeSeconds(value);
  if (path === 'default_endpoint_settings.suspend_timeout_seconds') return suspendSeconds(value);
  if (/^default_endpoint_settings\.(?:pg|pgbouncer)_settings\./.test(path))
    return value === null || typeof value === 'object'
      ? { problem: 'expected the value of a parameter' }
      : { value: String(value) };
  if (isJsonObject(value)) return members(path, value);
  return { value };
}

function members(path: string, value: JsonObject): Normalised {
  const normal: Record<string, Json> = {};
  for (const [name, written] of Object.entries(value)) {
    const result = normalise(`${path}.${name}`, written);
    if ('problem' in result) return { ...result, at: [name, ...(result.at ?? [])] };
    normal[name] = result.value;
  }
  return { value: normal };
}

function secondsOf(value: Json): number | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  const ms = parseDurationMs(value);
  return ms === undefined || !Number.isInteger(ms / 1000) ? null : ms / 1000;
}

function wholeSeconds(value: Json): Normalised {
  const seconds = secondsOf(value);
  return seconds === null
    ? { problem: 'expected whole seconds or a duration such as 360000 or 100h' }
    : { value: seconds };
}

function historySeconds(value: Json): Normalised {
  const seconds = secondsOf(value);
  if (seconds === null) return { problem: 'expected whole seconds or a duration such as 86400 or 7d' };
  if (seconds >= 0 && seconds <= MAX_HISTORY_SECONDS) return { value: seconds };
  return { problem: `history is kept for at most 30 d (${MAX_HISTORY_SECONDS} s); this is ${seconds} s` };
}

function suspendSeconds(value: Json): Normalised {
  if (value === -1) return { value };
  const seconds = secondsOf(value);
  if (seconds === null) return { problem: 'expected whole seconds or a duration such as 300, 5m or 24h' };
  if (seconds === 0 || (seconds >= 60 && seconds <= MAX_SUSPEND_SECONDS)) return { value: seconds };
  return {
    problem: `the autosuspend delay is 60 s to 7 d (${MAX_SUSPEND_SECONDS} s), 0 for the default or -1 for never; this is ${seconds} s`,
  };
}
