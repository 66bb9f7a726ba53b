// `trueup list`: managed resources with id, host, branch and state.
import { resolve } from 'node:path';
import { jsonText } from '../../render/machine/json-text.ts';
import { listToJson, renderEnv, renderList } from '../../render/tables/resources.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Unread } from '../../model/live.ts';
import type { Run } from '../command.ts';
import { exitCodes } from '../process/exit-code.ts';
import { online } from '../session/online.ts';
import { checkOutputs, deliver } from '../output/output.ts';
import { tableOptions, readWish, say } from '../session/session.ts';

export const list: Run = async (invocation) => {
  const { io, settings, words } = invocation;
  checkOutputs(
    settings,
    ['human', 'json', 'env'],
    [...settings.files, ...settings.overlays].map((file) => resolve(io.cwd, file)),
  );
  const wish = await readWish(io, settings);
  if (wish === null) return exitCodes.error;
  return online(invocation, async ({ connection, stop }) => {
    const { resources, unread, diagnostics } = await connection.reconciler.list({
      desired: wish.desired,
      target: [...settings.target, ...words],
      exclude: settings.exclude,
      signal: stop.soft,
    });
    await say(io, settings, [...wish.diagnostics, ...diagnostics, ...unread.map(notListed)], wish.sources);
    if (resources === null) return exitCodes.error;
    await deliver(io, settings, {
      human: (place) => renderList(resources, { ...tableOptions(io, settings, place), isWhole: unread.length === 0 }),
      json: () => `${jsonText(listToJson(resources, unread), 2)}\n`,
      env: () => renderEnv(resources),
    });
    return unread.length > 0 ? exitCodes.incomplete : exitCodes.done;
  });
};

/** A list that lacks something must not look like a whole one. */
function notListed({ what, reason }: Unread): Diagnostic {
  return { severity: 'error', code: 'unread', message: `${what} could not be read and is not listed: ${reason}` };
}
