// The position of a kind: its parent, its key in the file, and the form of its addresses and scopes.
import { asPart, type Address } from './address.ts';
import type { KindName, ResourceId } from './desired.ts';
import type { OperationTable } from './operations/table.ts';

/** The kind of projects, which contain all but the account-wide kinds. A project is alone in its scope; its address is its label. */
export const PROJECT: KindName = 'project';

export interface KindPlace {
  readonly kind: KindName;
  /** The kind of the parent; null if the parent is the account. */
  readonly parent: KindName | null;
  /** The key of the kind in the file: in the entry of a parent, or at the top level. */
  readonly section: string;
  /** The part of an address between the parent's address and the name; null for none. */
  readonly segment: string | null;
  readonly operations?: OperationTable;
  /** True if the kind is managed apart from its project: a project that declares only such kinds is not read further. */
  readonly isApart?: true;
}

export interface Below {
  /** Null for a resource of the account. */
  readonly projectId: string | null;
  /** The id of the parent within the project or the account; missing directly below the project or the account. */
  readonly parentId?: ResourceId | undefined;
}

/** A scope: all resources of a kind below a parent. */
export interface ScopeId extends Below {
  readonly kind: KindName;
}

export function scopeKey({ kind, projectId, parentId }: ScopeId): string {
  return `${kind} ${projectId ?? ''}${parentId === undefined ? '' : ` ${parentId}`}`;
}

export function addressBelow(parent: Address | null, { segment }: Pick<KindPlace, 'segment'>, name: string): Address {
  const part = parent === null || segment === null ? name : asPart(name);
  return [parent, segment, part].filter((one) => one !== null).join('/');
}

/** Sorts the kinds so that each follows its parent and its referents (except itself), else by name. */
export function inOrderOfKinds<T extends KindPlace>(
  kinds: readonly T[],
  refersTo: (kind: T) => readonly KindName[],
): readonly T[] {
  const open = [...kinds].sort((a, b) => (a.kind < b.kind ? -1 : 1));
  const ordered: T[] = [];
  while (open.length > 0) {
    const waits = (kind: T): boolean =>
      [kind.parent, ...refersTo(kind)].some((name) => name !== kind.kind && open.some((other) => other.kind === name));
    const next = open.findIndex((kind) => !waits(kind));
    ordered.push(...open.splice(Math.max(0, next), 1));
  }
  return ordered;
}
