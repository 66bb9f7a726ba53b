// Which ids a pin writes, and where: into the file that declares each resource, or into a file of ids alone.
import { kindOf } from '../../kinds/index.ts';
import type { DesiredResource, DesiredState } from '../../model/desired.ts';
import type { Change, Plan } from '../../model/outcome/plan.ts';
import { PROJECT } from '../../model/kind.ts';
import { isDerived } from '../../plan/diff/derived.ts';
import { isKeyed } from './import/labels.ts';

/** An id to write; null removes the id that matches nothing. */
export interface PinEdit {
  readonly address: string;
  readonly id: string | null;
  /** The id in the file now. */
  readonly before: string | null;
  readonly because: string;
  /** The name of the file, as given. */
  readonly file: string;
  /** Path within the file. */
  readonly path: readonly string[];
}

/** A resource that is not pinned, with the reason. */
export interface NotPinned {
  readonly address: string;
  readonly because: string;
  /** The id that a person can write instead; null for none. */
  readonly id: string | null;
}

export interface PinWork {
  readonly edits: readonly PinEdit[];
  readonly skipped: readonly NotPinned[];
  /** Ids of no live resource, which only `fix` repairs. */
  readonly stale: readonly string[];
}

export interface PinInput {
  readonly desired: DesiredState;
  readonly plan: Plan;
  /** The file that takes new ids; null for the file that declares each resource. */
  readonly to: string | null;
  readonly fix: boolean;
}

/** The ids to write, sorted by address. A resource identified by its name gets no new id. */
export function pinWork({ desired, plan, to, fix }: PinInput): PinWork {
  const edits: PinEdit[] = [];
  const skipped: NotPinned[] = [];
  const stale: string[] = [];
  for (const resource of desired.resources) {
    const change = plan.changes.find((one) => one.address === resource.address && one.action !== 'revoke');
    if (change === undefined || resource.absent || resource.pin === change.resourceId) continue;
    const { address, pin } = resource;
    if (pin === null && !hasPins(resource)) continue;
    if (pin !== null && !fix) stale.push(address);
    else if (pin === null && resource.isNew) skipped.push({ address, because: NEW_WORD, id: null });
    else edits.push(editOf(desired, resource, change, pin === null ? to : null));
  }
  return { edits, skipped, stale };
}

function hasPins({ kind }: DesiredResource): boolean {
  const own = kindOf(kind);
  return !isKeyed(own) && !isDerived(own) && own.requests.rotate === undefined;
}

/** The id of the resource created just now; null if the file has it already, or its kind has no pins. */
export function pinOfMade(
  desired: DesiredState,
  resource: DesiredResource,
  id: string,
  to: string | null,
): PinEdit | NotPinned | null {
  const { address, pin, isNew } = resource;
  if (pin === id || !hasPins(resource)) return null;
  if (isNew) return { address, because: NEW_WORD, id: null };
  return editOf(desired, resource, { resourceId: id, matchedBy: 'created by this run' }, pin === null ? to : null);
}

const NEW_WORD = 'the entry has `new: true`: remove that key, because the resource exists now';

function editOf(
  desired: DesiredState,
  resource: DesiredResource,
  change: Pick<Change, 'resourceId' | 'matchedBy'>,
  to: string | null,
): PinEdit {
  const { address, pin, source, sources } = resource;
  const path = [...entryPath(desired, resource), 'id'];
  const file = to ?? (pin === null ? source.file : (sources['id']?.file ?? source.file));
  return { address, id: change.resourceId, before: pin, because: change.matchedBy, file, path };
}

/** The keys that lead to the entry from the top level, through its project or section and all its parents. */
export function entryPath(desired: Pick<DesiredState, 'resources'>, resource: DesiredResource): readonly string[] {
  const { kind, name, scope, parent } = resource;
  const { section, parent: below } = kindOf(kind);
  const above = desired.resources.find(({ address }) => address === parent);
  const root = below === null ? [] : ['projects', scope];
  if (kind === PROJECT) return root;
  return [...(above === undefined ? root : entryPath(desired, above)), section, name];
}
