// Where a kind of resource stands: what it is below, where it is written, and what its addresses and scopes look like.
import { asPart, type Address } from './address.ts';
import type { KindName, ResourceId } from './desired.ts';
import type { OperationTable } from './operations/table.ts';

/**
 * The kind of projects: the root of everything that does not belong to the account as a whole. A project is a resource as well: it is
 * alone in its scope, and its address is its label.
 */
export const PROJECT: KindName = 'project';

export interface KindPlace {
  readonly kind: KindName;
  /** The kind of what it belongs to: a project, another kind, or null for the account. */
  readonly parent: KindName | null;
  /** Its key in the file: at its parent's entry, or at the top level. */
  readonly section: string;
  /** What stands between its parent's address and its name; null where nothing does. */
  readonly segment: string | null;
  /** Missing for kinds whose changes no operation carries out. */
  readonly operations?: OperationTable;
  /** It is managed apart from the rest of its project: where a project declares only such kinds, nothing else of it is read. */
  readonly isApart?: true;
}

/** The parent of a scope. */
export interface Below {
  /** Null for what belongs to the account. */
  readonly projectId: string | null;
  /** Id of the parent within the project, or of the home in the account; left out directly below the project or the account. */
  readonly parentId?: ResourceId | undefined;
}

/** One scope: all resources of a kind below one parent. */
export interface ScopeId extends Below {
  readonly kind: KindName;
}

/** A text that equal scopes share. */
export function scopeKey({ kind, projectId, parentId }: ScopeId): string {
  return `${kind} ${projectId ?? ''}${parentId === undefined ? '' : ` ${parentId}`}`;
}

/** The address of a resource of this kind: below `parent`, or by itself where that is null. */
export function addressBelow(parent: Address | null, { segment }: Pick<KindPlace, 'segment'>, name: string): Address {
  const part = parent === null || segment === null ? name : asPart(name);
  return [parent, segment, part].filter((one) => one !== null).join('/');
}

/** Sorts the kinds so that each comes after its parent and after those that it refers to (itself does not count), else by name. */
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
