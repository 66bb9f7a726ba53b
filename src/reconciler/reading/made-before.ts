// What earlier runs of this folder made at addresses where something is about to be made: by the journal and, where no reply told the id, by their mark.
import { inParallel } from '../../apply/in-parallel.ts';
import type { Repeat } from '../../apply/kind-remote.ts';
import { READS_AT_ONCE } from '../../apply/read/read-scopes.ts';
import { arrayOf, objectOf, type Json, type JsonObject } from '../../base/json.ts';
import { readOrNull } from '../../client/failure.ts';
import { readerOf } from '../../client/types.ts';
import { kindOf } from '../../kinds/index.ts';
import { madeAtTimeOf } from '../../kinds/shared/made-by.ts';
import type { Address } from '../../model/address.ts';
import type { DesiredProject, ResourceId } from '../../model/desired.ts';
import { PROJECT } from '../../model/kind.ts';
import type { LiveResource } from '../../model/live.ts';
import type { Step } from '../../model/outcome/plan.ts';
import type { Session } from '../connect.ts';
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
  /** No reply told the id, and whether it has the mark of the run could not be read. */
  readonly isUnproved: boolean;
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

interface Around {
  readonly declared: Shown['declared'];
  /** The projects of the files, whether or not this run looks at them. */
  readonly files: readonly DesiredProject[];
  /** All projects that the service lists; asked for only where they are needed. */
  readonly projects: () => Promise<readonly LiveResource[]>;
  readonly signal: AbortSignal;
}

/** What was made by earlier creations for the same addresses, without the projects that other labels of the files find by their names. */
export async function madeFor(
  session: Session,
  workspace: Workspace,
  creations: readonly Creation[],
  { declared, files, projects, signal }: Around,
): Promise<readonly Unseen[]> {
  if (creations.length === 0) return [];
  const byAddress = new Map(creations.map((creation) => [creation.address, creation]));
  const journal = await workspace.orphans();
  const sent = journal.flatMap((json) => sentIn(json, byAddress) ?? []);
  const isOpen = sent.some(({ kind, id }) => kind === PROJECT && (id === null || !declared.has(id)));
  const listed = isOpen ? await projects() : [];
  const taken = new Set([...declared, ...namedBy(files, byAddress, listed)]);
  const answered = sent.flatMap(({ id, projectId, ...one }) => {
    const within = one.kind === PROJECT ? id : projectId;
    if (id === null || within === null || (one.kind === PROJECT && taken.has(id))) return [];
    return [{ ...one, id, projectId: within, isUnproved: false }];
  });
  const unanswered = sent.filter(({ kind, id }) => kind === PROJECT && id === null);
  const free = listed.filter(({ id }) => !taken.has(id));
  return [...answered, ...(await markedOf(session, unanswered, { journal, free, signal }))];
}

/** Ids of the listed projects that labels other than what is about to be made find by their names. */
function namedBy(
  files: Around['files'],
  making: ReadonlyMap<Address, Creation>,
  listed: readonly LiveResource[],
): readonly string[] {
  const others = files.filter(({ id, label }) => id === null && !making.has(label));
  const names = new Set(others.flatMap(({ name, renamedFrom }) => [name, renamedFrom]));
  return listed.flatMap(({ id, spec }) => (names.has(String(spec['name'])) ? [id] : []));
}

/** A request of an earlier run, as the journal tells it. */
interface Sent extends Omit<Unseen, 'id' | 'projectId' | 'isUnproved'> {
  readonly projectId: string | null;
  /** Null where no reply told it. */
  readonly id: ResourceId | null;
  readonly run: string;
  /** Ids of those that it cannot have made. */
  readonly known: readonly Json[];
}

function sentIn(json: JsonObject, creations: ReadonlyMap<Address, Creation>): Sent | null {
  const { kind, address, id, path, pool, run, known, at_ms: atMs, made_at_ms: madeAtMs, seen } = json;
  const creation = creations.get(String(address));
  if (creation === undefined || creation.kind !== kind) return null;
  if (typeof atMs !== 'number') return null;
  const { projectId, name } = creation;
  const isSame =
    kind === PROJECT
      ? // Under another name, the files mean another one.
        path === '/projects' && objectOf(pool)['name'] === name
      : // A project of the same name may be another one by now.
        projectId !== null && String(path).startsWith(`/projects/${projectId}/`);
  if (!isSame) return null;
  return {
    kind: creation.kind,
    address: creation.address,
    projectId,
    id: typeof id === 'string' ? id : null,
    run: String(run),
    known: arrayOf(known),
    atMs,
    madeAtMs: typeof madeAtMs === 'number' ? madeAtMs : null,
    seen: seen === true,
    isFenced: creation.step !== null && FENCED.has(kindOf(creation.kind).remote.repeat(creation.step)),
  };
}

const FENCED: ReadonlySet<Repeat> = new Set(['fenced', 'named']);

interface Free {
  readonly journal: readonly JsonObject[];
  /** Projects that nobody declares. */
  readonly free: readonly LiveResource[];
  readonly signal: AbortSignal;
}

/**
 * Free projects that came into being when these requests were under way, as far as they carry the mark of their runs. A run marks all that
 * it makes: what the journal has of another address, by its id or by the name that the same run asked for there, is not meant.
 */
async function markedOf(
  session: Session,
  unanswered: readonly Sent[],
  { journal, free, signal }: Free,
): Promise<readonly Unseen[]> {
  const { remote } = kindOf(PROJECT);
  const reader = readerOf(session.client);
  const candidates = unanswered.flatMap((request) => {
    const ofOthers = journal.filter(({ kind, address }) => kind === PROJECT && address !== request.address);
    const isAnothers = ({ id, spec }: LiveResource): boolean =>
      ofOthers.some(
        (one) => one['id'] === id || (one['run'] === request.run && objectOf(one['pool'])['name'] === spec['name']),
      );
    return free
      .filter(({ id, createdAtMs }) => madeAtTimeOf(request.atMs, createdAtMs) && !request.known.includes(id))
      .filter((live) => !isAnothers(live))
      .map((live) => ({ request, live }));
  });
  const looked = await inParallel(candidates, READS_AT_ONCE, async ({ request, live }) => {
    const isOurs = await readOrNull(remote.isMarked?.(reader, live, request.run, signal) ?? Promise.resolve(false));
    const { run: _, known: __, ...one } = request;
    const { id, createdAtMs: madeAtMs } = live;
    return isOurs === false ? [] : [{ ...one, id, projectId: id, madeAtMs, isUnproved: isOurs === null }];
  });
  return looked.flat();
}
