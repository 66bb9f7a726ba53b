// Finds blocks that no consent lifts: for resources that a file protects under any of their names, and for data in use.
import { canonicalAt, type KindTraits } from '../../model/attributes.ts';
import { asPart, coversAddress, RETENTION, scopeOf, type Address } from '../../model/address.ts';
import { covers, type SafetyLimits } from '../../model/desired.ts';
import { PROJECT } from '../../model/kind.ts';
import type { LiveResource } from '../../model/live.ts';
import { DROP } from '../../model/outcome/impact.ts';
import type { Block, Change } from '../../model/outcome/plan.ts';
import { addressesOf, type Draft } from '../diff/draft.ts';
import { groupBy } from '../../base/group-by.ts';
import { resourcesOf, type Matching, type Resource } from '../match/matching.ts';
import type { Scope } from '../scope.ts';

/** True if the resource, live or new, is protected by its declaration, or under a name that it has before or after the plan. */
export type IsKept = (
  scope: Scope,
  resource: Pick<Resource, 'live' | 'desired'>,
  addresses: readonly Address[],
) => boolean;

type Protecting = Pick<SafetyLimits, 'project' | 'protect' | 'isOperators' | 'wereOperators'>;

export function keeping(
  drafts: readonly Draft[],
  matchings: readonly Matching[],
  safety: readonly Protecting[],
): IsKept {
  const names = safety.some(({ protect }) => protect.length > 0) ? namesIn(drafts, matchings) : NO_NAMES;
  return (scope, { live, desired }, addresses) =>
    desired?.lifecycle.protect === true ||
    isProtected([...addresses, ...(names.get(live ?? addresses[0] ?? '') ?? [])], scope, safety);
}

/** All names of each resource, by live resource or, for a new resource, by address. */
type Names = ReadonlyMap<LiveResource | Address, readonly Address[]>;

const NO_NAMES: Names = new Map();

/**
 * True if a pattern protects the resource. The files' patterns cover the names that the files give the project. The operator's patterns
 * also cover its names in the account, and cover every project with a name that could not be read.
 */
function isProtected(
  names: readonly Address[],
  { label, project, liveProject, rules }: Scope,
  safety: readonly Protecting[],
): boolean {
  const meant = (text: string): string => (rules.key === undefined ? text : folded(rules, rules.key, text));
  const below = (own: string): readonly Address[] => names.map((name) => own + name.slice(label.length));
  const given = [project?.name, project?.renamedFrom].flatMap((name) => name ?? []);
  const byFiles = [label, liveProject?.id ?? label, ...given.map(asPart)].flatMap(below);
  const inAccount = liveProject?.namesInAccount ?? [];
  const byAll = [...byFiles, ...inAccount.flatMap((name) => (name === null ? [] : below(asPart(name))))];
  return safety.some((block) => {
    const isOperators = block.isOperators === true || block.wereOperators === true;
    const ofProject = (glob: string): string => label + glob.slice(scopeOf(glob).length);
    const isUntold = isOperators && inAccount.includes(null);
    const globs = isUntold ? block.protect.flatMap((glob) => [glob, ofProject(glob)]) : block.protect;
    const all = isOperators ? byAll : byFiles;
    return covers(block, label) && globs.some((glob) => all.some((name) => coversAddress(meant(glob), meant(name))));
  });
}

/** Brings the name in an address to its normal form, so that equal names are equal texts. The name is the last part before any `/**`. */
function folded(rules: KindTraits, key: string, text: string): string {
  return text.replace(/(?<=\/)[^/]+(?=(?:\/\*\*)?$)/u, (name) => String(canonicalAt(rules, key, name)));
}

function namesIn(drafts: readonly Draft[], matchings: readonly Matching[]): Names {
  // One resource can have several changes.
  const next = groupBy(drafts, ({ change, live }) => live ?? change.address);
  const names = new Map<LiveResource | Address, readonly Address[]>();
  const byParent = new Map<string, readonly Address[]>();
  for (const matching of matchings) {
    const { parent, rules, label } = matching.scope;
    const direct = rules.parent === null ? null : label;
    const above =
      parent === null ? [direct] : (byParent.get(`${rules.parent} ${parent.id ?? parent.address}`) ?? [parent.address]);
    for (const resource of resourcesOf(matching)) {
      const { address, live } = resource;
      const now = live === null ? [] : [live.spec[rules.key ?? 'name'], live.id];
      const later = (next.get(live ?? address) ?? []).map(({ specAfter }) => specAfter?.['name']);
      const own = [...now, ...later].filter((name) => typeof name === 'string');
      const found = addressesFor(matching.scope, above, resource, own);
      names.set(live ?? address, found);
      byParent.set(`${rules.kind} ${live?.id ?? address}`, found);
    }
  }
  return names;
}

/** Returns the addresses of a resource by its label and its names, below each name of its parent. */
function addressesFor(
  { label, rules, parent }: Scope,
  above: readonly (Address | null)[],
  { address, live, desired }: Resource,
  own: readonly string[],
): readonly Address[] {
  if (rules.kind === PROJECT) return [label];
  const labelled =
    parent === null
      ? addressesOf({ address, resourceId: live?.id ?? null }, label)
      : above.map((one) => `${one}${address.slice(parent.address.length)}`);
  // A member of a set has addresses only below its set, whatever its name in the account.
  if (parent === null && desired?.set !== undefined) return labelled;
  const named = above.flatMap((one) =>
    own.map((name) => [one, rules.segment, asPart(name)].filter((part) => part !== null).join('/')),
  );
  return [...new Set([...labelled, ...named])];
}

export function aboveOf(address: Address): readonly Address[] {
  const parts = address.split('/');
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'));
}

export function drops({ consents = [] }: Pick<Change, 'consents'>): boolean {
  return consents.some(({ word }) => word === DROP);
}

/** True for a drop that counts against limits; a retention rule has limits of its own. */
export function isLimited(change: Pick<Change, 'consents' | 'origin'>): boolean {
  return drops(change) && change.origin !== RETENTION;
}

/** Returns the block of a drop whose data was in use lately; `nowMs` is null if the time is not known. */
export function inUse(
  { change, live, scope, consented }: Draft,
  safety: readonly SafetyLimits[],
  nowMs: number | null,
): Block | null {
  if (live === null || consented || !isLimited(change)) return null;
  const needed = safety.flatMap((block) => (covers(block, scope.label) ? (block.unlessIdleMs ?? []) : []));
  if (needed.length === 0) return null;
  if (nowMs === null) return 'clock_unknown';
  const lastMs = scope.rules.contents?.lastUse?.(live, scope.around) ?? null;
  return lastMs !== null && nowMs - lastMs < Math.max(...needed) ? 'not_idle' : null;
}
