// A command that ends before it has a result leaves that in its log and its files: a report of yesterday must not stand for today.
import type { Invocation } from './command.ts';
import { appendEvent } from './event-log.ts';
import { exitCodes, type ExitCode } from './exit-code.ts';
import { writeWhole } from './files.ts';

/** Runs what follows the check of the outputs. A format that is not for machines cannot hold a failure: its file stays as it was. */
export async function recordFailure(invocation: Invocation, work: () => Promise<ExitCode>): Promise<ExitCode> {
  try {
    const code = await work();
    if (code !== exitCodes.done) await record(invocation, code, []);
    return code;
  } catch (error) {
    await record(invocation, exitCodes.error, [error]);
    throw error;
  }
}

async function record({ io, settings }: Invocation, code: ExitCode, errors: readonly unknown[]): Promise<void> {
  // A result was delivered, or was on its way.
  if (io.stdout.used()) return;
  const { failureText, isMachineFormat, problemOf } = await import('./failure.ts');
  const unsaid = errors.map(problemOf);
  const atMs = io.clock.nowMs();
  for (const diagnostic of unsaid) appendEvent(settings, { type: 'diagnostic', atMs, diagnostic });
  const diagnostics = [...io.said, ...unsaid];
  for (const { format, path } of settings.writes)
    if (isMachineFormat(format))
      writeWhole(path, failureText({ format, isApply: false, code, diagnostics, atMs }), { pid: io.pid });
}
