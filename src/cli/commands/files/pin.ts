// `trueup pin`: writes the matched ids into the files, which keep their comments and layout.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { jsonText } from '../../../render/machine/json-text.ts';
import { listOf, plural } from '../../../base/text/words.ts';
import type { DesiredState } from '../../../model/desired.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import { renderPins, pinsToJson, type PinRow } from '../../../render/tables/pins.ts';
import { openAuthoringFiles } from '../../authoring/edited-files.ts';
import type { Invocation, Run } from '../../command.ts';
import { exitCodes } from '../../process/exit-code.ts';
import { checkWritable } from '../../process/files.ts';
import { online } from '../../session/online.ts';
import { checkOutputs, deliver, inputsOf } from '../../output/output.ts';
import { pinWork, type NotPinned, type PinEdit, type PinWork, writePins } from '../../authoring/pin-edits.ts';
import { tableOptions, say, unplannedIn } from '../../session/session.ts';

export const pin: Run = async (invocation) => {
  const { io, settings, flags } = invocation;
  const to = typeof flags['to'] === 'string' ? flags['to'] : null;
  checkOutputs(settings, inputsOf(settings, filesWith(invocation, to)));
  if (to !== null) checkWritable(resolve(io.cwd, to), to, io.cwd);
  const files = openAuthoringFiles(io, settings, filesWith(invocation, to));
  const loaded = await files.load();
  const { desired } = loaded;
  if (desired === null) {
    await say(io, settings, loaded.diagnostics, loaded.sources);
    return exitCodes.error;
  }
  return online(invocation, async ({ connection, stop }) => {
    const { plan, reading, diagnostics } = await connection.reconciler.plan({
      desired,
      target: settings.target,
      exclude: settings.exclude,
      once: true,
      signal: stop.soft,
    });
    const fix = flags['fix'] === true;
    const unplanned = unplannedIn(plan);
    const news = [...unplanned, ...diagnostics].filter(
      ({ severity, code }) => severity === 'error' || (['stale_pin', 'swapped'].includes(code) && !fix),
    );
    await say(io, settings, [...loaded.diagnostics, ...news], loaded.sources);
    if (plan === null || reading === null) return exitCodes.error;
    const work = pinWork({ desired, plan, to, fix });
    const written = await writePins(work.edits, files, io);
    if (written.desired === null) {
      await say(io, settings, written.diagnostics, loaded.sources);
      return exitCodes.error;
    }
    const refused = [...work.skipped, ...written.refused];
    const unread = reading.live.unread.map(unreadError);
    const isWhole = unread.length + unplanned.length === 0;
    await tell(invocation, work, { done: written.done, refused, desired: written.desired, isWhole });
    await say(io, settings, [...refused.map(notPinned), ...unread], loaded.sources);
    return isWhole && refused.length === 0 ? exitCodes.done : exitCodes.error;
  });
};

/** The file of ids belongs to the run once it exists. */
function filesWith({ io, settings }: Invocation, to: string | null): readonly string[] {
  return to !== null && existsSync(resolve(io.cwd, to)) ? [...settings.files, to] : settings.files;
}

async function tell(
  { io, settings }: Invocation,
  { edits, stale }: PinWork,
  result: {
    readonly done: readonly PinEdit[];
    readonly refused: readonly NotPinned[];
    readonly desired: DesiredState;
    /** True if everything was read. */
    readonly isWhole: boolean;
  },
): Promise<void> {
  const sources = new Map(result.desired.resources.map((resource) => [resource.address, resource.sources]));
  const rows = result.done.map(({ address, id, before, because, file }): PinRow => {
    const line = id === null ? null : (sources.get(address)?.['id']?.start.line ?? null);
    return { address, id, before, because, file, line };
  });
  await deliver(io, settings, {
    json: () => `${jsonText(pinsToJson(rows, result.refused, stale), 2)}\n`,
    human: (place) => {
      const isSilent = settings.verbosity === 'quiet';
      const nothing = rows.length + edits.length + result.refused.length + stale.length === 0;
      const none = nothing && result.isWhole ? NOTHING_TO_PIN : '';
      const last = isSilent ? '' : rows.length > 0 ? writtenWords(rows) : none;
      return `${renderPins(rows, tableOptions(io, settings, place))}${last}`;
    },
  });
}

const NOTHING_TO_PIN = 'Nothing to pin: every declared compute that exists has its id.\n';

/** `Wrote 2 ids and removed 1 in trueup.yaml.` */
function writtenWords(rows: readonly PinRow[]): string {
  const removed = rows.filter(({ id }) => id === null).length;
  const done = [
    ...(rows.length > removed ? [`wrote ${plural(rows.length - removed, 'id')}`] : []),
    ...(removed > 0 ? [`removed ${removed}`] : []),
  ].join(' and ');
  const files = [...new Set(rows.map(({ file }) => file))];
  return `${done.replace(/^./, (first) => first.toUpperCase())} in ${listOf(files)}.\n`;
}

function notPinned({ address, because, id }: NotPinned): Diagnostic {
  const hint = id === null ? {} : { hint: `Write \`id: ${id}\` there by hand, or into a file of ids with --to FILE.` };
  return { severity: 'error', code: 'not_pinned', message: `the id is not written: ${because}`, address, ...hint };
}

function unreadError({ what, reason }: { readonly what: string; readonly reason: string }): Diagnostic {
  return {
    severity: 'error',
    code: 'unread',
    message: `${what} could not be read: ${reason}`,
    hint: 'Run trueup pin again.',
  };
}
