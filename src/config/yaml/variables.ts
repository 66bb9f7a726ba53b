// Replaces references such as `${var:NAME}` in scalars, and reports their problems.
import { parseJson, type Json } from '../../base/json.ts';
import { nearHint } from '../../base/text/words.ts';
import { MAX_SCALAR_LENGTH } from '../report.ts';
import type { Held, ScalarValue } from './source-tree.ts';
import { coreScalar } from './yaml-package.ts';

export interface Variable {
  readonly value: Json;
  readonly sensitive: boolean;
}

export type Variables = ReadonlyMap<string, Variable>;

export type Interpolated = { readonly value: ScalarValue; readonly given?: string; readonly held?: Held } | Problem;

interface Problem {
  readonly code: string;
  readonly problem: string;
  readonly hint: string | (() => string);
}

interface Found {
  readonly name: string;
  readonly value: Json;
}

const REFERENCE = /\$\$\{|\$\{var:([A-Za-z_][A-Za-z0-9_-]*)(?::-((?:\{[^{}]*\}|[^}])*))?\}|\$\{/g;
const ALONE = /^\$\{var:([A-Za-z_][A-Za-z0-9_-]*)(?::-((?:\{[^{}]*\}|[^}])*))?\}$/;

export function hasTemplate(text: string): boolean {
  return text.includes('${');
}

/** Replaces each `$${` by `${`; returns null for a text with a reference. */
export function unescaped(text: string): string | null {
  let holdsReference = false;
  const literal = text.replace(REFERENCE, (match: string) => {
    holdsReference ||= match !== '$${';
    return '${';
  });
  return holdsReference ? null : literal;
}

/** Replaces references. If a reference is a whole unquoted scalar (`plain`), its value is read as YAML; other values stay text. */
export function interpolate(text: string, plain: boolean, variables: Variables): Interpolated {
  const [whole, only = '', otherwise] = (plain ? ALONE.exec(text) : null) ?? [];
  if (whole !== undefined) return wholeValue(whole, lookUp(only, otherwise, variables));
  let problem: Problem | undefined;
  let length = 0;
  const replaced = text.replace(REFERENCE, (match: string, name: string | undefined, fallback: string | undefined) => {
    if (match === '$${') return '${';
    const found = name === undefined ? unknownTemplate : scalarOf(name, lookUp(name, fallback, variables));
    if ('problem' in found) {
      problem ??= found;
      return '';
    }
    const written = String(found.value);
    length += written.length;
    if (length <= MAX_SCALAR_LENGTH) return written;
    problem ??= tooLong;
    return '';
  });
  return problem ?? { value: replaced };
}

/** Returns the value of a reference that is the whole text: a list or map (also from JSON), or a scalar as YAML reads it. */
function wholeValue(text: string, found: Found | Problem): Interpolated {
  if ('problem' in found) return found;
  const { name, value } = found;
  const held = typeof value === 'string' ? parsed(value) : value;
  if (isHeld(held)) return { value: typeof value === 'string' ? value : null, held };
  const scalar = scalarOf(name, found);
  if ('problem' in scalar) return scalar;
  const given = String(scalar.value);
  if (given.length > MAX_SCALAR_LENGTH) return tooLong;
  const read = typeof scalar.value === 'string' ? coreScalar(given.trim() === '' ? '' : given) : scalar.value;
  if (read === null) return nullVariable(text);
  return typeof read === 'string' ? { value: read } : { value: read, given };
}

/** Parses a text that is a JSON list or object; returns null for any other text. */
function parsed(text: string): Json {
  if (!/^\s*[[{]/.test(text) || text.length > MAX_SCALAR_LENGTH) return null;
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}

function isHeld(value: Json): value is Held & Json {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((item: Json) => typeof item !== 'object' || item === null)
  );
}

function nullVariable(written: string): Problem {
  return {
    code: 'null_variable',
    problem: `the value of ${written} is null`,
    hint: 'Give the variable a value, or put the reference in quotes to make a text. Only a null that stands in the file has a meaning.',
  };
}

const tooLong: Problem = {
  code: 'too_long',
  problem: `with its variables, this text has more than ${MAX_SCALAR_LENGTH} characters`,
  hint: 'Write a shorter text.',
};

const unknownTemplate: Problem = {
  code: 'unknown_template',
  problem: 'only ${var:NAME} and ${var:NAME:-default} are replaced',
  hint: 'Write $${ for a literal ${.',
};

function lookUp(name: string, fallback: string | undefined, variables: Variables): Found | Problem {
  const variable = variables.get(name);
  if (fallback !== undefined && (variable === undefined || variable.value === '')) return { name, value: fallback };
  if (variable === undefined) {
    return {
      code: 'variable_unset',
      problem: `the variable ${name} is not set`,
      hint: () =>
        `${nearHint(name, variables.keys(), '')} Give --var ${name}=VALUE, a --var-file, the environment variable TRUEUP_VAR_${name}, or a default: \${var:${name}:-VALUE}.`.trimStart(),
    };
  }
  if (variable.sensitive)
    return {
      code: 'variable_sensitive',
      problem: `the variable ${name} is marked as sensitive by its file`,
      hint: 'Plans and reports show every value of the files, so no secret belongs in them.',
    };
  return { name, value: variable.value };
}

function scalarOf(name: string, found: Found | Problem): { readonly value: ScalarValue } | Problem {
  if ('problem' in found) return found;
  const { value } = found;
  if (value === null) return nullVariable(`the variable ${name}`);
  return typeof value === 'object' ? notScalar(`the variable ${name}`, Array.isArray(value)) : { value };
}

export function notScalar(what: string, isList: boolean): Problem {
  return {
    code: 'variable_not_scalar',
    problem: `${what} is ${isList ? 'a list' : 'an object'}; only text, numbers and booleans can be written here`,
    hint: 'Use an output that has only the value for this key.',
  };
}
