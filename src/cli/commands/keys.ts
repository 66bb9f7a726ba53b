// `trueup keys`: the account's keys with age, last use, where their secret lies and where their rotation stands.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { humanDuration } from '../../base/duration.ts';
import type { JsonObject } from '../../base/json.ts';
import { readerOf } from '../../client/read-only.ts';
import { apiKey } from '../../kinds/api-key/index.ts';
import { liveKey, type LiveKey } from '../../kinds/api-key/live-key.ts';
import { keyOptions, type Rotation } from '../../kinds/api-key/options.ts';
import type { DesiredResource } from '../../model/desired.ts';
import type { Change } from '../../model/plan.ts';
import { jsonText } from '../../render/json-text.ts';
import { keysToJson, renderKeys, type KeyRow } from '../../render/keys-table.ts';
import type { Invocation, Run } from '../command.ts';
import { exitCodes } from '../exit-code.ts';
import { online, type Online } from '../online.ts';
import { checkOutputs, deliver } from '../output.ts';
import { humanOptions, readWish, say, type Wish } from '../session.ts';

export const keys: Run = async (invocation) => {
  const { io, settings } = invocation;
  checkOutputs(
    settings,
    ['human', 'json'],
    settings.files.map((file) => resolve(io.cwd, file)),
  );
  const wish = hasFiles(invocation) ? await readWish(io, settings) : undefined;
  if (wish === null) return exitCodes.error;
  return online(invocation, async (line) => {
    const live = await apiKey.remote.list(readerOf(line.connection.reconciler.client), null, line.stop.soft);
    const bound = wish === undefined ? new Map<string, Bound>() : await bindings(invocation, line, wish);
    if (bound === null) return exitCodes.error;
    const nowMs = io.clock.nowMs();
    const rows = live.map(liveKey).map((key) => rowOf(key, bound.get(key.id), nowMs));
    rows.sort((a, b) => Number(a.address === null) - Number(b.address === null) || (a.name < b.name ? -1 : 1));
    await deliver(io, settings, {
      human: () => renderKeys(rows, nowMs, humanOptions(io, settings, 'stdout')),
      json: () => `${jsonText(keysToJson(rows), 2)}\n`,
    });
    return exitCodes.done;
  });
};

/** The command works without files: then every key is one that no file lists. */
function hasFiles({ io, settings }: Invocation): boolean {
  return (
    settings.files.some((file) => file === '-' || existsSync(resolve(io.cwd, file))) ||
    settings.files[0] !== 'trueup.yaml'
  );
}

interface Bound {
  readonly desired: DesiredResource;
  readonly change: Change;
}

/** Which declaration each live key belongs to, by the plan's own matching; null when that is in error. */
async function bindings(
  { io, settings }: Invocation,
  { connection, stop }: Online,
  wish: Wish,
): Promise<Map<string, Bound> | null> {
  const declared = new Map(
    wish.desired.resources
      .filter(({ kind }) => kind === apiKey.rules.kind)
      .map((desired) => [desired.address, desired]),
  );
  if (declared.size === 0) return new Map();
  const target = [...declared.keys()];
  const { plan, diagnostics } = await connection.reconciler.plan({ desired: wish.desired, target, signal: stop.soft });
  await say(io, settings, [...wish.diagnostics, ...diagnostics], wish.sources);
  if (plan === null) return null;
  return new Map(
    plan.changes.flatMap((change): [string, Bound][] => {
      const desired = declared.get(change.address);
      return desired === undefined || change.resourceId === null ? [] : [[change.resourceId, { desired, change }]];
    }),
  );
}

function rowOf(key: LiveKey, bound: Bound | undefined, nowMs: number): KeyRow {
  const options = bound === undefined ? null : keyOptions(bound.desired.options);
  return {
    address: bound?.desired.address ?? null,
    id: key.id,
    name: key.name,
    createdAtMs: key.createdAtMs,
    lastUsedAtMs: key.lastUsedAtMs,
    lastUsedFrom: key.lastUsedFrom,
    sink: options === null || options.secret.length === 0 ? null : options.secret.map(sinkWords).join(', '),
    rotation: bound?.change.action === 'revoke' ? 'retiring' : rotationWords(options?.rotation ?? null, key, nowMs),
  };
}

function sinkWords(target: JsonObject): string {
  const [kind, name] = Object.entries(target)[0] ?? ['', ''];
  return `${kind}:${String(name)}`;
}

function rotationWords(rotation: Rotation | null, { createdAtMs }: LiveKey, nowMs: number): string | null {
  const everyMs = rotation?.everyMs ?? null;
  if (everyMs === null || createdAtMs === null) return null;
  const leftMs = createdAtMs + everyMs - nowMs;
  return leftMs <= 0 ? 'due' : `rotates in ${humanDuration(leftMs)}`;
}
