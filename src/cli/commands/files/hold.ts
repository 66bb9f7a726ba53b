// `trueup hold`: adds a hold to the file, so that plans accept the live value of one attribute until a date.
import { resolve } from 'node:path';
import type { Json } from '../../../base/json.ts';
import { renderInline } from '../../../config/edit/layout.ts';
import { parseWrittenTimeMs } from '../../../base/time/instant.ts';
import { nameText } from '../../../render/text/escape.ts';
import { openAuthoringFiles, replaceFiles } from '../../authoring/edited-files.ts';
import type { Invocation, Run } from '../../command.ts';
import { Ended, exitCodes, UsageError } from '../../process/exit-code.ts';
import { entryPath } from '../../authoring/pin-edits.ts';
import { online } from '../../session/online.ts';
import { readToEdit } from '../../session/desired-files.ts';
import { isError, say } from '../../session/session.ts';
import { isInSet } from '../../../model/address.ts';
import { writableOf } from '../../../model/attributes.ts';
import { listOf, nearHint } from '../../../base/text/words.ts';
import { appendItem, setValues, type Edited } from '../../../config/edit/edit-file.ts';
import { kindOf } from '../../../kinds/index.ts';
import type { DesiredResource, DesiredState } from '../../../model/desired.ts';
import type { LiveResource } from '../../../model/live.ts';
import { coversPath, valueAt } from '../../../model/values.ts';
import type { Change } from '../../../model/outcome/plan.ts';

const LONGEST_REASON = 500;

export const run: Run = async (invocation) => {
  const { io, settings, words } = invocation;
  const address = words[0] ?? '';
  const asked = requestOf(invocation);
  const files = openAuthoringFiles(invocation, settings.files);
  const { desired, sources } = await readToEdit(invocation, async () => files.load());
  const resource = holdable(desired, address, asked.path);
  const file = fileOfHold(resource);
  if (file === '-') throw new UsageError('standard input cannot be edited', 'Name the file with -f PATH.');
  return online(invocation, async ({ connection: { reconciler }, stop }) => {
    const made = await reconciler.plan({ desired, target: [address], once: true, held: [], signal: stop.soft });
    await say(invocation, made.diagnostics.filter(isError), sources);
    if (made.plan === null) throw new Ended();
    const { live } = made.reading;
    const [unread] = live.unread;
    if (unread !== undefined)
      throw new UsageError(`${unread.what} could not be read: ${unread.reason}`, 'Run trueup hold again.');
    const change = made.plan.changes.find((one) => one.address === address);
    const own = live.resources.find(({ kind, id }) => kind === resource.kind && id === change?.resourceId);
    const value = differingValue(asked.path, change, own);
    const wanted = { path: asked.path, value, until: asked.until, reason: asked.reason };
    const path = resolve(io.cwd, file);
    const before = files.textOf(path) ?? '';
    const edited = withHold(before, entryPath(desired, resource), resource, wanted);
    if ('problem' in edited) throw cannotEdit(file, edited.problem, wanted);
    const after = await files.load(new Map([[path, edited.text]]));
    const holds = after.desired?.resources.find((one) => one.address === address)?.lifecycle.hold ?? [];
    const hold = holds.find((one) => one.path === asked.path);
    if (hold === undefined) throw cannotEdit(file, after.diagnostics.find(isError)?.message ?? OUTRANKED, wanted);
    replaceFiles([{ path, shown: file, before, after: edited.text }], io);
    if (settings.verbosity === 'quiet') return exitCodes.done;
    const shown = typeof value === 'string' ? nameText(value) : JSON.stringify(value);
    await io.stdout.write(
      `Held ${address}: ${nameText(asked.path)} may stay ${shown} until ${asked.until} (${file}:${hold.source.start.line}).\n`,
    );
    return exitCodes.done;
  });
};

const OUTRANKED = 'another file overrides the holds of this resource';

