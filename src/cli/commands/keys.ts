// `trueup keys`: lists API keys of the account and its organizations, with age, last use, sink and rotation.
import { addressOf, coversAddress, scopeOf, type Address } from '../../model/address.ts';
import { ApiFailure } from '../../client/failure.ts';
import { readerOf } from '../../client/api-client.ts';
import { apiKey, orgApiKey, type Kind } from '../../kinds/index.ts';
import { type KindName, sinkLabel, sinksOf, type DesiredResource } from '../../model/desired.ts';
import type { LiveResource } from '../../model/live.ts';
import { selectionOf } from '../../plan/selection.ts';
import { jsonPage } from '../../render/machine/diagnostics-json.ts';
import { unreadError } from '../../render/messages/problems.ts';
import { keysToJson, renderKeys, type KeyRow } from '../../render/tables/keys.ts';
import { presentFiles } from '../authoring/edited-files.ts';
import type { Run, Session } from '../command.ts';
import type { Settings } from '../program/settings.ts';
import { Ended, exitCodes } from '../process/exit-code.ts';
import { online, type Online } from '../session/online.ts';
import { deliver } from '../output/output.ts';
import { readDesired, type DesiredFiles } from '../session/desired-files.ts';
import { tableOptions, say } from '../session/session.ts';
import { humanDuration } from '../../base/time/duration.ts';
import { inOrderOf, textOf } from '../../base/json.ts';
import { keyRotation, lastUseOf, newestFirst, retirement, type KeyRotation } from '../../kinds/api-key/key.ts';
import type { Plan } from '../../model/outcome/plan.ts';

/** The keys of an organization are listed only if a file declares one of them. */
const KEY_KINDS: readonly Kind[] = [apiKey, orgApiKey];

export const run: Run = async (invocation) => {
  // Without files, every key counts as unlisted.
  const loaded = presentFiles(invocation).length > 0 ? await readDesired(invocation) : undefined;
  return online(invocation, async (line) => {
    const found = await findKeys(invocation, line, loaded);
    const nowMs = line.connection.reconciler.client.serverTime();
    const selects = selectionOf(invocation.settings);
    const rows = KEY_KINDS.flatMap((kind) =>
      keyRows(kind, found, nowMs).filter((row) => selects(addressesOf(kind, row))),
    );
    await deliver(invocation, {
      human: (place) => renderKeys(rows, nowMs, tableOptions(invocation, place)),
      json: () => jsonPage(keysToJson(rows)),
    });
    return found.isWhole ? exitCodes.done : exitCodes.error;
  });
};

function addressesOf({ section }: Kind, { address, name, id }: KeyRow): readonly string[] {
  return [...(address === null ? [] : [address]), addressOf(section, name), addressOf(section, id)];
}

interface Found {
  readonly live: readonly LiveResource[];
  readonly declared: readonly DesiredResource[];
  /** The plan of the declared keys. Without a plan (no files, or errors), keys match declarations by name only. */
  readonly plan: Plan | null;
  /** False if keys or the plan are missing because of errors, which are already reported. */
  readonly isWhole: boolean;
}

/** Reads each list of keys once: the plan reads it if a file declares keys. Throws if no key was found and a list could not be read. */
async function findKeys(
  session: Session,
  { connection: { reconciler }, stop }: Online,
  loaded: DesiredFiles | undefined,
): Promise<Found> {
  const resources = loaded?.desired.resources ?? [];
  const asked = KEY_KINDS.filter((kind) => isAsked(session.settings, kind));
  const declared = resources.filter(({ kind }) => asked.some((one) => one.kind === kind));
  const planned = asked.filter((own) => declared.some(({ kind }) => kind === own.kind));
  const unread: string[] = [];
  const listed = async (): Promise<readonly LiveResource[]> =>
    apiKey.list(readerOf(reconciler.client), { projectId: null }, stop.soft).catch((error: unknown) => {
      if (planned.length === 0 || !(error instanceof ApiFailure)) throw error;
      unread.push(error.message);
      return [];
    });
  const alone = asked.includes(apiKey) && !planned.includes(apiKey) ? await listed() : [];
  if (loaded === undefined || planned.length === 0) return { live: alone, declared, plan: null, isWhole: true };
  const { desired } = loaded;
  const target = planned.map(({ section }) => addressOf(section, '*'));
  const { plan, reading, diagnostics } = await reconciler.plan({ desired, target, once: true, signal: stop.soft });
  unread.push(...(reading?.live.unread ?? []).map(({ reason }) => reason));
  const gaps = unread.map((reason) =>
    unreadError({ what: 'the keys', reason }, 'To read only some of the keys, use --target or --exclude.'),
  );
  await say(session, [...loaded.diagnostics, ...diagnostics, ...gaps], loaded.sources);
  const live = [...alone, ...(reading?.live.resources ?? [])];
  if (reading === null || (live.length === 0 && gaps.length > 0)) throw new Ended();
  return { live, declared, plan, isWhole: plan !== null && gaps.length === 0 };
}

