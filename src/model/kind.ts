// Where a kind of resource stands: what it is below, where it is written, and what its addresses and scopes look like.
import { asPart } from './address.ts';
import type { Address } from './address.ts';
import type { KindName, ResourceId } from './desired.ts';

/**
 * The kind that projects are of; the root of everything that does not belong to the account as a whole. As a resource a project stands in
 * the scope of its own, alone, and its address is its label.
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
  /** It says nothing of what else is in its project: where only such is declared, nothing else of the project is read. */
  readonly isApart?: true;
}

/** What a scope is below. */
export interface Below {
  /** Null for what belongs to the account. */
  readonly projectId: string | null;
  /** Of what it is below within the project; left out for what is directly below the project or the account. */
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

/**
 * The kinds so that each stands after its parent and after those that it refers to; by name where nothing else says. One that
 * refers to itself does not wait for itself.
 */
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
