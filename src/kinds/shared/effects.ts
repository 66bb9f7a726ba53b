// Builds the effects of a change on data and clients, and the reasons that keep a resource from being removed.
import { listed, present } from '../../base/picked.ts';
import { canonicalJson, textOf, type Json, type JsonObject } from '../../base/json.ts';
import { bytesWords, listOf, listOfFirst } from '../../base/text/words.ts';
import { isoTime, latestMsOf } from '../../base/time/clock.ts';
import type { KindName, ResourceId } from '../../model/desired.ts';
import type { LiveResource, Stake } from '../../model/live.ts';
import type { Impact } from '../../model/outcome/impact.ts';
import type { AttributeChange } from '../../model/outcome/plan.ts';
import type { Effect, RemovalGuard } from '../../plan/kind-rules.ts';

export const NOTHING: Effect = { impact: ['none'], details: {}, notes: [] };

export function effectOf(impact: Impact, details: JsonObject & { readonly words: string }, consent?: string): Effect {
  return { impact: [impact], details: { [impact]: details }, notes: [], consents: listed(consent) };
}

export function accessChange(
  attributes: readonly AttributeChange[],
  paths?: readonly string[],
  consent?: string,
): Effect {
  const side = (value: Json): string => (value === null ? 'not set' : JSON.stringify(value));
  const changes = attributes.map(({ path, before, after }) => `${path} ${side(before)} → ${side(after)}`);
  const words = `access changes: ${changes.join(', ')}`;
  return effectOf('access_changes', { paths: paths ?? attributes.map(({ path }) => path), words }, consent);
}

export function together(...effects: readonly Effect[]): Effect {
  const found = effects.filter(({ impact }) => !impact.includes('none'));
  if (found.length === 0) return NOTHING;
  const details: Record<string, JsonObject> = {};
  for (const [impact, own] of found.flatMap((one) => Object.entries(one.details) as [string, JsonObject][])) {
    const words = [details[impact]?.['words'], own['words']].flatMap((one) => textOf(one) ?? []).join('; ');
    details[impact] = { ...details[impact], ...own, words };
  }
  return {
    impact: [...new Set(found.flatMap(({ impact }) => impact))],
    details,
    notes: effects.flatMap(({ notes }) => notes),
    consents: [...new Set(found.flatMap((one) => one.consents ?? []))],
  };
}

/** The effect of deleting a role or database that a new branch copied: only data is lost, because the new branch has no clients yet. */
export const COPY_DROPPED: Effect = effectOf('data_lost', {
  words: 'the copy on the new branch is deleted; the original on the parent branch stays',
});

export function ofKind(around: readonly LiveResource[], kind: KindName): readonly LiveResource[] {
  return around.filter((one) => one.kind === kind);
}

export function computesOn(branchId: ResourceId | null, around: readonly LiveResource[]): readonly LiveResource[] {
  return ofKind(around, 'compute').filter(({ spec }) => spec['branch_id'] === branchId);
}

export function primaryOf(branchId: ResourceId | null, around: readonly LiveResource[]): LiveResource | undefined {
  return computesOn(branchId, around).find(({ spec }) => spec['type'] === 'read_write');
}

/** Returns the last use of any compute (ms): Infinity if in use, null if never. `isCareful`: a compute without `last_active` counts as in use. */
export function lastUseOf(computes: readonly LiveResource[], isCareful = false): number | null {
  const times = computes.flatMap(({ observed }) => {
    const {
      current_state: state,
      pending_state: next,
      last_active: last,
      started_at: start,
      suspended_at: end,
    } = observed;
    // In any state but idle, the compute may serve clients now.
    if (state !== 'idle' || (next ?? state) !== 'idle') return [Infinity];
    const lastMs = latestMsOf(last);
    if (lastMs !== null) return [lastMs];
    return isCareful ? [Infinity] : listed(latestMsOf(start), latestMsOf(end));
  });
  return times.length === 0 ? null : times.reduce((last, ms) => Math.max(last, ms));
}

