// What is not to go, whoever consents: what is protected, by which names it is, and what is in use.
import { canonicalAt, type KindTraits } from '../../model/attributes.ts';
import { asPart, coversAddress, scopeOf, type Address } from '../../model/address.ts';
import { covers, type SafetyLimits } from '../../model/desired.ts';
import { PROJECT } from '../../model/kind.ts';
import type { LiveResource } from '../../model/live.ts';
import { DROP } from '../../model/outcome/consent.ts';
import type { Block, Change } from '../../model/outcome/plan.ts';
import { addressesOf, type Draft } from '../diff/draft.ts';
import type { Matching } from '../match/matching.ts';
import { unlistedAddress, type Scope } from '../scope.ts';

/** By its declaration, or by anything that it can be called. */
export function protects(
  { desired, change, scope, live }: Draft,
  safety: readonly SafetyLimits[],
  names: Names,
): boolean {
  const all = [...addressesOf(change, scope.label), ...namesOf({ address: change.address, live }, names)];
  return desired?.lifecycle.protect === true || isProtected(all, scope, safety);
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
  const meant = (text: string): string => (rules.key === undefined ? text : folded(rules, rules.key, text));
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

/** With its name in the form in which equal names are equal: the last part, or the one before a closing `**`; not that of a project. */
function folded(rules: KindTraits, key: string, text: string): string {
  return text.replace(/(?<=\/)[^/]+(?=(?:\/\*\*)?$)/u, (name) => String(canonicalAt(rules, key, name)));
}

/** The pattern as it would be if it named this project. */
function ofProject(glob: string, label: string): string {
  return label + glob.slice(scopeOf(glob).length);
}

/** What protection goes by. */
export interface Protecting {
  readonly matchings: readonly Matching[];
  readonly safety: readonly SafetyLimits[];
  readonly names: Names;
}

/**
 * All that something can be called, now and once the plan is done: so people protect it, whatever files call it, and a second run would find
 * it so. By what is live, and by the address of what is to be made.
 */
export type Names = ReadonlyMap<LiveResource | Address, readonly Address[]>;

/** A resource with its address; `live` is null for what is to be made. */
interface Called {
  readonly address: Address;
  readonly live: LiveResource | null;
}

export function namesOf({ address, live }: Called, names: Names): readonly Address[] {
  return names.get(live ?? address) ?? [address];
}

/** Empty where no pattern protects anything. */
export function namesIn(
  drafts: readonly Draft[],
  matchings: readonly Matching[],
  safety: readonly SafetyLimits[],
): Names {
  const names = new Map<LiveResource | Address, readonly Address[]>();
  if (safety.every(({ protect }) => protect.length === 0)) return names;
  const next = nextNames(drafts);
  const byParent = new Map<string, readonly Address[]>();
  for (const { scope, bindings } of matchings) {
    const { parent, rules } = scope;
    const above =
      parent === null
        ? [placeOf(scope)]
        : (byParent.get(`${rules.parent} ${parent.id ?? parent.address}`) ?? [parent.address]);
    const labels = new Map(bindings.map(({ live, desired: { address } }) => [live, address]));
    const made = bindings.filter(({ live, desired }) => live === null && !desired.absent);
    const things: readonly Called[] = [
      ...scope.live.map((live) => ({ address: labels.get(live) ?? unlistedAddress(scope, live), live })),
      ...made.map(({ desired: { address } }) => ({ address, live: null })),
    ];
    for (const thing of things) {
      const { address, live } = thing;
      const now = live === null ? [] : [live.spec[rules.key ?? 'name'], live.id];
      const own = [...now, ...(next.get(live ?? address) ?? [])].filter((name) => typeof name === 'string');
      const found = addressesFor(scope, above, thing, own);
      names.set(live ?? address, found);
      byParent.set(`${rules.kind} ${live?.id ?? address}`, found);
    }
  }
  return names;
}

/** What changes call their resource once they are done: several may be of one. */
function nextNames(drafts: readonly Draft[]): ReadonlyMap<LiveResource | Address, readonly string[]> {
  const next = new Map<LiveResource | Address, readonly string[]>();
  for (const { change, live, specAfter } of drafts) {
    const key = live ?? change.address;
    const name = specAfter?.['name'];
    if (typeof name === 'string') next.set(key, [...(next.get(key) ?? []), name]);
  }
  return next;
}

/** What the resources of the scope lie below; null for a kind that is below nothing. */
function placeOf({ label, rules }: Scope): Address | null {
  return rules.parent === null ? null : label;
}

/** Where it stands by its label, and where by each of its own names, below all that its parent can be called. */
function addressesFor(
  { label, rules, parent }: Scope,
  above: readonly (Address | null)[],
  { address, live }: Called,
  own: readonly string[],
): readonly Address[] {
  if (rules.kind === PROJECT) return [label];
  const labelled =
    parent === null
      ? addressesOf({ address, resourceId: live?.id ?? null }, label)
      : above.map((one) => `${one}${address.slice(parent.address.length)}`);
  const named = above.flatMap((one) =>
    own.map((name) => [one, rules.segment, asPart(name)].filter((part) => part !== null).join('/')),
  );
  return [...new Set([...labelled, ...named])];
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
  const lastMs = scope.rules.contents?.lastUse?.ms(live, scope.around) ?? null;
  return lastMs !== null && nowMs - lastMs < Math.max(...needed) ? ['not_idle'] : [];
}
