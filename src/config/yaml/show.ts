// Shows text of the user in messages: short, escaped, and without credentials.
import { unreachable } from '../../base/assert.ts';
import { inert } from '../../base/text/inert.ts';
import { looksSecret } from './secret-text.ts';
import type { ScalarNode, TreeNode } from './source-tree.ts';

export function show(text: string): string {
  return `\`${looksSecret(text) ? '(sensitive)' : inert(text, 60)}\``;
}

export function describe(node: TreeNode): string {
  switch (node.kind) {
    case 'map':
      return 'a mapping';
    case 'list':
      return 'a list';
    case 'scalar':
      return describeScalar(node);
    default:
      return unreachable(node);
  }
}

function describeScalar(node: ScalarNode): string {
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
