// Shows the user's text in messages: short, escaped, and without credentials. Also masks credentials in excerpts of files.
import { inert } from '../../base/text/inert.ts';
import type { TreeNode } from './source-tree.ts';

export function show(text: string): string {
  return `\`${looksSecret(text) ? '(sensitive)' : inert(text, 60)}\``;
}

export function describe(node: TreeNode): string {
  if (node.kind !== 'scalar') return node.kind === 'map' ? 'a mapping' : 'a list';
  const { value } = node;
  if (value === null) return 'nothing (null)';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'string')
    return looksSecret(value) ? 'a text that looks like a credential' : `the text "${inert(value, 60)}"`;
  const written = node.text.text.slice(node.start, node.end);
  return `the number ${/^[0-9a-zA-Z.+-]{1,40}$/.test(written) ? written : String(value).slice(0, 40)}`;
}

export function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

// Matches keys of the service (`napi_…`, or 64 lower-case letters and digits that are no hex digest), bearer headers, and private keys.
const CREDENTIAL =
  /\bnapi_[A-Za-z0-9]{16,}|\b[Bb][Ee][Aa][Rr][Ee][Rr][ \t]+[A-Za-z0-9._~+/=-]{16,}|(?<![A-Za-z0-9])(?=[a-f0-9]{0,63}[g-z])[a-z0-9]{64}(?![A-Za-z0-9])|-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----/g;

export function looksSecret(text: string): boolean {
  CREDENTIAL.lastIndex = 0;
  return CREDENTIAL.test(text);
}

export function maskSecrets(text: string): string {
  return text.replace(CREDENTIAL, (match) => '*'.repeat(match.length));
}

/** Masks the given spans of a text, but keeps line breaks, so that positions stay right. */
export function maskSpans(text: string, spans: readonly { readonly start: number; readonly end: number }[]): string {
  let masked = '';
  let done = 0;
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    const from = Math.max(start, done);
    if (end <= from) continue;
    masked += text.slice(done, from) + text.slice(from, end).replace(/[^\r\n]/g, '*');
    done = end;
  }
  return masked + text.slice(done);
}
