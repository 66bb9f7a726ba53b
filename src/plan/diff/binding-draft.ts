// Fills a change with the members that every change of a declaration shares.
import { homeOf } from '../../model/attributes.ts';
import { sinkLabel, sinksOf, type ResourceId } from '../../model/desired.ts';
import { compareText, type JsonObject } from '../../base/json.ts';
import type { Address } from '../../model/address.ts';
import type { LiveResource } from '../../model/live.ts';
import { consentText, DROP, type NeededConsent } from '../../model/outcome/consent.ts';
import type { Action, Change } from '../../model/outcome/plan.ts';
import { isUnpinned, type Binding } from '../match/match-state.ts';
import { PLAIN, removes, type Draft } from './draft.ts';
import { changedWithoutOperation, lastOperationOf } from './history.ts';
import type { Effect } from '../kind-rules.ts';
import type { Scope } from '../scope.ts';

/** A change with the members that every change of this binding shares. */
export function changeOf(
  scope: Scope,
  binding: Binding,
  own: Pick<Change, 'action' | 'before' | 'after'> & Partial<Change>,
): Change {
  const { desired, live } = binding;
  const sinks = MAKES_SECRET.has(own.action) && own.after !== null ? sinksOf(desired).map(sinkLabel) : [];
  const differs = live !== null && (own.attributes ?? []).length > 0;
  const changedAt = differs ? changedWithoutOperation(scope, live) : null;
  return {
    address: desired.address,
    kind: desired.kind,
    name: desired.name,
    resourceId: binding.inherited === undefined ? (live?.id ?? null) : null,
    projectId: scope.project?.id ?? null,
    ...parentIdOf(scope, live?.spec ?? desired.spec),
    matchedBy: binding.matchedBy,
    attributes: [],
    reasons: [],
    blockedBy: [],
    held: [],
    due: false,
    origin: 'file',
    source: desired.source,
    lastOperation: live === null ? null : lastOperationOf(scope, live.id, own.action),
    ...(changedAt === null ? {} : { changedAt }),
    replacePaths: [],
    ...(isUnpinned(scope, binding) ? { pinned: false } : {}),
    ...(sinks.length === 0 ? {} : { sinks }),
    ...own,
    ...effectOf(scope, desired.address, { ...own, sinks, live }),
  };
}

const MAKES_SECRET: ReadonlySet<Action> = new Set(['create', 'rotate', 'replace']);

/** The effects that the kind declares for a change, and the consents that the change needs. */
export function effectOf(
  { rules, declaration, around, parent }: Scope,
  address: Address,
  change: Pick<Change, 'action' | 'before' | 'after'> & Partial<Change> & { readonly live: LiveResource | null },
): Pick<Change, 'impact' | 'impactDetails' | 'notes' | 'consents'> {
  const { action, before, after, attributes = [], notes = [], sinks = [], live } = change;
  const stored = sinks.length === 0 ? {} : { sinks };
  const below = parent?.id === null ? { isBelowUnborn: true } : {};
  const place = { project: declaration, around, ...below };
  const input = { action, before, after, attributes, live, ...stored, ...place };
  const effect: Effect = rules.effects[action]?.(input) ?? { impact: ['none'], details: {}, notes: [] };
  const said = { impact: effect.impact, impactDetails: effect.details, notes: [...notes, ...effect.notes] };
  if (rules.consentWords === undefined || action === 'none') return said;
  const { consents = [] } = effect;
  const needed = consents.length === 0 && removes({ action }) ? [{ word: DROP }] : consents;
  return { ...said, consents: inOrder(needed.map((one): NeededConsent => ({ address, ...one, given: null }))) };
}

/** The change with a further consent that it needs. */
export function withNeed(change: Change, word: string): Change {
  const { address, consents = [] } = change;
  return { ...change, consents: inOrder([...consents, { word, address, given: null }]) };
}

function inOrder(consents: readonly NeededConsent[]): readonly NeededConsent[] {
  return consents.toSorted((a, b) => compareText(consentText(a), consentText(b)));
}

/** A draft of the binding's own resource. */
export function draftOf(scope: Scope, binding: Binding, change: Change, content: Partial<Draft>): Draft {
  return {
    key: `${change.action}:${change.address}`,
    scope,
    change,
    desired: binding.desired,
    live: binding.live,
    ...PLAIN,
    ...content,
  };
}

/** The id of the parent of a resource with this spec, as changes show it. */
export function parentIdOf({ parent, rules }: Scope, spec: JsonObject): { readonly parentId?: ResourceId } {
  const id = parent?.id ?? homeOf(rules, spec);
  return id === null ? {} : { parentId: id };
}
