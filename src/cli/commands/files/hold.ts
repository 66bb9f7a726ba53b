// `trueup hold`: writes into the file that the live value of one attribute is accepted until a date.
import { resolve } from 'node:path';
import type { Json } from '../../../base/json.ts';
import { renderInline } from '../../../config/edit/render.ts';
import { parseWrittenTimeMs } from '../../../base/time/instant.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import { nameText } from '../../../render/text/escape.ts';
import { openAuthoringFiles, replaceFiles } from '../../authoring/edited-files.ts';
import type { Invocation, Run } from '../../command.ts';
import { exitCodes } from '../../process/exit-code.ts';
import { entryPath } from '../../authoring/pin-edits.ts';
import { differingValue, fileOfHold, holdable, isHeld, withHold, type HoldRequest } from '../../authoring/hold-edit.ts';
import { online } from '../../session/online.ts';
import { checkOutputs, inputsOf } from '../../output/output.ts';
import { planOf } from '../../../reconciler/reading/plan-of.ts';
import { say } from '../../session/session.ts';
import { UsageError } from '../../program/usage-error.ts';

const LONGEST_REASON = 500;

export const hold: Run = async (invocation) => {
  const { io, settings, words } = invocation;
  const address = words[0] ?? '';
  const asked = requestOf(invocation);
  checkOutputs(settings, inputsOf(settings));
  const files = openAuthoringFiles(io, settings, settings.files);
  const loaded = await files.load();
  if (loaded.desired === null) {
    await say(io, settings, loaded.diagnostics, loaded.sources);
    return exitCodes.error;
  }
  const { desired } = loaded;
  const resource = holdable(desired, address, asked.path);
  const file = fileOfHold(resource);
  if (file === '-') throw new UsageError('standard input cannot be edited', 'Name the file with -f PATH.');
  return online(invocation, async ({ connection, stop }) => {
    const request = { desired, target: [address], once: true, signal: stop.soft };
    const { plan, reading, diagnostics } = await connection.reconciler.plan(request);
    await say(io, settings, diagnostics.filter(isError), loaded.sources);
    if (plan === null || reading === null) return exitCodes.error;
    const [unread] = reading.live.unread;
    if (unread !== undefined)
      throw new UsageError(`${unread.what} could not be read: ${unread.reason}`, 'Run trueup hold again.');
    const change = plan.changes.find((one) => one.address === address);
    const live = reading.live.resources.find(({ kind, id }) => kind === resource.kind && id === change?.resourceId);
    const value = differingValue(asked.path, change, live);
    const path = resolve(io.cwd, file);
    const before = files.textOf(path) ?? '';
    const edited = withHold(before, entryPath(desired, resource), resource, asked, value);
    if ('problem' in edited) throw cannotEdit(file, edited.problem, asked, value);
    const after = await files.load(new Map([[path, edited.text]]));
    const again =
      after.desired === null
        ? undefined
        : planOf({ desired: after.desired, live: reading.live, baseUrl: plan.baseUrl, nowMs: io.clock.nowMs() });
    const left = again?.changes.find((one) => one.address === address);
    if (!isHeld(left, asked.path, value))
      throw cannotEdit(file, after.diagnostics.find(isError)?.message ?? OUTRANKED, asked, value);
    replaceFiles([{ path, shown: file, before, after: edited.text }], io);
    const place = after.desired?.resources
      .find((one) => one.address === address)
      ?.lifecycle.hold.find(({ path: held }) => held === asked.path);
    if (settings.verbosity !== 'quiet')
      await io.stdout.write(
        `Held ${address}: ${nameText(asked.path)} may stay ${typeof value === 'string' ? nameText(value) : JSON.stringify(value)} until ${asked.until} (${file}:${place?.source.start.line ?? 1}).\n`,
      );
    return exitCodes.done;
  });
};

const OUTRANKED = 'another hold of the same resource already covers this path';

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error';
}

/** The flags, checked before anything is read. */
function requestOf({ io, flags }: Invocation): HoldRequest {
  const textOf = (name: string): string => String(flags[name]).trim();
  const [path, until, reason] = [textOf('path'), textOf('until'), textOf('reason')] as const;
  const untilMs = parseWrittenTimeMs(until);
  if (untilMs === undefined)
    throw new UsageError(
      '--until takes a date, or a time with its zone',
      'For example 2026-12-01 or 2026-12-01T06:00:00Z.',
    );
  if (untilMs <= io.clock.nowMs()) throw new UsageError(`--until ${until} has passed already`);
  if (reason === '' || reason.length > LONGEST_REASON)
    throw new UsageError(
      `--reason takes 1 to ${LONGEST_REASON} characters, such as the cause of the difference or a ticket`,
    );
  return { path, until, reason };
}

function cannotEdit(file: string, problem: string, asked: HoldRequest, value: Json): UsageError {
  const { path, until, reason } = asked;
  const line = renderInline({ path, value, until, reason });
  return new UsageError(
    `${file} cannot be edited: ${problem}`,
    `Write the hold by hand, under lifecycle: hold: [${line}]`,
  );
}
