// `trueup list`: managed resources with id, host, branch and state.
import { stringifyJson } from '../../base/json.ts';
import { listToJson, renderEnv, renderList } from '../../render/list.ts';
import type { Run } from '../command.ts';
import { exitCodes } from '../exit-code.ts';
import { online } from '../online.ts';
import { checkOutputs, deliver } from '../output.ts';
import { humanOptions, readWish, say } from '../session.ts';

export const list: Run = async (invocation) => {
  const { io, settings, words } = invocation;
  checkOutputs(settings, ['human', 'json', 'env']);
  const wish = await readWish(io, settings);
  if (wish === null) return exitCodes.error;
  return online(invocation, async ({ connection, stop }) => {
    const { resources, diagnostics } = await connection.reconciler.list({
      desired: wish.desired,
      target: [...settings.target, ...words],
      exclude: settings.exclude,
      signal: stop.soft,
    });
    await say(io, settings, [...wish.diagnostics, ...diagnostics], wish.sources);
    if (resources === null) return exitCodes.error;
    await deliver(io, settings, {
      human: () => renderList(resources, humanOptions(io, settings, 'stdout')),
      json: () => `${stringifyJson(listToJson(resources), 2)}\n`,
      env: () => renderEnv(resources),
    });
    return exitCodes.done;
  });
};
