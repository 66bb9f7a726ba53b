// `trueup keys`: the account's keys with age, last use, where their secret lies and where their rotation stands.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { addressOf } from '../../model/address.ts';
import { readerOf } from '../../client/types.ts';
import { apiKey } from '../../kinds/index.ts';
import { selectionOf } from '../../plan/selection.ts';
import { jsonText } from '../../render/machine/json-text.ts';
import { keysToJson, renderKeys, type KeyRow } from '../../render/tables/keys.ts';
import type { Invocation, Run } from '../command.ts';
import { exitCodes } from '../process/exit-code.ts';
import { keyRows, type KeyRowsInput } from '../output/key-rows.ts';
import { online, type Online } from '../session/online.ts';
import { checkOutputs, deliver, inputsOf } from '../output/output.ts';
import { tableOptions, readDesired, say, type DesiredFiles } from '../session/session.ts';

export const keys: Run = async (invocation) => {
  const { io, settings } = invocation;
  checkOutputs(settings, inputsOf(settings));
  const loaded = hasFiles(invocation) ? await readDesired(io, settings) : undefined;
  if (loaded === null) return exitCodes.error;
  return online(invocation, async (line) => {
    const found = await findKeys(invocation, line, loaded);
    if (found === null) return exitCodes.error;
    const { nowMs } = line.connection.reconciler.client.serverTime();
    const selects = selectionOf(settings);
    const rows = keyRows({ ...found, nowMs }).filter((row) => selects(addressesOf(row)));
    await deliver(io, settings, {
      human: (place) => renderKeys(rows, nowMs, tableOptions(io, settings, place)),
      json: () => `${jsonText(keysToJson(rows), 2)}\n`,
    });
    return found.failed ? exitCodes.error : exitCodes.done;
  });
};

/** A key is meant by its address, its name or its id. */
function addressesOf({ address, name, id }: KeyRow): readonly string[] {
  const { section } = apiKey.rules;
  return [...(address === null ? [] : [address]), addressOf(section, name), addressOf(section, id)];
}

/** The command works without files: then every key is one that no file lists. */
function hasFiles({ io, settings }: Invocation): boolean {
  return (
    settings.files.some((file) => file === '-' || existsSync(resolve(io.cwd, file))) ||
    settings.files[0] !== 'trueup.yaml'
  );
}

interface Found extends Omit<KeyRowsInput, 'nowMs'> {
  /** Errors, which were said, kept the plan from being made. */
  readonly failed: boolean;
}

/** Reads the list once: with the plan that tells whose each key is, or alone where no file declares any. Null when it was not read, which was said. */
async function findKeys(
  { io, settings }: Invocation,
  { connection: { reconciler }, stop }: Online,
  loaded: DesiredFiles | undefined,
): Promise<Found | null> {
  const { kind, section } = apiKey.rules;
  const declared = (loaded?.desired.resources ?? []).filter((resource) => resource.kind === kind);
  if (loaded === undefined || declared.length === 0) {
    const live = await apiKey.remote.list(readerOf(reconciler.client), { projectId: null }, stop.soft);
    return { live, declared, plan: null, failed: false };
  }
  const { desired } = loaded;
  const target = [addressOf(section, '*')];
  const { plan, reading, diagnostics } = await reconciler.plan({ desired, target, once: true, signal: stop.soft });
  const unread = (reading?.live.unread ?? []).map(({ reason }) => ({
    severity: 'error' as const,
    code: 'unread',
    message: `the keys could not be read: ${reason}`,
  }));
  await say(io, settings, [...loaded.diagnostics, ...diagnostics, ...unread], loaded.sources);
  if (reading === null || unread.length > 0) return null;
  return { live: reading.live.resources, declared, plan, failed: plan === null };
}