function requestOf({ io, flags }: Invocation): HoldRequest {
  const textOf = (name: string): string => String(flags[name]).trim();
  const [path, until, reason] = [textOf('path'), textOf('until'), textOf('reason')] as const;
  const untilMs = parseWrittenTimeMs(until);
  if (untilMs === undefined)
    throw new UsageError('--until takes a date, or a time with its zone', 'For example 2026-12-01T06:00:00Z.');
  if (untilMs <= io.clock.nowMs()) throw new UsageError(`--until ${until} has passed already`);
  if (reason === '' || reason.length > LONGEST_REASON)
    throw new UsageError(`--reason takes 1 to ${LONGEST_REASON} characters, such as the cause or a ticket`);
  return { path, until, reason };
}

function cannotEdit(file: string, problem: string, wanted: WantedHold): UsageError {
  return new UsageError(
    `${file} cannot be edited: ${problem}`,
    `Write the hold by hand, under lifecycle: hold: [${renderInline(wanted)}]`,
  );
}

type HoldRequest = Readonly<Record<'path' | 'until' | 'reason', string>>;
type WantedHold = HoldRequest & { readonly value: Json };

function holdable(desired: DesiredState, address: string, path: string): DesiredResource {
  const resource = desired.resources.find((one) => one.address === address);
  const addresses = desired.resources.map((one) => one.address);
  if (resource === undefined)
    throw new UsageError(
      `the files declare no ${address}`,
      nearHint(address, addresses, 'To see the addresses: trueup list'),
    );
  if (isInSet(address))
    throw new UsageError(`${address} has no entry of its own in the files`, 'Change the entry of its set.');
  const attributes = writableOf(kindOf(resource.kind));
  const first = path.split('.')[0] ?? '';
  if (!attributes.includes(first))
    throw new UsageError(
      `${path} is not an attribute of ${address}`,
      nearHint(first, attributes, `Attributes are ${listOf(attributes)}.`),
    );
  if (resource.absent) throw new UsageError(`${address} has state: absent, so there is no attribute to hold`);
  return resource;
}

/** The live value at `path`. Throws UsageError if the file does not differ, a hold applies already, or nothing is live. */
function differingValue(path: string, change: Change | undefined, live: LiveResource | undefined): Json {
  if (change === undefined || live === undefined || change.resourceId === null)
    throw new UsageError(
      'the resource does not exist yet, so there is no live value to hold',
      'To see the difference: trueup plan',
    );
  const held = change.held.find((one) => coversPath(path, one.path) || coversPath(one.path, path));
  if (held !== undefined) throw new UsageError(`${held.path} is held already: ${held.reason}`);
  const exact = change.attributes.find((one) => one.path === path);
  if (exact !== undefined) return exact.before;
  const now = valueAt(live.spec, path.split('.')) ?? null;
  if (change.attributes.some((one) => coversPath(path, one.path))) return now;
  throw new UsageError(
    `nothing differs at ${path}: the live value is ${JSON.stringify(now)}, and the files declare no other value`,
    change.attributes.length === 0
      ? 'There is no difference: see trueup plan.'
      : `Differences: ${listOf(change.attributes.map((one) => one.path))}.`,
  );
}

/** The file for the hold: the file with the resource's other holds or its `lifecycle`, else the file that declares it. */
function fileOfHold({ sources, source }: DesiredResource): string {
  const ranges = sources();
  return (ranges['lifecycle.hold'] ?? ranges['lifecycle'] ?? source).file;
}

/** Adds the hold to the entry at path `entry`. Overwrites a hold on the same attribute that is expired or for another value. */
function withHold(text: string, entry: readonly string[], resource: DesiredResource, wanted: WantedHold): Edited {
  const list = [...entry, 'lifecycle', 'hold'];
  const { path, ...changes } = wanted;
  const at = placeOfFormer(resource, path);
  if (at === null) return appendItem(text, list, wanted);
  const edits = Object.entries(changes).map(([name, to]) => ({ path: [...list, at, name], value: to }));
  const { text: after, refused } = setValues(text, edits, 0);
  const problem = [...refused.values()][0];
  return problem === undefined ? { text: after } : { problem };
}

/** Returns the position of a former hold in the list of the file, whose order the declaration does not keep. */
function placeOfFormer({ lifecycle: { hold } }: DesiredResource, path: string): number | null {
  const former = hold.find((one) => one.path === path)?.source.start.offset;
  return former === undefined ? null : hold.filter(({ source }) => source.start.offset < former).length;
}
