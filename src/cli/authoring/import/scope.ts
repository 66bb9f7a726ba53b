// The draft of an import: entries grouped by project or account-wide section, and their text as a file.
import type { JsonObject } from '../../../base/json.ts';
import type { Kind } from '../../../kinds/index.ts';
import type { Address } from '../../../model/address.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { LiveProject } from '../../../model/live.ts';
import { renderBlock } from '../../../config/edit/layout.ts';
import { PROJECT } from '../../../model/kind.ts';

export type AttributeDetail = 'minimal' | 'full';

export interface DraftEntry {
  readonly kind: Kind;
  /** The path of keys that leads from the project's entry (or the top level) to the section with this entry. */
  readonly within: readonly string[];
  readonly label: string;
  readonly address: Address;
  readonly identity: JsonObject;
  readonly attributes: JsonObject;
}

/** The draft of one project, or of one account-wide section (`project` is null). */
export interface DraftScope {
  readonly label: string;
  readonly project: LiveProject | null;
  /** The project's keys before the entries: id, name and branch labels, unless a file already states them. */
  readonly head: JsonObject;
  readonly entries: readonly DraftEntry[];
}

export interface Draft {
  readonly scopes: readonly DraftScope[];
  readonly warnings: readonly Diagnostic[];
}

export function textOfScopes(scopes: readonly DraftScope[], schema: string): string {
  const head = [schema, '# Written by `trueup import`. Attributes you do not write are not managed.', 'version: 1'];
  const options = { column: 0, inlineFrom: Infinity };
  const account = scopes.filter(({ project }) => project === null);
  const projects = scopes.filter(({ project }) => project !== null);
  const lines = [
    ...head,
    ...account.flatMap(({ entries }) => ['', ...renderBlock(nested({}, entries), options)]),
    ...(projects.length > 0 ? ['', 'projects:'] : []),
    ...projects.flatMap((scope) =>
      renderBlock({ [scope.label]: nested(scope.head, scope.entries) }, { ...options, column: 2 }),
    ),
  ];
  return `${lines.join('\n')}\n`;
}

interface TreeNode {
  value: JsonObject;
  readonly inner: Map<string, TreeNode>;
}

/** Nests the entries below their parents. If another file has the parent, writes only the keys that lead to the entries. */
function nested(value: JsonObject, entries: readonly DraftEntry[]): JsonObject {
  const root: TreeNode = { value, inner: new Map() };
  for (const { kind, within, label, identity, attributes } of entries) {
    let node = root;
    // A project's own attributes are at the top level of its entry.
    for (const key of kind.kind === PROJECT ? [] : [...within, label]) {
      const next: TreeNode = node.inner.get(key) ?? { value: {}, inner: new Map() };
      node.inner.set(key, next);
      node = next;
    }
    node.value = { ...node.value, ...identity, ...attributes };
  }
  return jsonOf(root);
}

function jsonOf({ value, inner }: TreeNode): JsonObject {
  const members = [...inner].map(([key, node]) => [key, jsonOf(node)] as const);
  return { ...value, ...Object.fromEntries(members) };
}

/** A file name that is not hidden and does not lead out of the folder. */
export function fileNameOf({ label }: DraftScope): string {
  return `${label.replace(/^\.+/, (dots) => '_'.repeat(dots.length))}.yaml`;
}
