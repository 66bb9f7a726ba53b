// The hold that accepts a live difference: the live value at a path, and the text of the hold in the file.
import { writableOf } from '../../model/attributes.ts';
import { jsonEqual, type Json } from '../../base/json.ts';
import { didYouMean, listOf } from '../../base/text/words.ts';
import { appendItem, setValues, type Edited } from '../../config/edit/edit-file.ts';
import { kindOf } from '../../kinds/index.ts';
import type { DesiredResource, DesiredState } from '../../model/desired.ts';
import type { LiveResource } from '../../model/live.ts';
import { coversPath, valueAt } from '../../model/paths.ts';
import type { Change } from '../../model/outcome/plan.ts';
import { UsageError } from '../program/usage-error.ts';

/** The difference that the user asks to hold. */
export interface HoldRequest {
  readonly path: string;
  readonly until: string;
  readonly reason: string;
}

/** The declared resource of an address. Throws UsageError when there is none, or `path` is none of its attributes. */
export function holdable(desired: DesiredState, address: string, path: string): DesiredResource {
  const resource = desired.resources.find((one) => one.address === address);
  const addresses = desired.resources.map((one) => one.address);
  if (resource === undefined) {
    const near = didYouMean(address, addresses);
    const hint = near === undefined ? 'To see the addresses: trueup list' : `Did you mean ${near}?`;
    throw new UsageError(`the files declare no ${address}`, hint);
  }
  const attributes = writableOf(kindOf(resource.kind));
  const first = path.split('.')[0] ?? '';
  if (!attributes.includes(first)) {
    const near = didYouMean(first, attributes);
    const hint = near === undefined ? `Attributes are ${listOf(attributes)}.` : `Did you mean ${near}?`;
    throw new UsageError(`${path} is not an attribute of ${address}`, hint);
  }
  if (resource.absent) throw new UsageError(`${address} has state: absent, so there is no attribute to hold`);
  return resource;
}

/** The live value that differs at `path`. Throws UsageError when nothing differs there. */
export function differingValue(path: string, change: Change | undefined, live: LiveResource | undefined): Json {
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

/** The file that takes the hold: the file with the list of holds or `lifecycle`, else the file that declares the resource. */
export function fileOfHold({ sources, source }: DesiredResource): string {
  return (sources['lifecycle.hold'] ?? sources['lifecycle'] ?? source).file;
}

/** The text with the hold; `entry` is the path of the resource. An expired hold on the same attribute is updated. */
export function withHold(
  text: string,
  entry: readonly string[],
  resource: DesiredResource,
  asked: HoldRequest,
  value: Json,
): Edited {
  const list = [...entry, 'lifecycle', 'hold'];
  const { path, until, reason } = asked;
  const at = placeOfFormer(resource, path);
  if (at === null) return appendItem(text, list, { path, value, until, reason });
  const changes = { value, until, reason };
  const edits = Object.entries(changes).map(([name, to]) => ({ path: [...list, at, name], value: to }));
  const { text: after, refused } = setValues(text, edits, 0);
  const problem = [...refused.values()][0];
  return problem === undefined ? { text: after } : { problem };
}

/** The index of the hold on exactly this path; null without one. */
function placeOfFormer({ lifecycle, sources }: DesiredResource, path: string): number | null {
  const former = lifecycle.hold.find((one) => one.path === path);
  if (former === undefined) return null;
  for (let at = 0; sources[`lifecycle.hold.${at}`] !== undefined; at++)
    if (sources[`lifecycle.hold.${at}`]?.start.offset === former.source.start.offset) return at;
  return null;
}

/** True if the plan accepts the difference. */
export function isHeld(change: Change | undefined, path: string, value: Json): boolean {
  const held = change?.held.filter((one) => coversPath(path, one.path)) ?? [];
  const left = change?.attributes.some((one) => coversPath(path, one.path)) ?? true;
  return (
    !left &&
    held.length > 0 &&
    (held.some((one) => one.path !== path) || held.some((one) => jsonEqual(one.live, value)))
  );
}
