// Scalars of a file: their checks, and the replacement of variables.
import { MAX_SCALAR_LENGTH, type Budget } from '../limits.ts';
import type { Report } from '../report.ts';
import { looksSecret } from './secret-text.ts';
import { codePoint, show } from './show.ts';
import {
  openingOf,
  type ScalarNode,
  type ScalarValue,
  type Span,
  type TextFile,
  type TreeNode,
} from './source-tree.ts';
import { hasTemplate, interpolate, unescaped, type Interpolated, type Variables } from './variables.ts';

export interface ScalarContext {
  readonly text: TextFile;
  readonly report: Report;
  readonly budget: Budget;
  readonly variables: Variables | null;
  /** Restores the braces of references, which are hidden from the parser. */
  readonly restore: (text: string) => string;
  /** True if the file may hold a credential, so that each scalar is checked. */
  readonly suspicious: boolean;
  readonly secrets: Span[];
  readonly broken: Set<TreeNode>;
}

export interface ParsedScalar {
  readonly value: unknown;
  readonly type?: string | undefined;
  readonly source?: string;
  readonly range: readonly [number, number, number];
}

// Control characters that escapes can make (line feed and tab are allowed), and lone surrogates.
const ESCAPED_CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|[\ud800-\udfff]/u;

export function buildScalar(scalar: ParsedScalar, context: ScalarContext): ScalarNode {
  const span = { text: context.text, start: scalar.range[0], end: scalar.range[1] };
  const plain = scalar.type === 'PLAIN';
  if (plain && typeof scalar.value === 'bigint') checkLeadingZero(scalar.source ?? '', span, context.report);
  if (typeof scalar.value !== 'string') return scalarAt(span, scalar.value as ScalarValue);
  const text = context.restore(scalar.value);
  const escaped = scalar.type === 'QUOTE_DOUBLE' && (scalar.source ?? '').length > 0;
  let usable: Usable | undefined = checkText(text, span, context, escaped) ? { value: text } : undefined;
  if (usable !== undefined && context.variables !== null && hasTemplate(text))
    usable = context.report.isFull ? undefined : replaced(interpolate(text, plain, context.variables), span, context);
  const node: ScalarNode = { ...span, kind: 'scalar', value: null, ...usable };
  if (usable === undefined) context.broken.add(node);
  return node;
}

type Usable = Pick<ScalarNode, 'value' | 'given' | 'held'>;

export function checkLeadingZero(written: string, span: Span, report: Report): void {
  if (!/^[-+]?0[0-9]+$/.test(written)) return;
  report.add('leading_zero', `${written} has leading zeros: YAML versions read it as different numbers`, span, {
    hint: 'Write the number without leading zeros, or in quotes if it is a text.',
  });
}

function scalarAt({ text, start, end }: Span, value: ScalarValue): ScalarNode {
  return { text, start, end, kind: 'scalar', value };
}

/** Null, after a report, for an unusable key. */
export function checkKey(key: ParsedScalar, span: Span, context: ScalarContext): string | null {
  const text = context.restore(String(key.value ?? ''));
  if (!checkText(text, span, context, key.type === 'QUOTE_DOUBLE')) return null;
  const name = context.variables === null ? text : unescaped(text);
  if (name === null || (context.variables === null && hasTemplate(name))) {
    context.report.add('variable_in_key', 'variables are replaced in values only, not in keys', span, {
      hint: 'Write the key out, or put the variable into `name:` or `id:`; `$${` is a literal `${`.',
    });
    return null;
  }
  if (name === '') {
    context.report.add('empty_key', 'a key is missing before the colon', span);
    return null;
  }
  if (name === '__proto__') {
    context.report.add('unknown_key', `the key ${show(name)} is not accepted`, span);
    return null;
  }
  return name;
}

const EXPANSION = 'up to here, the variables of these files expand to more text than trueup accepts';

function replaced(result: Interpolated, span: Span, context: ScalarContext): Usable | undefined {
  if ('problem' in result) {
    context.report.add(result.code, result.problem, span, { hint: result.hint });
    return undefined;
  }
  if (typeof result.value !== 'string') return result;
  context.budget.written -= result.value.length;
  if (context.budget.written < 0) context.report.exceed('variable_expansion', EXPANSION, span);
  return checkText(result.value, span, context, true) ? result : undefined;
}

/** `thorough`: escapes or variables can make the text differ from the file. */
function checkText(text: string, span: Span, context: ScalarContext, thorough: boolean): boolean {
  if (text.length > MAX_SCALAR_LENGTH) {
    const words = `this text has ${text.length} characters, but at most ${MAX_SCALAR_LENGTH} are allowed`;
    context.report.add('too_long', words, openingOf(span));
    return false;
  }
  if ((thorough || context.suspicious) && looksSecret(text)) {
    context.secrets.push(span);
    context.report.add(
      'secret_in_file',
      'this looks like a credential; files of the desired state never hold one',
      span,
      {
        hint: 'Remove the credential here and revoke it, since somebody may have seen it. Credentials come from the environment of the run.',
      },
    );
    return false;
  }
  const control = thorough ? ESCAPED_CONTROL.exec(text) : null;
  if (control !== null) {
    context.report.add(
      'control_character',
      `the text holds the character ${codePoint(control[0])}, which is not allowed`,
      span,
    );
    return false;
  }
  return true;
}
