// Which ids a pin writes, and where: into the file that declares each resource, or into a file of ids alone.
import { compute } from '../../kinds/compute/index.ts';
import { kinds } from '../../kinds/index.ts';
import type { DesiredResource, DesiredState } from '../../model/desired.ts';
import type { Change, Plan } from '../../model/outcome/plan.ts';

/** One id to be written; `id` is null for one to be removed, since nothing matches. */
export interface PinEdit {
  readonly address: string;
  readonly id: string | null;
  /** The id that stands there now. */
  readonly before: string | null;
  readonly because: string;
  /** The file, as the user knows it. */
  readonly file: string;
  /** Where in the file. */
  readonly path: readonly string[];
}

/** What is not pinned, and why. */
export interface NotPinned {
  readonly address: string;
  readonly because: string;
  /** What a person could write instead; null when that would not do. */
  readonly id: string | null;
}

export interface PinWork {
  readonly edits: readonly PinEdit[];
  readonly skipped: readonly NotPinned[];
  /** Ids that name nothing live, which only `fix` repairs. */
  readonly stale: readonly string[];
}

export interface PinInput {
  readonly desired: DesiredState;
  readonly plan: Plan;
  /** The file that takes new ids; null = where each resource is declared. */
  readonly to: string | null;
  readonly fix: boolean;
}

/** What there is to write, sorted by address. Keys get no new id: their names tell them apart, and rotation makes ids old. */
export function pinWork({ desired, plan, to, fix }: PinInput): PinWork {
  const edits: PinEdit[] = [];
  const skipped: NotPinned[] = [];
  const stale: string[] = [];
  for (const resource of desired.resources) {
    const change = plan.changes.find((one) => one.address === resource.address && one.action !== 'revoke');
    if (change === undefined || resource.absent || resource.pin === change.resourceId) continue;
    const { address, pin } = resource;
    if (pin === null && resource.kind !== compute.rules.kind) continue;
    if (pin !== null && !fix) stale.push(address);
    else if (pin === null && resource.isNew) skipped.push({ address, because: NEW_WORD, id: null });
    else edits.push(editOf(resource, change, pin === null ? to : null));
  }
  return { edits, skipped, stale };
}

/** The id of what was made for it just now; null where it has it already, or none is written for its kind. */
export function pinOfMade(resource: DesiredResource, id: string, to: string | null): PinEdit | NotPinned | null {
  const { address, pin, kind, isNew } = resource;
  if (pin === id || kind !== compute.rules.kind) return null;
  if (isNew) return { address, because: NEW_WORD, id: null };
  return editOf(resource, { resourceId: id, matchedBy: 'made by this run' }, pin === null ? to : null);
}

const NEW_WORD = 'it says `new: true`; remove that, since it exists now';

function editOf(
  resource: DesiredResource,
  change: Pick<Change, 'resourceId' | 'matchedBy'>,
  to: string | null,
): PinEdit {
  const { address, pin, scope, name, source, sources } = resource;
  const kind = kinds.find(({ rules }) => rules.kind === resource.kind);
  const section = kind?.section.section ?? '';
  const path = kind?.remote.scope === 'account' ? [section, name, 'id'] : ['projects', scope, section, name, 'id'];
  const file = to ?? (pin === null ? source.file : (sources['id']?.file ?? source.file));
  return { address, id: change.resourceId, before: pin, because: change.matchedBy, file, path };
}
