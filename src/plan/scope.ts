// Builds scopes: a scope has all declarations and live resources of one kind below one parent, because planning handles these together.
import { identityOf, namedBy, nameOf } from '../model/attributes.ts';
import { groupBy, groupWithin } from '../base/group-by.ts';
import { compareText, textOf, type JsonObject } from '../base/json.ts';
import { scopeOf, type Address } from '../model/address.ts';
import { addressBelow, PROJECT } from '../model/kind.ts';
import type { DesiredProject, DesiredResource, ResourceId } from '../model/desired.ts';
import type { LiveProject, LiveResource, OperationHistory, OperationRecord } from '../model/live.ts';
import type { PlanInput } from './input.ts';
import { gapsOf, type Gaps } from './selection.ts';
import type { KindContext, KindRules, Within } from './kind-rules.ts';
import { isUnborn } from '../model/values.ts';

export interface Scope extends KindContext {
  /** The label of the project; for an account-wide kind, the section of the kind. */
  readonly label: string;
  readonly rules: KindRules;
  readonly projectId: string | null;
  /** True if the project declares only `isApart` kinds, and this kind was read only to plan these: its resources do not count as unlisted. */
  readonly isOnlyAround: boolean;
  readonly along: Along | null;
  /** Null if the parent is the project or the account itself. */
  readonly parent: ScopeParent | null;
  /** Sorted by age, oldest first, then by id. */
  readonly live: readonly LiveResource[];
  /** Operations of the log, by the resource that they name, newest first. */
  readonly operations: ReadonlyMap<ResourceId, readonly OperationRecord[]>;
  /** The time at which holds are judged: -Infinity if the time is not known, so that every hold counts. */
  readonly holdsAtMs: number;
  readonly homeOf: (id: ResourceId) => string | null;
  readonly allow: PlanInput['allow'];
  readonly due: boolean;
}

export interface ScopeParent {
  readonly address: Address;
  /** Null for a resource of the account. */
  readonly projectId: string | null;
  /** Null while the parent does not exist; its scope then has no live resources. */
  readonly id: ResourceId | null;
  /** True if the parent is deleted with its contents. */
  readonly isGoing?: boolean;
  /** Declarations below the parent that a rule makes, not a file; once the parent is deleted, trueup clears their sinks. */
  readonly contents?: readonly DesiredResource[];
  /** The resource that the parent will copy, contents included; missing if the parent is not a copy to be created. */
  readonly copyOf?: Address;
  /** True if the parent is declared or is the origin of a new copy: its contents may have been read for this reason only. */
  readonly isAround?: boolean;
}

/** Returns a function from a kind, and the resources that can be its parents, to its scopes. */
export function scopesOf(input: PlanInput): (rules: KindRules, parents: readonly ScopeParent[]) => readonly Scope[] {
  const gaps = gapsOf(input.live.unread, input.kinds);
  const projects = [...input.live.projects]
    .sort((a, b) => compareText(a.label, b.label) || compareText(a.id, b.id))
    .filter(({ label, id }) => !gaps.whole.has(label) && !gaps.whole.has(id));
  const scopeIn = scopeMaker(input, gaps, projects);
  return (rules, parents) => {
    if (rules.parent === null) return gaps.whole.has(rules.section) ? [] : [scopeIn(rules, null, null)];
    const isRead = ({ projectId, parentId }: Scope): boolean => !gaps.isUnread(rules, projectId, parentId);
    if (rules.parent === PROJECT) return projects.map((project) => scopeIn(rules, project, null)).filter(isRead);
    const byProject = groupBy(parents.toSorted(byAddress), ({ projectId }) => projectId ?? '');
    // A project (or the account: null) without a resource that can be a parent gets no scopes.
    return [null, ...projects]
      .flatMap((project) => (byProject.get(project?.id ?? '') ?? []).map((parent) => scopeIn(rules, project, parent)))
      .filter((scope) => scope.declared.length + scope.live.length > 0 && isRead(scope));
  };
}

