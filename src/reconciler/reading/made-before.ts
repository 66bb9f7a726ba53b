// What earlier runs of this folder made at addresses where something is about to be made: by the journal.
import type { Repeat } from '../../apply/kind-remote.ts';
import { objectOf, type Json, type JsonObject } from '../../base/json.ts';
import { kindOf } from '../../kinds/index.ts';
import type { Address } from '../../model/address.ts';
import type { ResourceId } from '../../model/desired.ts';
import { PROJECT } from '../../model/kind.ts';
import type { LiveResource } from '../../model/live.ts';
import type { Step } from '../../model/outcome/plan.ts';
import type { Workspace } from '../workspace.ts';

/** What is about to be made; `step` makes it, where nothing holds it back. */
export interface Creation {
  readonly kind: string;
  readonly address: Address;
  readonly projectId: string | null;
  /** What it is to be called; null where it has no name. */
  readonly name: Json;
  readonly step: Step | null;
}

/** What an earlier run had made for the same address. */
export interface Unseen {
  readonly kind: string;
  readonly address: Address;
  readonly projectId: string;
  readonly id: ResourceId;
  /** When that was, the service's time as the run knew it. */
  readonly atMs: number;
  /** When it was made, as the reply told it; null where it did not. */
  readonly madeAtMs: number | null;
  /** A list of that run has shown it. */
  readonly seen: boolean;
  /** The service itself keeps a second one out: to ask for it again does no harm. */
  readonly isFenced: boolean;
}

/** What is known of the account. */
export interface Shown {
  /** What was read. */
  readonly live: readonly LiveResource[];
  /** Ids of the projects that the files or the plan speak of. */
  readonly declared: ReadonlySet<string>;
}

/** What a list shows is not unseen. A list of projects tells their names, and somebody may have renamed one: it is seen where it is declared. */
export function unlisted(made: readonly Unseen[], { live, declared }: Shown): readonly Unseen[] {
  const listed = new Set(live.map(({ kind, id }) => `${kind} ${id}`));
  return made.filter(({ kind, id }) => (kind === PROJECT ? !declared.has(id) : !listed.has(`${kind} ${id}`)));
}

/** What was made by earlier creations for the same addresses, where a reply told the id. */
export async function madeFor(workspace: Workspace, creations: readonly Creation[]): Promise<readonly Unseen[]> {
  if (creations.length === 0) return [];
  const byAddress = new Map(creations.map((creation) => [creation.address, creation]));
  return (await workspace.orphans()).flatMap((json) => unseenIn(json, byAddress) ?? []);
}

function unseenIn(json: JsonObject, creations: ReadonlyMap<Address, Creation>): Unseen | null {
  const { kind, address, id, path, pool, at_ms: atMs, made_at_ms: madeAtMs, seen } = json;
  const creation = creations.get(String(address));
  if (creation === undefined || creation.kind !== kind) return null;
  if (typeof id !== 'string' || typeof atMs !== 'number') return null;
  const isFenced = creation.step !== null && FENCED.has(kindOf(creation.kind).remote.repeat(creation.step));
  const times = { atMs, madeAtMs: typeof madeAtMs === 'number' ? madeAtMs : null };
  const made = { kind: creation.kind, address: creation.address, id, ...times, seen: seen === true, isFenced };
  const { projectId, name } = creation;
  // Under another name, the files mean another one.
  if (kind === PROJECT)
    return path === '/projects' && objectOf(pool)['name'] === name ? { ...made, projectId: id } : null;
  // A project of the same name may be another one by now.
  return projectId !== null && String(path).startsWith(`/projects/${projectId}/`) ? { ...made, projectId } : null;
}

const FENCED: ReadonlySet<Repeat> = new Set(['fenced', 'named']);
