// `trueup keys`: API keys of the account and its organizations, with age, last use, sink and rotation.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { addressOf, coversAddress, scopeOf } from '../../model/address.ts';
import { ApiFailure } from '../../client/failure.ts';
import { readerOf } from '../../client/types.ts';
import { apiKey, orgApiKey, type Kind } from '../../kinds/index.ts';
import type { KindName } from '../../model/desired.ts';
import type { LiveResource } from '../../model/live.ts';
import { selectionOf } from '../../plan/selection.ts';
import { jsonText } from '../../render/machine/json-text.ts';
import { keysToJson, renderKeys, type KeyRow } from '../../render/tables/keys.ts';
import type { Invocation, Run } from '../command.ts';
import type { Settings } from '../program/settings.ts';
import { exitCodes } from '../process/exit-code.ts';
import { keyRows, type KeyRowsInput } from '../output/key-rows.ts';
import { online, type Online } from '../session/online.ts';
import { checkOutputs, deliver, inputsOf } from '../output/output.ts';
import { tableOptions, readDesired, say, type DesiredFiles } from '../session/session.ts';

/** The keys of an organization are listed if a file declares one of them. */
const KEY_KINDS: readonly Kind[] = [apiKey, orgApiKey];

export const keys: Run = async (invocation) => {
  const { io, settings } = invocation;
  checkOutputs(settings, inputsOf(settings));
  const loaded = hasFiles(invocation) ? await readDesired(io, settings) : undefined;
  if (loaded === null) return exitCodes.error;
  return online(invocation, async (line) => {
    const found = await findKeys(invocation, line, loaded);
    if (found === null) return exitCodes.error;
    const nowMs = line.connection.reconciler.client.serverTime();
    const selects = selectionOf(settings);
    const rows = KEY_KINDS.flatMap((kind) =>
      keyRows({ ...ofKind(kind, found), nowMs }).filter((row) => selects(addressesOf(kind, row))),
    );
    await deliver(io, settings, {
      human: (place) => renderKeys(rows, nowMs, tableOptions(io, settings, place)),
      json: () => `${jsonText(keysToJson(rows), 2)}\n`,
    });
    return found.failed ? exitCodes.error : exitCodes.done;
  });
};

function ofKind({ kind: own }: Kind, { live, declared, plan }: Found): Omit<KeyRowsInput, 'nowMs'> {
  const isOf = (one: { readonly kind: KindName }): boolean => one.kind === own;
  return { live: live.filter(isOf), declared: declared.filter(isOf), plan };
}

/** A target selects a key by its address, name or id. */
function addressesOf({ section }: Kind, { address, name, id }: KeyRow): readonly string[] {
  return [...(address === null ? [] : [address]), addressOf(section, name), addressOf(section, id)];
}

/** The command works without files: then no file lists any key. */
function hasFiles({ io, settings }: Invocation): boolean {
  return (
    settings.files.some((file) => file === '-' || existsSync(resolve(io.cwd, file))) ||
    settings.files[0] !== 'trueup.yaml'
  );
}

interface Found extends Omit<KeyRowsInput, 'nowMs'> {
  /** True if errors, already reported, prevented the plan. */
  readonly failed: boolean;
}

/** Reads each list once: with a plan that matches keys and declarations, or alone without declarations. Unread lists are reported and missing; null if none was read. */
async function findKeys(
  { io, settings }: Invocation,
  { connection: { reconciler }, stop }: Online,
  loaded: DesiredFiles | undefined,
): Promise<Found | null> {
  const resources = loaded?.desired.resources ?? [];
  const asked = KEY_KINDS.filter((kind) => isAsked(settings, kind));
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
  if (loaded === undefined || planned.length === 0) return { live: alone, declared, plan: null, failed: false };
  const { desired } = loaded;
  const target = planned.map(({ section }) => addressOf(section, '*'));
  const { plan, reading, diagnostics } = await reconciler.plan({ desired, target, once: true, signal: stop.soft });
  unread.push(...(reading?.live.unread ?? []).map(({ reason }) => reason));
  const gaps = unread.map((reason) => ({
    severity: 'error' as const,
    code: 'unread',
    message: `the keys could not be read: ${reason}`,
    hint: 'To read only some of the keys, use --target or --exclude.',
  }));
  await say(io, settings, [...loaded.diagnostics, ...diagnostics, ...gaps], loaded.sources);
  if (reading === null) return null;
  const live = [...alone, ...reading.live.resources];
  return live.length === 0 && gaps.length > 0
    ? null
    : { live, declared, plan, failed: plan === null || gaps.length > 0 };
}

/** A target may name a key that no file lists. A kind is left out if each of its addresses is. */
function isAsked({ target, exclude }: Settings, { section }: Kind): boolean {
  // A star without a slash can match the section too.
  const mayMean = (glob: string): boolean =>
    coversAddress(scopeOf(glob), section) || (glob.includes('*') && !glob.includes('/'));
  const isMeant = target.length === 0 || target.some(mayMean);
  return isMeant && !exclude.some((glob) => coversAddress(glob, addressOf(section, '')));
}
