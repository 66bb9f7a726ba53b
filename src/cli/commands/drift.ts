// `trueup drift`: compares the account with the files, reports, and changes nothing.
import type { Invocation, Run } from '../command.ts';
import { Ended, exitCodes, type ExitCode } from '../process/exit-code.ts';
import { online } from '../session/online.ts';
import { deliver, driftTexts } from '../output/output.ts';
import { recordFailure } from '../output/record-failure.ts';
import { readDesired } from '../session/desired-files.ts';
import { say, unplannedIn, typedAgain } from '../session/session.ts';
import { selectionOf } from '../session/selection.ts';

export const run: Run = async (invocation) => recordFailure(invocation, async () => compared(invocation), 'drift');

async function compared(invocation: Invocation): Promise<ExitCode> {
  const { io, settings } = invocation;
  const { desired, diagnostics, sources } = await readDesired(invocation);
  const startedAtMs = io.clock.monotonicMs();
  return online(invocation, async ({ connection: { reconciler }, stop }) => {
    const request = { desired, ...selectionOf(settings, desired), signal: stop.soft };
    const { report, matching, diagnostics: found } = await reconciler.drift(request);
    await say(invocation, [...diagnostics, ...found, ...unplannedIn(report)], sources, report !== null);
    if (report === null) throw new Ended();
    const seconds = (io.clock.monotonicMs() - startedAtMs) / 1000;
    const again = typedAgain(invocation, ['file', 'overlay', 'local', 'baseUrl', 'orgId']);
    // Variable files and safety files declare no resources, so the report does not name them.
    const others = [...settings.variables.files, ...settings.safetyFiles];
    const files = [...sources.keys()].filter((file) => !others.includes(file));
    const facts = { nowMs: io.clock.nowMs(), seconds, requests: reconciler.client.requests(), matching, files };
    await deliver(invocation, driftTexts(invocation, report, { ...facts, problems: [] }, again));
    if (report.status === 'incomplete') return exitCodes.incomplete;
    return report.status === 'drifted' ? exitCodes.differences : exitCodes.done;
  });
}
