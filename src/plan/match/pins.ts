// Pins: an id in the file outranks everything else.
import type { DesiredResource } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { LiveResource } from '../../model/live.ts';
import { bind, type Binding, type MatchState } from './match-state.ts';

/**
 * Binds every declaration whose pin is live here. A declared absence with a pin that is not live is done; other declarations are matched
 * further on.
 */
export function matchPins(
  state: MatchState,
  unknown: readonly LiveResource[],
  elsewhere: (id: string) => string | null,
): void {
  if (state.scope.desired.every(({ pin }) => pin === null)) return;
  const byId = new Map(state.known.map((live) => [live.id, live]));
  const strange = new Set(unknown.map(({ id }) => id));
  for (const desired of state.scope.desired) {
    if (desired.pin === null) continue;
    const live = byId.get(desired.pin);
    const other = live === undefined ? null : successorIn(state, desired, live);
    if (other !== null) matchSwapped(state, desired, other);
    else if (live !== undefined) matchPinned(state, desired, live);
    else if (strange.has(desired.pin)) refuseStrange(state, desired, desired.pin);
    else if (desired.absent) bind(state, desired, null, `${desired.pin} no longer exists`);
    else state.stale.set(desired.address, elsewhere(desired.pin));
  }
}

/** The resource that took over the declared name from the pinned one; null for none. */
function successorIn(state: MatchState, { spec }: DesiredResource, pinned: LiveResource): LiveResource | null {
  const place = state.placeOf(spec);
  if (place === null || place === state.placeOf(pinned.spec)) return null;
  const [holder] = state.holders.get(place) ?? [];
  return holder === undefined || holder.tookOver !== pinned.id ? null : holder;
}

/** Another resource has the name of the pinned one: the name decides. A removal is refused until the file names the id. */
function matchSwapped(state: MatchState, desired: DesiredResource, live: LiveResource): void {
  const { pin, address, absent } = desired;
  state.swapped.add(address);
  state.diagnostics.push({
    severity: absent ? 'error' : 'warning',
    code: 'swapped',
    message: `a restore gave the name of ${pin} to ${live.id}, ${absent ? `so ${address} is not deleted` : `so ${address} is matched by its name`}`,
    hint: absent
      ? 'Write the id of the resource that you want to delete.'
      : 'To write the matched id: trueup pin --fix',
    address,
    range: rangeOfPin(desired),
  });
  if (!absent) return bind(state, desired, live, `${state.scope.rules.poolWords(desired.spec)}, restored`);
  bind(state, desired, null, 'a restore gave the name of this resource to another resource', {
    frozen: `${live.id} has the name of ${pin}`,
  });
}

function matchPinned(state: MatchState, desired: DesiredResource, live: LiveResource): void {
  const owner = state.owners.get(live.id);
  if (owner !== undefined) {
    state.diagnostics.push({
      severity: 'error',
      code: 'claimed_twice',
      message: `${live.id} is claimed by ${owner.address} and by ${desired.address}`,
      hint: 'A live resource has one declaration: remove one of the ids.',
      address: desired.address,
      range: rangeOfPin(desired),
      related: [{ message: `${owner.address} claims it here`, range: rangeOfPin(owner) }],
    });
    bind(state, desired, null, 'another declaration claims the id', {
      frozen: `${live.id} is claimed by ${owner.address}`,
    });
    return;
  }
  state.pinned.set(desired.address, live);
  state.owners.set(live.id, desired);
  if (state.scope.rules.choose === undefined) bind(state, desired, live, 'pinned id');
}

function refuseStrange(state: MatchState, desired: DesiredResource, pin: string): void {
  state.diagnostics.push({
    severity: 'error',
    code: 'unknown_type',
    message: `${pin} cannot be managed: this version of trueup does not know its type`,
    hint: 'Remove the entry, or upgrade trueup.',
    address: desired.address,
    range: rangeOfPin(desired),
  });
  bind(state, desired, null, 'the type of the pinned resource is unknown', { frozen: `the type of ${pin} is unknown` });
}

/** A warning for each stale pin, after its declaration is matched. */
export function stalePinWarnings({ stale, bindings }: MatchState): readonly Diagnostic[] {
  return [...stale].flatMap(([address, project]) => {
    const binding = bindings.get(address);
    return binding === undefined ? [] : [stalePin(binding, project)];
  });
}

function stalePin({ desired, live }: Binding, project: string | null): Diagnostic {
  const { pin, address } = desired;
  const gone = project === null ? `${pin} does not exist` : `${pin} belongs to ${project}`;
  return {
    severity: 'warning',
    code: 'stale_pin',
    message:
      live === null
        ? `${gone}, and no live resource matches ${address}`
        : `${gone}, so ${address} is matched without its id`,
    hint:
      live === null
        ? 'Correct the id. To remove the id and let the next plan create a new resource: trueup pin --fix'
        : 'To write the matched id: trueup pin --fix',
    address,
    range: rangeOfPin(desired),
  };
}

function rangeOfPin(desired: DesiredResource): DesiredResource['source'] {
  return desired.sources['id'] ?? desired.source;
}
