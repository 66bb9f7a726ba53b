// Writes values as YAML: on one line for edits, and on several lines for new files.
import { arrayOf, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { coreScalar } from '../yaml/yaml-package.ts';

/** A text has quotes only if it needs them or if `quote` is given; without a usable `quote`, they are double quotes. */
export function renderInline(value: Json, quote: '"' | "'" | null = null): string {
  if (typeof value === 'string') return renderText(value, quote);
  if (Array.isArray(value))
    return value.length === 0 ? '[]' : `[${value.map((item: Json) => renderInline(item)).join(', ')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${renderText(key, null)}: ${renderInline(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

export interface BlockOptions {
  readonly column: number;
  /** Mappings this many levels down, and below, are on one line. */
  readonly inlineFrom: number;
}

export function renderBlock(members: JsonObject, { column, inlineFrom }: BlockOptions): readonly string[] {
  return Object.entries(members).flatMap(([key, value]) => {
    const head = `${' '.repeat(column)}${renderText(key, null)}:`;
    if (inlineFrom > 1 && isJsonObject(value) && Object.keys(value).length > 0)
      return [head, ...renderBlock(value, { column: column + 2, inlineFrom: inlineFrom - 1 })];
    const items = arrayOf(value);
    if (inlineFrom > 1 && items.some((item) => isJsonObject(item)))
      return [head, ...items.map((item) => `${' '.repeat(column + 2)}- ${renderInline(item)}`)];
    return [`${head} ${renderInline(value)}`];
  });
}

function renderText(text: string, quote: '"' | "'" | null): string {
  const printable = !/[^\u0020-\u007e\u00a0-\ud7ff\ue000-\ufffd]/u.test(text);
  if (quote === "'" && printable && !text.includes('${')) return `'${text.replaceAll("'", "''")}'`;
  // trueup reads `${` as a reference, so the text is written with `$${`.
  return quote === null && isPlain(text) ? text : JSON.stringify(shielded(text));
}

export function shielded(text: string): string {
  return text.replaceAll('${', () => '$${');
}

/** YAML 1.1 and 1.2 must both read the text as itself. */
function isPlain(text: string): boolean {
  if (!/^[A-Za-z0-9_][A-Za-z0-9_./:-]*$/.test(text) || text.endsWith(':')) return false;
  return coreScalar(text) === text && !/^(?:y|yes|n|no|on|off|[0-9][0-9_:.]*)$/i.test(text);
}
