// Defines the input for reading the live state, and decides which parts a selection touches and which parts of an earlier reading still hold.
import type { JsonObject } from '../../base/json.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { Reader } from '../../client/types.ts';
import {
  type Address,
  setAddress,
  coversAddress,
  matchesGlob,
  retentionAddress,
  scopeOf,
} from '../../model/address.ts';
import type { DesiredResource, DesiredState, DesiredProject } from '../../model/desired.ts';
import type { LivePlace, LiveProject, LiveResource, LiveState, OperationHistory } from '../../model/live.ts';
import type { Allowance, Selection } from '../../plan/input.ts';
import type { KindRemote, SinkLookup } from '../kind-remote.ts';
import type { IsEnough } from '../../client/operations.ts';
import { referencesIn } from '../../model/values.ts';
import { selectionOf } from '../../plan/selection.ts';

type AskedOf<Answer> = (
  own: readonly DesiredResource[],
  project: LiveProject | null,
  resources: readonly LiveResource[],
) => Answer;

export interface ReadLiveInput extends Selection {
  readonly desired: DesiredState;
  readonly kinds: readonly KindRemote[];
  readonly reader: Reader;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Returns a test that is true once enough of the project's operation log was read; null if the log need not be read. */
  readonly needHistory: (project: LiveProject, live: readonly LiveResource[]) => IsEnough | null;
  /** Finds, by address, the live resource that each declaration of a project (null: of the account) means or will copy. */
  readonly livePlaces: AskedOf<ReadonlyMap<Address, LivePlace>>;
  /** The declarations that templates of the files produce for the live resources of a project. */
  readonly ruled?: AskedOf<readonly DesiredResource[]>;
  /** Returns the resources to read by their own routes, because a list omits attributes. With `isPartial`, every omission counts. */
  readonly untold?: (
    own: readonly DesiredResource[],
    project: LiveProject,
    resources: readonly LiveResource[],
    isPartial: boolean,
  ) => readonly LiveResource[];
  readonly sinks: SinkLookup;
  readonly orphans: () => Promise<readonly JsonObject[]>;
  /** The allowances of the user; with them the plan may contain more removals. */
  readonly allow?: readonly Allowance[];
  /** True to read each list only once, without the data that only guards of removals need. */
  readonly once?: boolean;
  readonly isWhole?: boolean;
  readonly known?: KnownReading | null;
}

/** A complete earlier reading for the same desired state, and the parts of the reading that no longer hold. */
export interface KnownReading {
  readonly live: LiveState;
  /** Ids of the projects to read again; null stands for the account-wide resources. */
  readonly changed: ReadonlySet<string | null>;
  /** Set if projects may have been renamed since, so each is found again. */
  readonly isOld?: true;
}

/** Returns the reading with the ids of the projects to read again; null if a part of the reading failed, because that part is unknown. */
export function knownOf(live: LiveState, changed: KnownReading['changed']): KnownReading | null {
  return live.unread.length > 0 ? null : { live, changed };
}

export function isToRead(known: KnownReading | null, projectId: string | null): boolean {
  if (known === null || known.changed.has(projectId)) return true;
  // A project that was created after the earlier reading was not read yet.
  return projectId !== null && !known.live.projects.some(({ id }) => id === projectId);
}

export function knownPart(known: KnownReading | null): {
  readonly resources: readonly LiveResource[];
  readonly histories: readonly (readonly [string, OperationHistory])[];
} {
  return {
    resources: (known?.live.resources ?? []).filter(({ projectId }) => !isToRead(known, projectId)),
    histories: [...(known?.live.histories ?? [])].filter(([id]) => !isToRead(known, id)),
  };
}

/**
 * Returns a test whether the selection may contain an address of a scope (a project label or a section). A target touches the scopes of the
 * declared addresses that it matches; a target without a match touches every scope that it could match. An exclusion of the whole scope
 * wins.
 */
export function touching(declared: readonly Address[], { target, exclude }: Selection): (scope: string) => boolean {
  const targets = target.map((glob) => ({ glob, named: scopesNamed(glob, declared) }));
  return (scope) => {
    const whole = [`${scope}/\u0001`, `${scope}/\u0001\u0001`];
    if (exclude.some((glob) => whole.every((address) => coversAddress(glob, address)))) return false;
    if (targets.length === 0) return true;
    return targets.some(({ glob, named }) => (named.size === 0 ? couldName(glob, scope) : named.has(scope)));
  };
}

function scopesNamed(glob: string, declared: readonly Address[]): ReadonlySet<string> {
  const named = declared.filter((address) => coversAddress(glob, address));
  return new Set(named.map(scopeOf));
}

/** A star also matches the slash between scope and name, so each scope counts that starts with the text before the first star of `glob`. */
function couldName(glob: string, scope: string): boolean {
  const [head = ''] = glob.split('*');
  return matchesGlob(scopeOf(glob), scope) || (head !== glob && matchesGlob(`${head}*`, scope));
}

export function templatesFor(
  { target, exclude }: Selection,
  project: Pick<DesiredProject, 'label' | 'sets' | 'retention'> | undefined,
): readonly DesiredResource[] {
  const { label = '', sets = [], retention = [] } = project ?? {};
  const mayName = (rule: Address): boolean =>
    selectionOf({ target, exclude })([rule]) || target.some((glob) => glob.startsWith(`${rule}/`));
  return [
    ...sets.flatMap(({ name, template }) => (mayName(setAddress(label, name)) ? template : [])),
    ...retention.flatMap(({ name, template }) => (mayName(retentionAddress(label, name)) ? template : [])),
  ];
}

export function neededFor(selection: Selection, declared: readonly DesiredResource[]): readonly DesiredResource[] {
  const selects = selectionOf(selection);
  const byAddress = new Map(declared.map((one) => [one.address, one]));
  const needed = new Set(declared.filter(({ address }) => selects([address])));
  for (const { parent, spec } of needed)
    for (const address of [parent ?? '', ...referencesIn(spec)]) {
      const one = byAddress.get(address);
      if (one !== undefined) needed.add(one);
    }
  return [...needed];
}
