// `trueup pin`: writes the matched ids into the files, which keep their comments and layout.
import { resolve } from 'node:path';
import { jsonPage } from '../../../render/machine/diagnostics-json.ts';
import { listOf, plural } from '../../../base/text/words.ts';
import type { DesiredState } from '../../../model/desired.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import { unreadError } from '../../../render/messages/problems.ts';
import { renderPins, pinsToJson, type PinRow } from '../../../render/tables/pins.ts';
import { openAuthoringFiles } from '../../authoring/edited-files.ts';
import type { Run } from '../../command.ts';
import { Ended, exitCodes } from '../../process/exit-code.ts';
import { checkWritable } from '../../process/files.ts';
import { notPinned, withIds } from '../../authoring/pin-made.ts';
import { online } from '../../session/online.ts';
import { checkOutputs } from '../../output/check-outputs.ts';
import { deliver } from '../../output/output.ts';
import { pinWork, type PinEdit, writePins } from '../../authoring/pin-edits.ts';
import { readToEdit } from '../../session/desired-files.ts';
import { isError, tableOptions, say, unplannedIn } from '../../session/session.ts';

export const run: Run = async (invocation) => {
  const { io, settings, flags } = invocation;
  const to = typeof flags['to'] === 'string' ? flags['to'] : null;
  if (to !== null) {
    checkWritable(resolve(io.cwd, to), to, io.cwd);
    checkOutputs({ settings, words: [to], flags: {} });
  }
  const files = openAuthoringFiles(invocation, withIds(io, settings.files, to));
  const { desired, diagnostics, sources } = await readToEdit(invocation, async () => files.load());
  return online(invocation, async ({ connection: { reconciler }, stop }) => {
    const { target, exclude } = settings;
    const made = await reconciler.plan({ desired, target, exclude, once: true, signal: stop.soft });
    const { plan, reading } = made;
    const fix = flags['fix'] === true;
    const unplanned = unplannedIn(plan);
    const isToTell = (one: Diagnostic): boolean =>
      isError(one) || (!fix && ['stale_pin', 'swapped'].includes(one.code));
    await say(invocation, [...diagnostics, ...[...unplanned, ...made.diagnostics].filter(isToTell)], sources);
    if (plan === null || reading === null) throw new Ended();
    const matched = plan.changes.filter(({ action }) => action !== 'revoke');
    const found = new Map(matched.map((one) => [one.address, { id: one.resourceId, because: one.matchedBy }]));
    const work = pinWork({ desired, found, to, fix });
    const written = await writePins(work.edits, files, io);
    if (written.desired === null) {
      await say(invocation, written.diagnostics, sources);
      throw new Ended();
    }
    const refused = [...work.skipped, ...written.refused];
    const unread = reading.live.unread.map((one) => unreadError(one, 'Run trueup pin again.'));
    const isWhole = unread.length + unplanned.length === 0;
    const rows = rowsOf(written.done, written.desired);
    const isNothing = work.edits.length + refused.length + work.stale.length === 0;
    const last = rows.length > 0 ? writtenWords(rows) : isNothing && isWhole ? NOTHING_TO_PIN : '';
    const isQuiet = settings.verbosity === 'quiet';
    await deliver(invocation, {
      json: () => jsonPage(pinsToJson(rows, refused, work.stale)),
      human: (place) => `${renderPins(rows, tableOptions(invocation, place))}${isQuiet ? '' : last}`,
    });
    await say(
      invocation,
      [...refused.map((one) => notPinned(one, 'error', 'or into a file of ids with --to FILE')), ...unread],
      sources,
    );
    return isWhole && refused.length === 0 ? exitCodes.done : exitCodes.error;
  });
};

function rowsOf(done: readonly PinEdit[], { resources }: DesiredState): readonly PinRow[] {
  const sources = new Map(resources.map((resource) => [resource.address, resource.sources]));
  return done.map(({ address, id, before, because, file }) => {
    const line = id === null ? null : (sources.get(address)?.()['id']?.start.line ?? null);
    return { address, id, before, because, file, line };
  });
}

const NOTHING_TO_PIN = 'Nothing to pin: every declared compute that exists has its id.\n';

/** Returns text like `Wrote 2 ids and removed 1 in trueup.yaml.` */
function writtenWords(rows: readonly PinRow[]): string {
  const removed = rows.filter(({ id }) => id === null).length;
  const done = [
    ...(rows.length > removed ? [`wrote ${plural(rows.length - removed, 'id')}`] : []),
    ...(removed > 0 ? [`removed ${removed}`] : []),
  ].join(' and ');
  const files = [...new Set(rows.map(({ file }) => file))];
  return `${done.replace(/^./, (first) => first.toUpperCase())} in ${listOf(files)}.\n`;
}
