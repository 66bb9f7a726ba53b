// Says where a kind belongs: its parent, its key in the file, and the form of its addresses and scopes.
import { asPart, type Address } from './address.ts';
import type { KindName, ResourceId } from './desired.ts';
import type { OperationTable } from './operations/operation.ts';

/** The kind of projects. A project's address is its label. Every resource belongs to a project, except those of account-wide kinds. */
export const PROJECT: KindName = 'project';

export interface KindPlace {
  readonly kind: KindName;
  /** The kind of the parent; null if the parent is the account. */
  readonly parent: KindName | null;
  /** The key under which a file lists the kind: in the entry of a parent, or at the top level. */
  readonly section: string;
  /** The part of an address between the parent's address and the name; null if nothing is between them. */
  readonly segment: string | null;
  readonly operations?: OperationTable;
  /** True if trueup can plan the kind without the rest of its project: if a project declares only such kinds, nothing else is read. */
  readonly isApart?: true;
}

export interface Below {
  /** The id of the project that the resource belongs to; null for an account-wide kind. */
  readonly projectId: string | null;
  /** The id of the parent; missing if the parent is the project or the account itself. */
  readonly parentId?: ResourceId | undefined;
}

/** Names a scope: all resources of one kind below one parent. */
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

/** Sorts kinds by name, but each kind after its parent and after the kinds that it refers to. */
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
