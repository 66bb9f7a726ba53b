// Drafts changes: a draft has a change, and the facts about it that later stages need and the plan does not show.
import { homeOf } from '../../model/attributes.ts';
import { assert } from '../../base/assert.ts';
import { present } from '../../base/picked.ts';
import { compareText, type JsonObject } from '../../base/json.ts';
import type { Address } from '../../model/address.ts';
import { sinkLabel, sinksOf, type DesiredResource, type ResourceId } from '../../model/desired.ts';
import { errorOf, type Diagnostic } from '../../model/diagnostic.ts';
import type { LiveResource } from '../../model/live.ts';
import { traitsOf, DROP, drops } from '../../model/outcome/impact.ts';
import type { Action, Block, Change, StepAction } from '../../model/outcome/plan.ts';
import type { Effect, KindRules, RequestDraft, RequestInput } from '../kind-rules.ts';
import { isUnpinned, type Binding } from '../match/match-state.ts';
import type { Scope } from '../scope.ts';
import { changedWithoutOperation, lastOperationOf } from './history.ts';

export interface Draft {
  /** Unique in the plan. If a change is no replacement and has only one step, this is the id of the step. */
  readonly key: string;
  readonly scope: Scope;
  /** Guards replace this object to add blocks and notes to the change. */
  change: Change;
  readonly desired: DesiredResource | null;
  /** The live resource that the change acts on; null if the change creates one. */
  readonly live: LiveResource | null;
  readonly specAfter: JsonObject | null;
  /** The attributes that the step sends: those that differ, and those sent again after a failed change; all attributes for a creation. */
  readonly send: JsonObject;
  readonly expect: JsonObject;
  readonly options: JsonObject;
  /** Names passing facts (see `Marks`) that must stay the same, because the change depends on them. */
  readonly restsOn: readonly string[];
  /** The address with the live id, which an allowance must name; set if the live resource's name differs from the file's. */
  misnamed?: Address;
  /** An allowance must name one of these addresses, even for a reviewed plan; null if none is needed. */
  readonly needsAllowance: readonly Address[] | null;
  /** True if the file itself consents to the change. */
  readonly consented: boolean;
  /** True if the target is only a guess, so that no pattern consents to its removal. */
  readonly isGuess: boolean;
  readonly isStale: boolean;
  /** True for an action that this run should carry out; a due change also needs `--due`. */
  readonly isAsked: boolean;
  readonly restarts: boolean;
  readonly successor: LiveResource | null;
  /** True for a new member of a set if another resource already has the member's name. */
  readonly isForeign: boolean;
}

type OwnChange = Pick<Change, 'action' | 'before' | 'after'> & Partial<Change>;
type Subject = Pick<Change, 'address' | 'name' | 'matchedBy' | 'source'> & Pick<Draft, 'live'>;

/** Returns a draft that sends nothing and depends on nothing, unless `content` says otherwise. */
export function draftFor(scope: Scope, subject: Subject, own: OwnChange, content: Partial<Draft>): Draft {
  const { live, ...named } = subject;
  const spec = live?.spec ?? content.desired?.spec ?? {};
  return {
    key: `${own.action}:${named.address}`,
    scope,
    change: {
      kind: scope.rules.kind,
      ...named,
      resourceId: live?.id ?? null,
      projectId: scope.projectId,
      ...parentIdOf(scope, spec),
      attributes: [],
      reasons: [],
      blockedBy: [],
      held: [],
      due: false,
      origin: 'file',
      lastOperation: live === null ? null : lastOperationOf(scope, live.id, own.action),
      replacePaths: [],
      ...own,
      ...effectOf(scope, named.address, own, live),
    },
    desired: null,
    live,
    specAfter: null,
    send: {},
    expect: {},
    options: {},
    restsOn: [],
    needsAllowance: null,
    consented: false,
    isGuess: false,
    isStale: false,
    isAsked: own.action !== 'none' && (scope.due || own.due !== true),
    restarts: false,
    successor: null,
    isForeign: false,
    ...content,
  };
}

/** Actions after which a new secret exists, if the kind has secrets. */
export const MAKES_SECRET: ReadonlySet<Action> = new Set(['create', 'rotate', 'replace']);

