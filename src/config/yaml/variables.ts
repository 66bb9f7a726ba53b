// References such as `${var:NAME}` in scalars: their values, and their problems.
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

export type Interpolated =
  | {
      readonly value: ScalarValue;
      readonly given?: string;
      readonly held?: Held;
    }
  | { readonly code: string; readonly problem: string; readonly hint: string | (() => string) };

const REFERENCE = /\$\$\{|\$\{var:([A-Za-z_][A-Za-z0-9_-]*)(?::-((?:\{[^{}]*\}|[^}])*))?\}|\$\{/g;
const ALONE = /^\$\{var:(?:\{[^{}]*\}|[^}])*\}$/;

export function hasTemplate(text: string): boolean {
  return text.includes('${');
}

/** Replaces each `$${` by `${`; null for a text with a reference. */
export function unescaped(text: string): string | null {
  let holdsReference = false;
  const literal = text.replace(REFERENCE, (match: string) => {
    holdsReference ||= match !== '$${';
    return '${';
  });
  return holdsReference ? null : literal;
}

/** Replaces references. A reference that is the whole of a `plain` scalar is read as YAML; any other stays text. */
export function interpolate(text: string, plain: boolean, variables: Variables): Interpolated {
  const whole = plain && ALONE.test(text) ? heldIn(text, variables) : null;
  if (whole !== null) return whole;
  let problem: Interpolated | undefined;
  let only: ScalarValue | undefined;
  let length = 0;
  const replaced = text.replace(REFERENCE, (match: string, name: string | undefined, fallback: string | undefined) => {
    if (match === '$${') return '${';
    const found = name === undefined ? unknownTemplate : lookUp(name, fallback, variables);
    if ('problem' in found) {
      problem ??= found;
      return '';
    }
    only = found.value;
    const written = String(found.value);
    length += written.length;
    if (length <= MAX_SCALAR_LENGTH) return written;
    problem ??= tooLong;
    return '';
  });
  if (problem !== undefined) return problem;
  if (!plain || !ALONE.test(text) || only === undefined) return { value: replaced };
  const value = typeof only === 'string' ? coreScalar(only.trim() === '' ? '' : only) : only;
  if (value === null) return nullVariable(text);
  return typeof value === 'string' ? { value } : { value, given: replaced };
}

/** The list or map of a variable that is the whole text: from a variable file, or JSON as text. Null for any other value. */
function heldIn(text: string, variables: Variables): Interpolated | null {
  const [, name = '', fallback = null] = /^\$\{var:([^}:]*)(?::-(.*))?\}$/s.exec(text) ?? [];
  const { value = fallback, sensitive = false } = variables.get(name) ?? {};
  if (sensitive) return null;
  if (typeof value !== 'string') return isHeld(value) ? { value: null, held: value } : null;
  if (!/^\s*[[{]/.test(value) || value.length > MAX_SCALAR_LENGTH) return null;
  try {
    const held = parseJson(value);
    return isHeld(held) ? { value, held } : null;
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

function nullVariable(written: string): Interpolated {
  return {
    code: 'null_variable',
    problem: `the value of ${written} is null`,
    hint: 'Give the variable a value, or put the reference in quotes to make a text. Only a null that stands in the file has a meaning.',
  };
}

const tooLong: Interpolated = {
  code: 'too_long',
  problem: `with its variables, this text has more than ${MAX_SCALAR_LENGTH} characters`,
  hint: 'Write a shorter text.',
};

const unknownTemplate: Interpolated = {
  code: 'unknown_template',
  problem: 'only ${var:NAME} and ${var:NAME:-default} are replaced',
  hint: 'Write $${ for a literal ${.',
};

function lookUp(name: string, fallback: string | undefined, variables: Variables): Interpolated {
  const variable = variables.get(name);
  if (fallback !== undefined && (variable === undefined || variable.value === '')) return { value: fallback };
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
  if (typeof variable.value === 'object' && variable.value !== null)
    return notScalar(`the variable ${name}`, Array.isArray(variable.value));
  return variable.value === null ? nullVariable(`the variable ${name}`) : { value: variable.value as ScalarValue };
}

export function notScalar(what: string, isList: boolean): Exclude<Interpolated, { value: ScalarValue }> {
  return {
    code: 'variable_not_scalar',
    problem: `${what} is ${isList ? 'a list' : 'an object'}; only text, numbers and booleans can be written here`,
    hint: 'Use an output that has only the value for this key.',
  };
}
