// Keys of one kind as rows: whose each one is, where its value lies, and where its rotation stands.
import { humanDuration } from '../../base/time/duration.ts';
import { compareText, textOf } from '../../base/json.ts';
import { keyRotation, liveKey, newestFirst, retirement, type LiveKey } from '../../kinds/api-key/key.ts';
import { sinkLabel, sinksOf, type DesiredResource } from '../../model/desired.ts';
import type { Address } from '../../model/address.ts';
import type { LiveResource } from '../../model/live.ts';
import type { Change, Plan } from '../../model/outcome/plan.ts';
import type { KeyRow } from '../../render/tables/keys.ts';

export interface KeyRowsInput {
  readonly live: readonly LiveResource[];
  /** Declared keys; empty without files. */
  readonly declared: readonly DesiredResource[];
  /** The plan for them; null without files, and when errors keep it from being made: then names alone tell whose a key may be. */
  readonly plan: Plan | null;
  readonly nowMs: number;
}

/** Declared keys first, each with those that it succeeded; then the others, by name. */
export function keyRows(input: KeyRowsInput): readonly KeyRow[] {
  const keys = input.live.map(liveKey);
  const currents = currentKeys(input, keys);
  const retired = retiredKeys(input, keys, currents);
  const named = new Map(input.plan === null ? input.declared.map(({ spec, address }) => [spec['name'], address]) : []);
  const rows = keys
    .sort((a, b) => compareText(a.name, b.name) || newestFirst(a, b))
    .map((key) => currents.get(key.id)?.row ?? retired.get(key.id) ?? unlisted(key, named.get(key.name)));
  return [...rows.filter(({ address }) => address !== null), ...rows.filter(({ address }) => address === null)];
}

interface Current {
  readonly key: LiveKey;
  readonly desired: DesiredResource;
  readonly row: KeyRow;
}

/** By id: the live key that each declaration stands for, by the plan's own matching. */
function currentKeys({ declared, plan, nowMs }: KeyRowsInput, keys: readonly LiveKey[]): ReadonlyMap<string, Current> {
  const resources = new Map(declared.map((desired) => [desired.address, desired]));
  const byId = new Map(keys.map((key) => [key.id, key]));
  const found = new Map<string, Current>();
  for (const change of plan?.changes ?? []) {
    const desired = resources.get(change.address);
    const key = change.resourceId === null ? undefined : byId.get(change.resourceId);
    if (desired === undefined || key === undefined || isOfAnother(change)) continue;
    const state = change.action === 'revoke' ? 'to be revoked' : rotationWords(keyRotation(desired), key, nowMs);
    const sink = sinksOf(desired).map(sinkLabel).join(', ') || null;
    found.set(key.id, { key, desired, row: { ...unlisted(key), address: desired.address, sink, rotation: state } });
  }
  return found;
}

/** True for the removal of a key beside the declared one. */
function isOfAnother({ action, origin }: Change): boolean {
  return action === 'revoke' && origin !== 'absent';
}

/** By id: older keys of a declared name that rotates. Their values are in no sink any more. */
function retiredKeys(
  { plan, nowMs }: KeyRowsInput,
  keys: readonly LiveKey[],
  currents: ReadonlyMap<string, Current>,
): ReadonlyMap<string, KeyRow> {
  const others = new Set(plan?.unmanaged.map(({ id }) => id));
  const orphans = new Map(
    (plan?.changes ?? []).flatMap(({ origin, resourceId, address }) =>
      origin === 'orphan' && resourceId !== null ? [[resourceId, address] as const] : [],
    ),
  );
  const byName = new Map([...currents.values()].map((current) => [current.key.name, current]));
  const rows = new Map<string, KeyRow>();
  for (const key of keys) {
    const left = orphans.get(key.id);
    if (left !== undefined) {
      const rotation = 'left by an interrupted run, to be revoked';
      rows.set(key.id, { ...unlisted(key), address: left, rotation });
      continue;
    }
    const current = byName.get(key.name);
    const rotation = current === undefined ? null : keyRotation(current.desired);
    if (current === undefined || rotation === null || currents.has(key.id) || others.has(key.id)) continue;
    if (newestFirst(current.key, key) >= 0) continue;
    rows.set(key.id, {
      ...unlisted(key),
      address: current.desired.address,
      replacedBy: current.key.id,
      rotation: retiringWords(key, current.key, rotation, nowMs),
    });
  }
  return rows;
}

function unlisted(
  { id, name, createdAtMs, lastUsedAtMs, lastUsedFrom, live }: LiveKey,
  address: Address | null = null,
): KeyRow {
  const orgId = textOf(live.spec['org_id']);
  const told = { address, id, name, orgId, createdAtMs, lastUsedAtMs, lastUsedFrom };
  return { ...told, sink: null, replacedBy: null, rotation: null };
}

type KeyRotation = ReturnType<typeof keyRotation>;

function retiringWords(key: LiveKey, current: LiveKey, rotation: NonNullable<KeyRotation>, nowMs: number): string {
  const { state } = retirement(key, current, rotation, nowMs);
  if (state === 'revoke') return 'retiring, to be revoked';
  if (state === 'in_use') return 'retiring, still in use';
  if (rotation.revoke === 'manual') return 'retiring, until revoked by hand';
  if (current.createdAtMs === null) return 'retiring';
  return `retiring, for ${humanDuration(current.createdAtMs + rotation.overlapMs - nowMs)} at least`;
}

function rotationWords(rotation: KeyRotation, { createdAtMs }: LiveKey, nowMs: number): string | null {
  const everyMs = rotation?.everyMs ?? null;
  if (everyMs === null || createdAtMs === null) return null;
  const leftMs = createdAtMs + everyMs - nowMs;
  return leftMs <= 0 ? 'due' : `rotates in ${humanDuration(leftMs)}`;
}