export function draftOf(scope: Scope, binding: Binding, own: OwnChange, content: Partial<Draft> = {}): Draft {
  const { desired, live, inherited, stalePin } = binding;
  const sinks = MAKES_SECRET.has(own.action) && own.after !== null ? sinksOf(desired).map(sinkLabel) : [];
  const differs = live !== null && (own.attributes ?? []).length > 0;
  const changedAt = differs ? changedWithoutOperation(scope, live) : null;
  const known: OwnChange = {
    ...own,
    ...(inherited === undefined || own.resourceId !== undefined ? {} : { resourceId: null }),
    ...(changedAt === null ? {} : { changedAt }),
    ...(isUnpinned(scope, binding) ? { pinned: false } : {}),
    ...(sinks.length === 0 ? {} : { sinks }),
  };
  const { address, name, source } = desired;
  const subject = { address, name, source, live, matchedBy: binding.matchedBy };
  return draftFor(scope, subject, known, { desired, isStale: stalePin, ...content });
}

function effectOf(
  { rules, project, around, parent }: Scope,
  address: Address,
  { action, before, after, attributes = [], notes = [], sinks }: OwnChange,
  live: Draft['live'],
): Pick<Change, 'impact' | 'impactDetails' | 'notes' | 'consents'> {
  const stored = sinks === undefined ? {} : { sinks };
  const below = parent?.id === null ? { isBelowUnborn: true } : {};
  const input = { action, before, after, attributes, live, ...stored, project, around, ...below };
  const effect: Effect = rules.effects[action]?.(input) ?? NO_EFFECT;
  const said = { impact: effect.impact, impactDetails: effect.details, notes: [...notes, ...effect.notes] };
  if (rules.consentWords === undefined || action === 'none') return said;
  const { consents = [] } = effect;
  const words = consents.length === 0 && removes({ action }) ? [DROP] : consents;
  return { ...said, consents: words.toSorted(compareText).map((word) => ({ word, address, given: null })) };
}

export const NO_EFFECT: Effect = { impact: ['none'], details: {}, notes: [] };

export function parentIdOf({ parent, rules }: Scope, spec: JsonObject): { readonly parentId?: ResourceId } {
  const id = parent?.id ?? homeOf(rules, spec);
  return id === null ? {} : { parentId: id };
}

/** Returns an error about a draft, at the source range of its declaration. */
export function errorOn(
  { change: { address, source } }: Draft,
  code: string,
  message: string,
  hint: string,
  more: Partial<Diagnostic> = {},
): Diagnostic {
  return errorOf(code, message, hint, { address, ...present({ range: source }), ...more });
}

export function amend(draft: Draft, more: Partial<Change>): void {
  draft.change = { ...draft.change, ...more };
}

export function blockForeign(draft: Draft, { id, marks }: LiveResource): void {
  note(
    draft,
    marks === null
      ? `the service does not show whether trueup created ${id}, which has this name`
      : `${id} has this name, and trueup did not create it for this set`,
  );
  block(draft, marks === null ? 'unread' : 'foreign');
}

export function block(draft: Draft, ...blocks: readonly Block[]): void {
  const { blockedBy } = draft.change;
  if (blocks.some((one) => !blockedBy.includes(one)))
    amend(draft, { blockedBy: [...new Set([...blockedBy, ...blocks])].sort() });
}

export function note(draft: Draft, ...notes: readonly string[]): void {
  amend(draft, { notes: [...new Set([...draft.change.notes, ...notes])] });
}

export function isAction(draft: Draft): boolean {
  return draft.change.action !== 'none';
}

export function addressesOf(change: Pick<Change, 'address' | 'resourceId'>, scope: string): string[] {
  return change.resourceId === null ? [change.address] : [change.address, `${scope}/${change.resourceId}`];
}

export function removes({ action }: Pick<Change, 'action'>): boolean {
  return action === 'delete' || action === 'replace' || action === 'revoke';
}

/** True for a removal, and for an expiry that leads to the deletion of the resource. */
export function takesAway({ action, impact }: Pick<Change, 'action' | 'impact'>): boolean {
  return removes({ action }) || impact.some((word) => traitsOf(word)?.isRemoval === true);
}

/** True if the change deletes data, at once or later: a removal, an expiry, or a reset. */
export function losesData(change: Pick<Change, 'action' | 'impact' | 'consents'>): boolean {
  return takesAway(change) || drops(change);
}

export function removalOf({ requests }: Pick<KindRules, 'requests'>): 'delete' | 'revoke' {
  return requests.delete === undefined && requests.revoke !== undefined ? 'revoke' : 'delete';
}

/** True for a kind without requests: its resources follow from other resources. */
export function isDerived({ requests }: Pick<KindRules, 'requests'>): boolean {
  return Object.keys(requests).length === 0;
}

export function requestOf(rules: KindRules, action: StepAction, input: RequestInput): RequestDraft {
  const draft = rules.requests[action];
  assert(draft !== undefined, `a ${rules.kind} has no ${action}`);
  return draft(input);
}
