// Attributes of computes in their normal form: the API's own names, types and units.
import { parseDurationMs } from '../../../base/time/duration.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../base/json.ts';
import type { Normalised } from '../../../config/kind-section.ts';
import { nameProblem } from '../../../config/check/names.ts';

/** Attributes that a profile may set. */
export const sharedAttributes: readonly string[] = [
  'autoscaling_limit_min_cu',
  'autoscaling_limit_max_cu',
  'suspend_timeout_seconds',
  'settings',
  'pooler_enabled',
  'pooler_mode',
  'disabled',
  'passwordless_access',
  'provisioner',
];

const WHOLE: readonly string[] = [];
const MAX_SUSPEND_SECONDS = 604_800;

/** The normal form of an attribute; `path` may lead into settings. */
export function normaliseAttribute(path: string, value: Json): Normalised {
  if (!path.includes('.')) return normaliseMember(path, path, WHOLE, value);
  const [name = '', ...rest] = path.split('.');
  return normaliseMember(path, name, rest, value);
}

function normaliseMember(path: string, name: string, rest: readonly string[], value: Json): Normalised {
  if (value === null) return { value };
  switch (name) {
    case 'settings':
      return normaliseSettings(rest, value);
    case 'suspend_timeout_seconds':
      return rest.length > 0 ? noMember(path) : suspendSeconds(value);
    case 'autoscaling_limit_min_cu':
    case 'autoscaling_limit_max_cu':
      return ofType(path, rest, typeof value === 'number', value, 'a size in compute units');
    case 'pooler_enabled':
    case 'disabled':
    case 'passwordless_access':
      return ofType(path, rest, typeof value === 'boolean', value, 'true or false');
    case 'name':
      return rest.length > 0 || typeof value !== 'string' ? noMember(path) : named(value);
    default:
      return ofType(path, rest, typeof value === 'string', value, 'a text');
  }
}

function ofType(path: string, rest: readonly string[], fits: boolean, value: Json, expected: string): Normalised {
  if (rest.length > 0) return noMember(path);
  return fits ? { value } : { problem: `expected ${expected}` };
}

function noMember(path: string): Normalised {
  return { problem: `${path} is not an attribute` };
}

function named(value: string): Normalised {
  const problem = nameProblem(value);
  return problem === null ? { value } : { problem };
}

/** Seconds as the API takes them: 0 the default, -1 never, else 60 to 604,800 (api-rules 6). */
function suspendSeconds(value: Json): Normalised {
  if (typeof value !== 'number' && typeof value !== 'string') return { problem: 'expected seconds or a duration' };
  const ms = value === -1 ? -1000 : parseDurationMs(value);
  if (ms === undefined) return { problem: 'expected whole seconds or a duration such as 300, 5m or 24h' };
  const seconds = ms / 1000;
  if (!Number.isInteger(seconds)) return { problem: 'the autosuspend delay comes in whole seconds' };
  if (seconds === -1 || seconds === 0 || (seconds >= 60 && seconds <= MAX_SUSPEND_SECONDS)) return { value: seconds };
  return {
    problem: `the autosuspend delay is 60 s to 7 d (${MAX_SUSPEND_SECONDS} s), 0 for the default or -1 for never; this is ${seconds} s`,
  };
}

/** Parameters are text on the wire; libraries keep their form. `rest` leads into the settings. */
function normaliseSettings(rest: readonly string[], value: Json): Normalised {
  const [group, ...member] = rest;
  if (group === undefined) {
    if (!isJsonObject(value)) return { problem: 'expected a mapping of settings' };
    return members(value, (name, inner) => normaliseSettings([name], inner));
  }
  if (group === 'pg_settings' || group === 'pgbouncer_settings') {
    if (member.length > 0) return parameter(value);
    if (!isJsonObject(value)) return { problem: 'expected a mapping of parameters' };
    return members(value, (_name, inner) => parameter(inner));
  }
  return group === 'preload_libraries' ? { value } : { problem: `settings.${group} is not an attribute` };
}

function members(value: JsonObject, normalise: (name: string, inner: Json) => Normalised): Normalised {
  const normal: Record<string, Json> = {};
  let same = true;
  // Names come from a file's tree, which never holds `__proto__`.
  for (const name of Object.keys(value)) {
    const written = value[name] ?? null;
    const result = normalise(name, written);
    if ('problem' in result) return { ...result, at: [name, ...(result.at ?? [])] };
    normal[name] = result.value;
    if (result.value !== written) same = false;
  }
  // What many resources share stays shared.
  return { value: same ? value : normal };
}

function parameter(value: Json): Normalised {
  if (value === null) return { value };
  return typeof value === 'object' ? { problem: 'expected the value of a parameter' } : { value: String(value) };
}