type ScopeMaker = (rules: KindRules, project: LiveProject | null, parent: ScopeParent | null) => Scope;

function scopeMaker(input: PlanInput, gaps: Gaps, projects: readonly LiveProject[]): ScopeMaker {
  const { kinds, nowMs, live, made = NOTHING_MADE, clockDoubt = null, allow, due } = input;
  const declarations = new Map(input.desired.projects.map((declaration) => [declaration.label, declaration]));
  const desired = groupWithin(input.desired.resources, ({ address, scope, parent }) =>
    gaps.whole.has(address) ? '' : (parent ?? scope),
  );
  const ofAccount = new Set(kinds.flatMap(({ kind, parent }) => (parent === null ? [kind] : [])));
  const listed = groupWithin(live.resources, (one) => (ofAccount.has(one.kind) ? '' : belowKey(one)));
  const around = groupBy(live.resources, ({ projectId }) => projectId ?? '');
  const kindsIn = groupBy(input.desired.resources, ({ scope }) => scope);
  const apart = new Set(kinds.flatMap(({ kind, isApart }) => (isApart === true ? [kind] : [])));
  const isOnlyItself = (label: string): boolean => kindsIn.get(label)?.every(({ kind }) => apart.has(kind)) === true;
  const along = alongOf(projects, kinds, kindsIn, live.facts);
  const homeOf: Scope['homeOf'] = (id) => {
    const home = live.resources.find((one) => one.id === id)?.projectId;
    return live.projects.find((project) => project.id === home)?.label ?? null;
  };
  return (rules, project, parent) => {
    const label = project?.label ?? scopeOf(parent?.address ?? rules.section);
    const declaration = declarations.get(label);
    const isDeclared = isMeant(project, declaration);
    const meant = isDeclared ? (declaration ?? null) : null;
    const projectId = project?.id ?? null;
    const [inProject, parentId] = [projectId ?? '', parent?.id ?? null];
    const history = live.histories.get(inProject) ?? null;
    const beside: KindContext['beside'] = (kind) => ({
      declared: isDeclared ? (desired.get(kind)?.get(parent?.address ?? label) ?? []) : [],
      facts: live.facts.get(kind) ?? {},
    });
    const { declared: own, facts } = beside(rules.kind);
    const { contents = [] } = parent ?? {};
    const declared = [...own, ...contents.filter(({ kind }) => kind === rules.kind)].sort(byAddress);
    const there = parent?.id === null ? [] : (listed.get(rules.kind)?.get(belowKey({ projectId, parentId })) ?? []);
    return {
      label,
      rules,
      projectId,
      along: along.get(inProject) ?? null,
      isOnlyAround: rules.isApart !== true && isOnlyItself(label),
      parent,
      live: there.toSorted(byAge),
      operations: there.length === 0 ? NO_OPERATIONS : operationsOf(history, rules.operations),
      holdsAtMs: clockDoubt === null ? nowMs : -Infinity,
      homeOf,
      allow,
      due,
      nowMs,
      history,
      noHistory: (input.noHistory ?? false) || gaps.unlogged.has(inProject),
      facts,
      beside,
      around: around.get(inProject) ?? [],
      made,
      declared,
      project: meant,
      liveProject: project,
      parentId,
    };
  };
}

/** True if the declaration means this project. If the file gives an id, an equal name is not enough. */
function isMeant(project: LiveProject | null, declaration: DesiredProject | undefined): boolean {
  const { id = null, mayBeMade, isGoing } = declaration ?? {};
  // If the declared id is gone, the id is a placeholder or, for a project to create, the id of the live project with the same name.
  return id === null || id === project?.id || mayBeMade === true || isGoing === true;
}

interface Along {
  readonly within: Within;
  readonly addresses: readonly Address[];
}