export function lastUseTold(computes: readonly LiveResource[]): { readonly words: string; readonly facts: JsonObject } {
  const lastMs = lastUseOf(computes);
  if (lastMs === Infinity) return { words: 'in use now', facts: { in_use: true } };
  const at = lastMs === null ? null : isoTime(lastMs);
  const never = computes.length === 0 ? 'no compute serves it' : 'never used';
  return { words: at === null ? never : `last used ${at}`, facts: { last_active: at } };
}

const NAMED = 10;

export function namedWords(one: string, many: string, names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  return [`the ${names.length === 1 ? one : many} ${listOfFirst(names.toSorted(), NAMED)}`];
}

export function bytesOf(branches: readonly LiveResource[]): number | null {
  const sizes = branches.flatMap(({ observed: { logical_size: size } }) => (typeof size === 'number' ? [size] : []));
  return sizes.length === 0 ? null : sizes.reduce((sum, one) => sum + one, 0);
}

interface Deleted {
  readonly path: string;
  readonly computes: readonly LiveResource[];
  readonly branches: readonly LiveResource[];
  readonly contents: readonly LiveResource[];
  readonly nameOf: (live: LiveResource) => string;
  readonly more?: { readonly words: readonly string[]; readonly facts: JsonObject };
}

/** Returns the effect of a soft deletion: the service keeps a deleted branch or project recoverable for seven days. */
export function shelved({ path, computes, branches, contents, nameOf, more }: Deleted): Effect {
  const used = lastUseTold(computes);
  const bytes = bytesOf(branches);
  const named = (['branch', 'compute', 'role', 'database'] as const).flatMap((kind) =>
    namedWords(kind, kind === 'branch' ? 'branches' : `${kind}s`, ofKind(contents, kind).map(nameOf)),
  );
  const all = [`its data${bytes === null ? '' : ` (${bytesWords(bytes)})`}`, ...named];
  const recoverable = `recoverable for 7 days (POST ${path}/recover)`;
  return effectOf('data_shelved', {
    words: [`deletes ${listOf(all)}`, used.words, ...(more?.words ?? []), recoverable].join('; '),
    ...present({ logical_size: bytes }),
    ...used.facts,
    ...more?.facts,
    recoverable_days: 7,
  });
}

/** `isShared`: the branches have other data, too, so what is written to them says nothing. */
export function stakeOf(computes: readonly LiveResource[], branches: readonly LiveResource[], isShared = false): Stake {
  const lastMs = lastUseOf(computes);
  const usedAt = lastMs === null ? null : lastMs === Infinity ? 'now' : isoTime(lastMs);
  const versions = branches.flatMap(({ id, observed: { last_reset_at: reset, written_data_bytes: bytes } }) => {
    const written = isShared ? undefined : bytes;
    return reset === undefined && written === undefined ? [] : [canonicalJson([id, reset ?? null, written ?? null])];
  });
  return { usedAt, version: versions.length === 0 ? null : versions.sort().join(' '), bytes: bytesOf(branches) };
}

interface Keeper {
  /** True if the resource must be kept for this reason; undefined or null if the service does not show whether the reason applies. */
  readonly isSo: Json | undefined;
  readonly why: string;
  readonly unknown: string;
}

/** Makes protection a reason to keep a resource, because the service deletes nothing that is protected. */
export function protection(isSo: Json | undefined, name: string, is: string = 'is'): Keeper {
  return {
    isSo,
    why: `${name} ${is} protected: write \`protected: false\` there first, and apply that change`,
    unknown: `the service does not show whether ${name} ${is} protected`,
  };
}

/** Blocks a removal if a reason to keep the resource holds, or if the service does not show whether the reason holds. */
export function keptBy(keepers: readonly Keeper[]): RemovalGuard {
  const refusing = keepers.filter(({ isSo }) => isSo === true);
  const unknown = keepers.filter(({ isSo = null }) => isSo === null);
  return {
    blockedBy: listed(refusing.length > 0 && 'refused', unknown.length > 0 && 'unread'),
    notes: [...refusing.map(({ why }) => why), ...unknown.map((one) => one.unknown)],
  };
}
