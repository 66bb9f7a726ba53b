// Protection that no consent lifts: protected resources, by all of their names, and data in use.
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

/** By its declaration, or by any of its names. */
export function protects(
  { desired, change, scope, live }: Draft,
  safety: readonly SafetyLimits[],
  names: Names,
): boolean {
  const all = [...addressesOf(change, scope.label), ...namesOf({ address: change.address, live }, names)];
  return desired?.lifecycle.protect === true || isProtected(all, scope, safety);
}

/**
 * A pattern of the files covers the names that the files give the project. A pattern of the operator also covers its name in the
 * account, and covers every project whose name could not be read.
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

/** Folds the name, which is the last part or the part before a closing `**`, so that equal names are equal texts. */
function folded(rules: KindTraits, key: string, text: string): string {
  return text.replace(/(?<=\/)[^/]+(?=(?:\/\*\*)?$)/u, (name) => String(canonicalAt(rules, key, name)));
}

function ofProject(glob: string, label: string): string {
  return label + glob.slice(scopeOf(glob).length);
}

export interface Protecting {
  readonly matchings: readonly Matching[];
  readonly safety: readonly SafetyLimits[];
  readonly names: Names;
}

/** All names of a resource, before and after the plan, by its live resource or by the address of a new one. */
export type Names = ReadonlyMap<LiveResource | Address, readonly Address[]>;

/** `live` is null for a new resource. */
interface Called {
  readonly address: Address;
  readonly live: LiveResource | null;
}

export function namesOf({ address, live }: Called, names: Names): readonly Address[] {
  return names.get(live ?? address) ?? [address];
}

/** Empty without a pattern. */
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

/** The names after the plan; several changes can be of one resource. */
function nextNames(drafts: readonly Draft[]): ReadonlyMap<LiveResource | Address, readonly string[]> {
  const next = new Map<LiveResource | Address, readonly string[]>();
  for (const { change, live, specAfter } of drafts) {
    const key = live ?? change.address;
    const name = specAfter?.['name'];
    if (typeof name === 'string') next.set(key, [...(next.get(key) ?? []), name]);
  }
  return next;
}

/** Null for a kind without a parent. */
function placeOf({ label, rules }: Scope): Address | null {
  return rules.parent === null ? null : label;
}

/** Addresses by its label and its names, below each name of its parent. */
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

/** All addresses above an address. */
export function aboveOf(address: Address): readonly Address[] {
  const parts = address.split('/');
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'));
}

export function drops({ consents = [] }: Pick<Change, 'consents'>): boolean {
  return consents.some(({ word }) => word === DROP);
}

/** Blocks of a drop of data that was in use lately; `nowMs` is null if the time is not known. */
export function inUse(
  { change, live, scope, consented }: Draft,
  safety: readonly SafetyLimits[],
  nowMs: number | null,
): readonly Block[] {
  if (live === null || consented || !drops(change)) return [];
  const needed = safety.flatMap((block) => (covers(block, scope.label) ? (block.unlessIdleMs ?? []) : []));
  if (needed.length === 0) return [];
  if (nowMs === null) return ['clock_unknown'];
  const lastMs = scope.rules.contents?.lastUse?.(live, scope.around) ?? null;
  return lastMs !== null && nowMs - lastMs < Math.max(...needed) ? ['not_idle'] : [];
}