/** True if the target flags can select keys of this kind, even keys that no file declares. */
function isAsked({ target, exclude }: Settings, { section }: Kind): boolean {
  // A glob with a star and no slash may match the section as well as a project.
  const mayMean = (glob: string): boolean =>
    coversAddress(scopeOf(glob), section) || (glob.includes('*') && !glob.includes('/'));
  const isMeant = target.length === 0 || target.some(mayMean);
  return isMeant && !exclude.some((glob) => coversAddress(glob, addressOf(section, '')));
}

function keyRows(kind: Kind, found: Found, nowMs: number): readonly KeyRow[] {
  const isOf = (one: { readonly kind: KindName }): boolean => one.kind === kind.kind;
  const declared = found.declared.filter(isOf);
  const { plan } = found;
  const keys = found.live
    .filter(isOf)
    .sort(newestFirst)
    .sort(inOrderOf(({ spec }) => [String(spec['name'])]));
  const resources = new Map(declared.map((one) => [one.address, one]));
  const changes = new Map(plan?.changes.map((change) => [change.resourceId, change]));
  const others = new Set(plan?.unmanaged.map(({ id }) => id));
  const named = new Map(plan === null ? declared.map(({ spec, address }) => [spec['name'], address]) : []);
  /** The key's declaration. Undefined if there is none, or if the plan revokes the key although the declaration stays. */
  const declaredAs = ({ id }: LiveResource): DesiredResource | undefined => {
    const { action, origin, address = '' } = changes.get(id) ?? {};
    return action === 'revoke' && origin !== 'absent' ? undefined : resources.get(address);
  };
  const currents = new Map(keys.filter((key) => declaredAs(key) !== undefined).map((key) => [key.spec['name'], key]));
  const rowOf = (key: LiveResource): KeyRow => {
    const change = changes.get(key.id);
    const desired = declaredAs(key);
    if (desired !== undefined) {
      const isRevoked = change?.action === 'revoke';
      const rotation = isRevoked ? 'to be revoked' : rotationWords(keyRotation(desired), key, nowMs);
      const sink = sinksOf(desired).map(sinkLabel).join(', ') || null;
      return { ...rowWith(key, desired.address), sink, rotation };
    }
    if (change?.origin === 'orphan')
      return { ...rowWith(key, change.address), rotation: 'left by an interrupted run, to be revoked' };
    const { name } = key.spec;
    const current = currents.get(name);
    const isOlder = current !== undefined && !others.has(key.id) && newestFirst(current, key) < 0;
    const successor = isOlder ? declaredAs(current) : undefined;
    const rule = successor === undefined ? null : keyRotation(successor);
    // Without a rotation, an older key of the same name is no predecessor.
    if (current === undefined || successor === undefined || rule === null) return rowWith(key, named.get(name));
    const rotation = retiringWords(key, current, rule, nowMs);
    return { ...rowWith(key, successor.address), replacedBy: current.id, rotation };
  };
  return keys.map(rowOf).sort((a, b) => Number(a.address === null) - Number(b.address === null));
}

function rowWith(key: LiveResource, address: Address | null = null): KeyRow {
  const { id, createdAtMs, spec } = key;
  const own = { id, name: String(spec['name']), orgId: textOf(spec['org_id']), createdAtMs, ...lastUseOf(key) };
  return { address, ...own, sink: null, replacedBy: null, rotation: null };
}

function retiringWords(key: LiveResource, current: LiveResource, rotation: KeyRotation, nowMs: number): string {
  const { state } = retirement(key, current, rotation, nowMs);
  if (state === 'revoke') return 'retiring, to be revoked';
  if (state === 'in_use') return 'retiring, still in use';
  if (rotation.revoke === 'manual') return 'retiring, until revoked by hand';
  if (current.createdAtMs === null) return 'retiring';
  return `retiring, for ${humanDuration(current.createdAtMs + rotation.overlapMs - nowMs)} at least`;
}

function rotationWords(rotation: KeyRotation | null, { createdAtMs }: LiveResource, nowMs: number): string | null {
  const everyMs = rotation?.everyMs ?? null;
  if (everyMs === null || createdAtMs === null) return null;
  const leftMs = createdAtMs + everyMs - nowMs;
  return leftMs <= 0 ? 'due' : `rotates in ${humanDuration(leftMs)}`;
}
