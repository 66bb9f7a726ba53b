// `trueup drift`: for cron; compares, reports, changes nothing.
import { resolve } from 'node:path';
import type { Run } from '../command.ts';
import { driftRenderings, DRIFT_FORMATS } from '../drift-output.ts';
import { exitCodes, strongest } from '../exit-code.ts';
import { online } from '../online.ts';
import { checkOutputs, deliver } from '../output.ts';
import { readWish, say } from '../session.ts';
import { selectionOf } from '../shard.ts';

export const drift: Run = async (invocation) => {
  const { io, settings } = invocation;
  checkOutputs(
    settings,
    DRIFT_FORMATS,
    settings.files.map((file) => resolve(io.cwd, file)),
  );
  const wish = await readWish(io, settings);
  if (wish === null) return exitCodes.error;
  const startedAtMs = io.clock.monotonicMs();
  return online(invocation, async ({ connection: { reconciler }, stop }) => {
    const { report, matching, diagnostics } = await reconciler.drift({
      desired: wish.desired,
      ...selectionOf(settings, wish.desired),
      signal: stop.soft,
    });
    await say(io, settings, [...wish.diagnostics, ...diagnostics], wish.sources);
    if (report === null) return exitCodes.error;
    const seconds = (io.clock.monotonicMs() - startedAtMs) / 1000;
    const figures = { nowMs: io.clock.nowMs(), seconds, requests: reconciler.client.requests() };
    await deliver(io, settings, driftRenderings(report, { io, settings, matching, figures }));
    return strongest([
      ...(report.unread.length > 0 ? [exitCodes.incomplete] : []),
      ...(report.status === 'drifted' ? [exitCodes.differences] : []),
    ]);
  });
};
