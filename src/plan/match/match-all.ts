// All scopes matched, parents first: which live resource each declaration is, and what the declarations then know of each other.
import type { Address } from '../../model/address.ts';
import type { DesiredResource, KindName, ResourceId } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { holdsReference, resolveIn } from '../../model/reference.ts';
import type { Known } from '../../model/reference.ts';
import { isReplaced } from '../diff/difference.ts';
import type { PlanInput, Selects } from '../input.ts';
import { scopesOf, unlistedAddress } from '../scope.ts';
import type { Scope, ScopeParent } from '../scope.ts';
import type { Binding } from './claims.ts';
import { matchScope } from './matching.ts';
import type { Matching } from './matching.ts';

export interface Matched {
  readonly matchings: readonly Matching[];
  /** Of projects that are not there, or more than once. */
  readonly diagnostics: readonly Diagnostic[];
}

interface Referent {
  readonly scope: Scope;
  readonly binding: Binding;
}

/** Matches what was read, scope by scope. References to what lives are values from then on; the others stay references. */
export function matchAll(input: PlanInput, selects: Selects): Matched {
  const { kinds, of, diagnostics } = scopesOf(input, selects);
  const elsewhere = whereabouts(input);
  const referents = new Map<Address, Referent>();
  const known: Known = ({ ref, field }) => {
    const found = referents.get(ref);
    return found === undefined ? undefined : toldBy(found, field);
  };
  const members = new Map<KindName, readonly ScopeParent[]>();
  const matchings = kinds.flatMap((rules) => {
    const own = of(rules, members.get(rules.parent ?? '') ?? []).map((scope) =>
      matchScope({ ...scope, desired: scope.desired.map((one) => resolved(one, known)) }, elsewhere),
    );
    members.set(rules.kind, own.flatMap(membersOf));
    for (const { scope, bindings } of own)
      for (const binding of bindings) referents.set(binding.desired.address, { scope, binding });
    return own.map((matching) => withinKind(matching, known));
  });
  return { matchings, diagnostics };
}

/** What others may be below: what is declared, and what is live besides. */
function membersOf({ scope, bindings, unclaimed }: Matching): readonly ScopeParent[] {
  const projectId = scope.project?.id ?? '';
  return [
    ...bindings.map(({ desired: { address, absent }, live }) => {
      return { address, projectId, id: live?.id ?? null, isGoing: absent };
    }),
    ...unclaimed.map((live) => ({ address: unlistedAddress(scope, live), projectId, id: live.id })),
  ];
}

/** The ids of what is live and declared, by address. */
export function liveIds(input: PlanInput): ReadonlyMap<Address, ResourceId> {
  const bindings = matchAll(input, () => true).matchings.flatMap((matching) => matching.bindings);
  return new Map(bindings.flatMap(({ desired, live }) => (live === null ? [] : [[desired.address, live.id] as const])));
}

/** What its own kind refers to among itself is known once all of the kind is matched. */
function withinKind(matching: Matching, known: Known): Matching {
  const { scope, bindings } = matching;
  if (!scope.desired.some(({ spec }) => holdsReference(spec))) return matching;
  return {
    ...matching,
    scope: { ...scope, desired: scope.desired.map((one) => resolved(one, known)) },
    bindings: bindings.map((binding) => ({ ...binding, desired: resolved(binding.desired, known) })),
  };
}

function resolved(desired: DesiredResource, known: Known): DesiredResource {
  const spec = resolveIn(desired.spec, known);
  return spec === desired.spec ? desired : { ...desired, spec };
}

/** What is wished of a live one, else what it shows; undefined for what it does not have yet, or will be replaced with. */
function toldBy({ scope, binding }: Referent, field: string): ReturnType<Known> {
  const { desired, live } = binding;
  if (live === null) return field === 'id' ? undefined : desired.spec[field];
  if (field !== 'id') return desired.spec[field] ?? live.spec[field];
  return isReplaced(scope.rules, desired, live) ? undefined : live.id;
}

/** Label of the project in which an id lives, wherever that is; null when nothing live has it. */
function whereabouts(input: PlanInput): (id: string) => string | null {
  const homes = new Map(input.live.resources.map((live) => [live.id, live.projectId]));
  const labels = new Map(input.live.projects.map((project) => [project.id, project.label]));
  return (id) => labels.get(homes.get(id) ?? '') ?? null;
}
