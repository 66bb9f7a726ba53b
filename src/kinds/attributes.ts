// Types of attributes: functions that make the rows in the tables of the kinds.
import { isJsonObject, type Json } from '../base/json.ts';
import { parseDurationMs } from '../base/time/duration.ts';
import { nameProblem } from '../config/check/cross-checks.ts';
import type { Attribute, Normalised } from '../model/attributes.ts';

type More = Partial<Attribute>;

const IN_PLACE: Attribute = { change: 'update', restarts: false };

/** Makes an attribute without a check: a file sets the attribute under another key, or not at all. */
export function plain(more: More = {}): Attribute {
  return { ...IN_PLACE, ...more };
}

/** Makes an attribute that only a creation sends and that is never compared, because the service does not show it in the same form. */
export function once(more: More = {}): Attribute {
  return { ...IN_PLACE, canonical: () => null, ...more };
}

function typed(isSo: (value: Json) => boolean, expected: string, more: More): Attribute {
  const normalise = (value: Json): Normalised => (isSo(value) ? { value } : { problem: `expected ${expected}` });
  return { ...IN_PLACE, normalise, ...more };
}

export function anything(more: More = {}): Attribute {
  return typed(() => true, 'a value', more);
}

export function text(more: More = {}, expected: string = 'a text'): Attribute {
  return typed((value) => typeof value === 'string', expected, more);
}

export function flag(more: More = {}): Attribute {
  return typed((value) => typeof value === 'boolean', 'true or false', more);
}

export function size(more: More = {}): Attribute {
  return typed((value) => typeof value === 'number', 'a size in compute units', more);
}

export function mapping(what: string, more: More = {}): Attribute {
  return typed(isJsonObject, `a mapping of ${what}`, { hasMembers: true, ...more });
}

/** Makes a parameter: numbers and flags become text, as in the replies of the service. */
export function parameter(more: More = {}): Attribute {
  const asText = (value: Json): Json => (value === null || typeof value === 'object' ? value : String(value));
  const normalise = (value: Json): Normalised =>
    typeof value === 'object' ? { problem: 'expected the value of a parameter' } : { value: String(value) };
  return { ...IN_PLACE, canonical: asText, normalise, ...more };
}

export function apiName(more: More = {}): Attribute {
  const normalise = (value: Json): Normalised => {
    if (typeof value !== 'string') return { problem: 'expected a text' };
    const problem = nameProblem(value);
    return problem === null ? { value } : { problem };
  };
  return { ...IN_PLACE, normalise, ...more };
}

export function nameOfA(kind: string, more: More = {}): Attribute {
  return text(more, `the name of a ${kind}`);
}

function secondsOf(value: Json): number | null {
  const ms = typeof value === 'number' || typeof value === 'string' ? parseDurationMs(value) : undefined;
  return ms === undefined ? null : ms / 1000;
}

export function seconds(example: string, problemOf: (seconds: number) => string | null, more: More = {}): Attribute {
  const normalise = (value: Json): Normalised => {
    const given = value === -1 ? -1 : secondsOf(value);
    if (given === null) return { problem: `expected ${example}` };
    const problem = problemOf(given);
    return problem === null ? { value: given } : { problem };
  };
  return { ...IN_PLACE, normalise, ...more };
}

const MAX_SUSPEND_SECONDS = 604_800;
const DEFAULT_SUSPEND_SECONDS = 300;

/** Makes the autosuspend delay: 0 stands for the default of 300 s, -1 for never (api-rules 6). */
export function suspendDelay(more: More = {}): Attribute {
  const isAllowed = (given: number): boolean =>
    given === -1 || given === 0 || (given >= 60 && given <= MAX_SUSPEND_SECONDS);
  return seconds(
    'whole seconds or a duration such as 300, 5m or 24h',
    (given) => {
      if (!Number.isInteger(given)) return 'the autosuspend delay must be whole seconds';
      if (isAllowed(given)) return null;
      return `the autosuspend delay must be 60 s to 7 d (${MAX_SUSPEND_SECONDS} s), 0 for the default or -1 for never; this delay is ${given} s`;
    },
    {
      default: DEFAULT_SUSPEND_SECONDS,
      canonical: (value) => (value === 0 ? DEFAULT_SUSPEND_SECONDS : value),
      ...more,
    },
  );
}
