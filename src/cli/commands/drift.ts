// `trueup drift`: compares the account with the files, reports, and changes nothing.
import type { Invocation, Run } from '../command.ts';
import { driftRenderings } from '../output/reports.ts';
import { exitCodes, strongest, type ExitCode } from '../process/exit-code.ts';
import { online } from '../session/online.ts';
import { checkOutputs, deliver, inputsOf } from '../output/output.ts';
import { recordFailure } from '../output/record-failure.ts';
import { readDesired, say, unplannedIn, type DesiredFiles } from '../session/session.ts';
import type { Settings } from '../program/settings.ts';
import { selectionOf } from '../session/selection.ts';

export const drift: Run = async (invocation) => {
  const { settings } = invocation;
  checkOutputs(settings, inputsOf(settings));
  return recordFailure(invocation, async () => compared(invocation), 'drift');
};

async function compared(invocation: Invocation): Promise<ExitCode> {
  const { io, settings } = invocation;
  const loaded = await readDesired(io, settings);
  if (loaded === null) return exitCodes.error;
  const startedAtMs = io.clock.monotonicMs();
  return online(invocation, async ({ connection: { reconciler }, stop }) => {
    const { report, matching, diagnostics } = await reconciler.drift({
      desired: loaded.desired,
      ...selectionOf(settings, loaded.desired),
      signal: stop.soft,
    });
    await say(
      io,
      settings,
      [...loaded.diagnostics, ...diagnostics, ...unplannedIn(report)],
      loaded.sources,
      report !== null,
    );
    if (report === null) return exitCodes.error;
    const seconds = (io.clock.monotonicMs() - startedAtMs) / 1000;
    const figures = { nowMs: io.clock.nowMs(), seconds, requests: reconciler.client.requests() };
    const files = filesBehind(settings, loaded);
    await deliver(io, settings, driftRenderings(report, { io, settings, matching, figures, files }));
    return strongest([
      ...(report.status === 'incomplete' ? [exitCodes.incomplete] : []),
      ...(report.status === 'drifted' ? [exitCodes.differences] : []),
    ]);
  });
}

/** The files that declare resources: files of values and limits declare none. */
function filesBehind({ variables, safetyFiles }: Settings, { sources }: DesiredFiles): readonly string[] {
  return [...sources.keys()].filter((file) => !variables.files.includes(file) && !safetyFiles.includes(file));
}
