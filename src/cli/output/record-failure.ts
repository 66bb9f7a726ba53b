// Reports a failed plan or drift in its log, files and format, so that nobody takes an old report for a new one.
import type { FailedWork } from '../../render/report/failure-report.ts';
import type { Session } from '../command.ts';
import { appendEvent } from './event-stream.ts';
import { codeOf, exitCodes, type ExitCode } from '../process/exit-code.ts';
import { deliver } from './output.ts';

/** Runs `work`. After a failure without output, reports it in the log, in each file of `--write`, and on standard output. */
export async function recordFailure(
  session: Session,
  work: () => Promise<ExitCode>,
  what: FailedWork = 'plan',
): Promise<ExitCode> {
  try {
    const code = await codeOf(work);
    if (code !== exitCodes.done) await record(session, what, code, []);
    return code;
  } catch (error) {
    await record(session, what, exitCodes.error, [error]);
    throw error;
  }
}

async function record(session: Session, work: FailedWork, code: ExitCode, errors: readonly unknown[]): Promise<void> {
  const { io, settings } = session;
  // If stdout was used, it already has a result or part of one.
  if (io.stdout.used()) return;
  const { failureRenderings, problemOf } = await import('./failure.ts');
  const unsaid = errors.map(problemOf);
  const atMs = io.clock.nowMs();
  for (const diagnostic of unsaid) appendEvent(settings, { type: 'diagnostic', atMs, diagnostic });
  // The caller prints failures as human, json and ndjson. This function prints the other formats.
  const format = ['human', 'json', 'ndjson'].includes(settings.format) ? '' : settings.format;
  const ending = { code, diagnostics: [...io.said, ...unsaid], atMs };
  await deliver({ io, settings: { ...settings, format } }, failureRenderings(session, work, ending));
}
