// The one reading of scopes: a list each, top-down within a project; what cannot be read is told, and does not end the rest.
import { failureOf, type ApiFailure } from '../../client/failure.ts';
import type { Reader } from '../../client/types.ts';
import type { ResourceId } from '../../model/desired.ts';
import { inOrderOfKinds, PROJECT, type Below } from '../../model/kind.ts';
import type { LiveProject, LiveResource, Unread } from '../../model/live.ts';
import { inParallel } from '../in-parallel.ts';
import type { KindRemote } from '../kind-remote.ts';

/** Lists that are read at the same time. */
export const READS_AT_ONCE = 32;

export interface ScopePart {
  readonly resources: readonly LiveResource[];
  readonly unread: readonly Unread[];
  /** `read`, or why not. */
  readonly asked: 'read' | ApiFailure;
}

interface Reading {
  readonly reader: Reader;
  readonly signal: AbortSignal;
}

/** One list. `what` names it where it cannot be read. Rejects where the credential is refused, and for what is no failure of the API. */
async function readScope(
  kind: KindRemote,
  what: string,
  below: Below,
  { reader, signal }: Reading,
): Promise<ScopePart> {
  try {
    return { resources: await kind.list(reader, below, signal), unread: [], asked: 'read' };
  } catch (error) {
    const failure = failureOf(error);
    const unread: Unread = { what, projectId: below.projectId, reason: failure.message };
    return { resources: [], unread: [unread], asked: failure };
  }
}

/** The live parents below which a kind is read, by what was read so far. */
export type ParentsOf = (kind: KindRemote, found: readonly LiveResource[]) => readonly ResourceId[];

/** The lists of a project, and what is below those. */
export async function readProject(
  kinds: readonly KindRemote[],
  { id, label }: Pick<LiveProject, 'id' | 'label'>,
  parentsOf: ParentsOf,
  reading: Reading,
): Promise<readonly ScopePart[]> {
  const first = kinds.filter(({ kind, parent }) => parent === PROJECT && kind !== PROJECT);
  return readTree(kinds, { projectId: id, what: label, first }, parentsOf, reading);
}

/** The list of an account-wide kind, and what is below that. */
export async function readSection(
  kinds: readonly KindRemote[],
  kind: KindRemote,
  parentsOf: ParentsOf,
  reading: Reading,
): Promise<readonly ScopePart[]> {
  return readTree(kinds, { projectId: null, what: kind.section, first: [kind] }, parentsOf, reading);
}

interface Root {
  readonly projectId: string | null;
  /** Names it where it cannot be read. */
  readonly what: string;
  readonly first: readonly KindRemote[];
}

/** The first lists side by side, then what is below those. */
async function readTree(
  kinds: readonly KindRemote[],
  { projectId, what, first }: Root,
  parentsOf: ParentsOf,
  reading: Reading,
): Promise<readonly ScopePart[]> {
  const parts = await Promise.all(first.map(async (kind) => readScope(kind, what, { projectId }, reading)));
  const deeper = kinds.filter(({ parent }) => parent !== null && parent !== PROJECT);
  for (const kind of inOrderOfKinds(deeper, () => [])) {
    const found = parts.flatMap(({ resources }) => resources);
    const scopes = parentsOf(kind, found).map((parentId): Below => ({ projectId, parentId }));
    const lists = await inParallel(scopes, READS_AT_ONCE, async (below) => readScope(kind, what, below, reading));
    for (const part of lists) parts.push(part);
  }
  return parts;
}
