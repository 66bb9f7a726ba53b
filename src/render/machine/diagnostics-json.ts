// JSON text that is harmless in terminals and CI logs, and diagnostics in the format of Terraform's `validate -json`.
import { type Json, type JsonObject, stringifyJson } from '../../base/json.ts';
import { placesBeside, type Diagnostic } from '../../model/diagnostic.ts';
import type { ResultDiagnostic } from '../../model/generated/types.ts';
import type { SourceRange } from '../../model/source.ts';
import { ACTIVE } from '../../base/text/inert.ts';
import { ANYWHERE_COMMAND } from '../text/escape.ts';

export function diagnosticsToJson(diagnostics: readonly Diagnostic[], valid: boolean): JsonObject {
  return {
    format_version: '1.0',
    valid,
    error_count: diagnostics.filter(({ severity }) => severity === 'error').length,
    warning_count: diagnostics.filter(({ severity }) => severity === 'warning').length,
    diagnostics: diagnostics.map(diagnosticToJson),
  };
}

/** A diagnostic in Terraform's format, with our `code` in addition. */
export function diagnosticToJson(diagnostic: Diagnostic): JsonObject {
  const related = placesBeside(diagnostic);
  return {
    severity: diagnostic.severity,
    code: diagnostic.code,
    summary: diagnostic.message,
    detail: diagnostic.hint ?? '',
    ...(diagnostic.address === undefined ? {} : { address: diagnostic.address }),
    ...(diagnostic.range === undefined ? {} : { range: rangeToJson(diagnostic.range) }),
    ...(diagnostic.related === undefined && related.length === 0
      ? {}
      : { related: related.map(({ message, range }): Json => ({ message, range: rangeToJson(range) })) }),
  };
}

function rangeToJson(range: SourceRange): JsonObject {
  const position = ({ line, column, offset }: SourceRange['start']): JsonObject => ({ line, column, byte: offset });
  return { filename: range.file, start: position(range.start), end: position(range.end) };
}

export function diagnosticFromJson(value: ResultDiagnostic): Diagnostic {
  return {
    severity: value.severity,
    code: value.code,
    message: value.summary,
    ...(value.detail === '' ? {} : { hint: value.detail }),
    ...(value.address === undefined ? {} : { address: value.address }),
    ...(value.range === undefined ? {} : { range: rangeFromJson(value.range) }),
    ...(value.related === undefined
      ? {}
      : { related: value.related.map(({ message, range }) => ({ message, range: rangeFromJson(range) })) }),
  };
}

function rangeFromJson({ filename, start, end }: NonNullable<ResultDiagnostic['range']>): SourceRange {
  const place = ({ line, column, byte }: typeof start): SourceRange['start'] => ({ line, column, offset: byte });
  return { file: filename, start: place(start), end: place(end) };
}

// Line feeds between JSON members stay; JSON itself escapes those in strings.
const HIDDEN = new RegExp(`(?!\\n)(?:${ACTIVE.source})`, ACTIVE.flags);

/** The value as JSON. Control, bidi and hidden characters, and `##` of a command to a CI runner, become `\uXXXX`. */
export function jsonText(value: unknown, indent?: number): string {
  return stringifyJson(value, indent).replace(HIDDEN, escaped).replace(ANYWHERE_COMMAND, '\\u0023#');
}

/** The value as a whole output: indented, with a line feed at the end. */
export function jsonPage(value: unknown): string {
  return `${jsonText(value, 2)}\n`;
}

function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');
}
