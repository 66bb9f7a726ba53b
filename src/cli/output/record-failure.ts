// A plan or drift that fails reports so in its log, its files and its own format: an old report must not pass for a new one.
import type { FailedWork } from '../../render/report/failure-report.ts';
import type { Invocation } from '../command.ts';
import { appendEvent } from './event-stream.ts';
import { exitCodes, type ExitCode } from '../process/exit-code.ts';
import { writeWhole } from '../process/files.ts';

/** Runs `work` after the outputs are checked. Standard output and every file of `--write` report a failure in their own format. */
export async function recordFailure(
  invocation: Invocation,
  work: () => Promise<ExitCode>,
  what: FailedWork = 'plan',
): Promise<ExitCode> {
  try {
    const code = await work();
    if (code !== exitCodes.done) await record(invocation, what, code, []);
    return code;
  } catch (error) {
    await record(invocation, what, exitCodes.error, [error]);
    throw error;
  }
}

async function record(
  { io, settings }: Invocation,
  work: FailedWork,
  code: ExitCode,
  errors: readonly unknown[],
): Promise<void> {
  // A result was delivered, or was on its way.
  if (io.stdout.used()) return;
  const { failureRenderings, problemOf } = await import('./failure.ts');
  const unsaid = errors.map(problemOf);
  const atMs = io.clock.nowMs();
  for (const diagnostic of unsaid) appendEvent(settings, { type: 'diagnostic', atMs, diagnostic });
  // The formats that every command has are written where nothing else was.
  const { format: own } = settings;
  const isOwn = !['human', 'json', 'ndjson'].includes(own);
  if (settings.writes.length === 0 && !isOwn) return;
  const texts = failureRenderings({ io, settings }, work, { code, diagnostics: [...io.said, ...unsaid], atMs });
  for (const { format, path } of settings.writes) {
    const text = texts[format];
    if (text !== undefined) writeWhole(path, text('file'), { io });
  }
  if (isOwn) await io.stdout.write(texts[own]?.('stdout') ?? '');
}