function alongOf(
  projects: readonly LiveProject[],
  kinds: readonly KindRules[],
  declared: ReadonlyMap<string, readonly DesiredResource[]>,
  facts: PlanInput['live']['facts'],
): ReadonlyMap<string, Along> {
  const root = kinds.find(({ kind }) => kind === PROJECT);
  const found = new Map<string, Along>();
  for (const { id, label } of projects) {
    const own = isUnborn({ projectId: id }) ? (declared.get(label) ?? []) : [];
    const itself = own.find(({ kind, absent }) => kind === PROJECT && !absent);
    if (itself === undefined) continue;
    const within = { desired: itself, declared: own, facts: facts.get(PROJECT) ?? {} };
    const input = { projectId: id, parentId: null, id: null, attributes: itself.spec, live: null, within };
    found.set(id, { within, addresses: root?.requests.create?.(input).makes ?? [] });
  }
  return found;
}

function belowKey({
  projectId,
  parentId = null,
}: Pick<LiveResource, 'projectId'> & { readonly parentId?: ResourceId | null }): string {
  return parentId === null ? (projectId ?? '') : `${projectId ?? ''} ${parentId}`;
}

const NOTHING_MADE: KindContext['made'] = new Map();
const NO_OPERATIONS: Scope['operations'] = new Map();

function operationsOf(history: OperationHistory | null, table: KindRules['operations']): Scope['operations'] {
  if (history === null || table === undefined || table.names === 'parent') return NO_OPERATIONS;
  const newestFirst = [...history.operations].sort(
    (a, b) => (b.createdAtMs ?? 0) - (a.createdAtMs ?? 0) || compareText(b.id, a.id),
  );
  return groupBy(newestFirst, (operation) => table.subjectOf(operation) ?? '');
}

/** True if the request that creates the project also creates this resource. */
export function isAlong({ along }: Scope, address: Address): boolean {
  return along?.addresses.includes(address) === true;
}

/** True if `unmanaged_ok` lists the resource's id or slot, or `labels` contains its id: trueup neither reports nor prunes the resource. */
export function isAccepted({ project, rules }: Scope, live: LiveResource): boolean {
  const ok = project?.unmanagedOk ?? [];
  const accepted = [...ok, ...Object.values(project?.labels ?? {})];
  return accepted.includes(live.id) || identityOf(rules).some((path) => ok.includes(String(live.spec[path])));
}

export function unlistedAddress({ label, parent, rules, declared }: Scope, live: LiveResource): Address {
  if (rules.kind === PROJECT) return label;
  if (parent === null && rules.key === undefined) return `${label}/${live.id}`;
  const above = parent?.address ?? label;
  const byName = addressBelow(above, rules, nameOf(rules, live));
  // If a declared label equals this name, the address contains the id instead.
  return declared.some(({ address }) => address === byName) ? addressBelow(above, rules, live.id) : byName;
}

/** Returns a key of the slot that a spec gives a resource; no other slot in any scope has this key. Null if the spec is null or gives no slot. */
export function placeIn({ rules, parent, projectId }: Scope, spec: JsonObject | null): string | null {
  const place = spec && rules.place(spec);
  return place === null ? null : `${parent?.address ?? projectId ?? ''}\n${rules.kind}\n${place}`;
}

export function byAddress(a: { readonly address: string }, b: { readonly address: string }): number {
  return compareText(a.address, b.address);
}

function byAge(a: LiveResource, b: LiveResource): number {
  const left = a.createdAtMs ?? Infinity;
  const right = b.createdAtMs ?? Infinity;
  return left < right ? -1 : left > right ? 1 : compareText(a.id, b.id);
}

/** Returns the resource's name in the API; null if the spec has none, or the API keeps no names for the kind. */
export function nameIn({ rules }: Scope, spec: JsonObject): string | null {
  const path = namedBy(rules);
  return path === null ? null : textOf(spec[path]);
}
