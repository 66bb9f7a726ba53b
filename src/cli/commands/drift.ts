// `trueup drift`: compares the account with the files, reports, and changes nothing.
import { plural } from '../../base/text/words.ts';
import type { DriftReport } from '../../model/outcome/drift.ts';
import type { Invocation, Run } from '../command.ts';
import { driftRenderings, type DriftAlarm } from '../output/drift-output.ts';
import { countRun } from '../output/drift-runs.ts';
import { exitCodes, strongest, type ExitCode } from '../process/exit-code.ts';
import { online } from '../session/online.ts';
import { checkOutputs, deliver, inputsOf } from '../output/output.ts';
import { recordFailure } from '../output/record-failure.ts';
import { readDesired, say, unplannedIn, type DesiredFiles } from '../session/session.ts';
import type { Settings } from '../program/settings.ts';
import { selectionOf } from '../session/shard.ts';
import { UsageError } from '../program/usage-error.ts';

export const drift: Run = async (invocation) => {
  const { settings, flags } = invocation;
  checkOutputs(settings, inputsOf(settings));
  const needed = neededRuns(flags['for']);
  return recordFailure(invocation, async () => compared(invocation, needed), 'drift');
};

async function compared(invocation: Invocation, needed: number | null): Promise<ExitCode> {
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
    const alarm = await alarmOf(invocation, needed, report, reconciler.client.baseUrl);
    await deliver(io, settings, driftRenderings(report, { io, settings, matching, figures, files, alarm }));
    return strongest([
      ...(report.status === 'incomplete' ? [exitCodes.incomplete] : []),
      ...(report.status === 'drifted' && alarm?.raised !== false ? [exitCodes.differences] : []),
    ]);
  });
}

/** The files that declare resources: files of values and limits declare none. */
function filesBehind({ variables, safetyFiles }: Settings, { sources }: DesiredFiles): readonly string[] {
  return [...sources.keys()].filter((file) => !variables.files.includes(file) && !safetyFiles.includes(file));
}

/** `--for N`; null without it. */
function neededRuns(flag: unknown): number | null {
  if (flag === undefined) return null;
  const needed = typeof flag === 'string' && /^\d{1,6}$/.test(flag) ? Number(flag) : 0;
  if (needed < 1) throw new UsageError('--for takes a number of runs, from 1');
  return needed;
}

/** The alarm of `--for N`: raised once a difference was seen in N runs; null without the flag. */
async function alarmOf(
  { io, settings }: Invocation,
  needed: number | null,
  report: DriftReport,
  baseUrl: string,
): Promise<DriftAlarm | null> {
  if (needed === null) return null;
  const { files, target, exclude, shard } = settings;
  const { streaks, kept, diagnostics } = await countRun(
    io,
    settings.stateDir,
    { baseUrl, files, target, exclude, shard },
    report,
  );
  await say(io, settings, diagnostics);
  const most = streaks.reduce((longest, { runs }) => Math.max(longest, runs), 0);
  const raised = streaks.length > 0 && (!kept || most >= needed);
  if (streaks.length > 0 && !raised && settings.verbosity !== 'quiet')
    await io.stderr.write(
      `Noted, no alarm yet: ${plural(streaks.length, 'difference')}, seen in up to ${most} of ${needed} runs in a row.\n`,
    );
  return { needed, raised, streaks };
}
