// What is not to go, whoever consents: what is protected, by which names it is, and what is in use.
import { asPart, coversAddress, scopeOf, type Address } from '../../model/address.ts';
import { covers, type SafetyLimits } from '../../model/desired.ts';
import { PROJECT } from '../../model/kind.ts';
import type { LiveResource } from '../../model/live.ts';
import { DROP } from '../../model/outcome/consent.ts';
import type { Block, Change } from '../../model/outcome/plan.ts';
import { addressesOf, type Draft } from '../diff/draft.ts';
import type { Matching } from '../match/matching.ts';
import type { Scope } from '../scope.ts';

/** By all that the files and the account call it, and by the name that the change gives it: a second run would find it under that. */
export function protects(
  { desired, change, scope, live, specAfter }: Draft,
  safety: readonly SafetyLimits[],
  names: LiveNames,
): boolean {
  const called = namesOf(live, names);
  const next = specAfter?.['name'];
  const nextCalled = typeof next === 'string' ? called.map((name) => aboveIn(name) + asPart(next)) : [];
  const all = [...addressesOf(change, scope.label), ...called, ...nextCalled];
  return desired?.lifecycle.protect === true || isProtected(all, scope, safety);
}

/** The address up to its last part. */
function aboveIn(address: Address): string {
  return address.slice(0, address.lastIndexOf('/') + 1);
}

/**
 * True where a pattern covers one of its names, below its project as the files call that (label, id, name, former name); one of the operator's
 * also as the account calls it, and where that could not be told, as if it named this project.
 */
export function isProtected(
  names: readonly Address[],
  { label, project, declaration, rules }: Pick<Scope, 'label' | 'project' | 'declaration' | 'rules'>,
  safety: readonly SafetyLimits[],
): boolean {
  const meant = (text: string): string => (rules.isCaseless === true ? folded(text) : text);
  const below = (own: string): readonly Address[] => names.map((name) => own + name.slice(label.length));
  const given = [declaration?.name, declaration?.renamedFrom].flatMap((name) => name ?? []);
  const byFiles = [label, project?.id ?? label, ...given.map(asPart)].flatMap(below);
  const inAccount = project?.namesInAccount ?? [];
  const byAll = [...byFiles, ...inAccount.flatMap((name) => (name === null ? [] : below(asPart(name))))];
  const isUntold = inAccount.includes(null);
  return safety.some((block) => {
    const isOperators = block.isOperators === true || block.wereOperators === true;
    const globs =
      isOperators && isUntold ? block.protect.flatMap((glob) => [glob, ofProject(glob, label)]) : block.protect;
    const all = isOperators ? byAll : byFiles;
    return covers(block, label) && globs.some((glob) => all.some((name) => coversAddress(meant(glob), meant(name))));
  });
}

/** With its name in one case: the last part, or the one before a closing `**`; not that of a project. */
function folded(text: string): string {
  return text.replace(/(?<=\/)[^/]+(?=(?:\/\*\*)?$)/u, (name) => name.toLowerCase());
}

/** The pattern as it would be if it named this project. */
function ofProject(glob: string, label: string): string {
  return label + glob.slice(scopeOf(glob).length);
}

/** What protection goes by. */
export interface Protecting {
  readonly matchings: readonly Matching[];
  readonly safety: readonly SafetyLimits[];
  readonly names: LiveNames;
}

/** What everything that is live would be called if it were declared by its name, or by its id: so people protect it, whatever files call it. */
export type LiveNames = ReadonlyMap<LiveResource, readonly Address[]>;

export function namesOf(live: LiveResource | null, names: LiveNames): readonly Address[] {
  return (live === null ? undefined : names.get(live)) ?? [];
}

/** Empty where no pattern protects anything. */
export function namesIn(matchings: readonly Matching[], safety: readonly SafetyLimits[]): LiveNames {
  const names = new Map<LiveResource, readonly Address[]>();
  if (safety.every(({ protect }) => protect.length === 0)) return names;
  const byId = new Map<string, readonly Address[]>();
  for (const { scope } of matchings)
    for (const live of scope.live) {
      const above =
        scope.parent === null ? [placeOf(scope)] : (byId.get(scope.parent.id ?? '') ?? [scope.parent.address]);
      const own = above.flatMap((parent) => addressesBelow(parent, scope, live));
      names.set(live, own);
      byId.set(live.id, own);
    }
  return names;
}

/** What the resources of the scope lie below; null for a kind that is below nothing. */
function placeOf({ label, rules }: Scope): Address | null {
  return rules.parent === null ? null : label;
}

function addressesBelow(parent: Address | null, { label, rules }: Scope, live: LiveResource): readonly Address[] {
  if (rules.kind === PROJECT) return [label];
  const name = rules.nameOf?.(live) ?? live.spec['name'];
  const called = new Set(typeof name === 'string' ? [name, live.id] : [live.id]);
  return [...called].map((one) => [parent, rules.segment, asPart(one)].filter((part) => part !== null).join('/'));
}

/** All that an address is below, by address. */
export function aboveOf(address: Address): readonly Address[] {
  const parts = address.split('/');
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'));
}

/** True for what takes a live resource away with all that is in it. */
export function drops({ consents = [] }: Pick<Change, 'consents'>): boolean {
  return consents.some(({ word }) => word === DROP);
}

/** What holds a drop back because something of it was in use not long ago; at a time that is not known (null) nobody can tell. */
export function inUse(
  { change, live, scope, consented }: Draft,
  safety: readonly SafetyLimits[],
  nowMs: number | null,
): readonly Block[] {
  if (live === null || consented || !drops(change)) return [];
  const needed = safety.flatMap((block) => (covers(block, scope.label) ? (block.unlessIdleMs ?? []) : []));
  if (needed.length === 0) return [];
  if (nowMs === null) return ['clock_unknown'];
  const lastMs = scope.rules.lastUse?.ms(live, scope.around) ?? null;
  return lastMs !== null && nowMs - lastMs < Math.max(...needed) ? ['not_idle'] : [];
}
