// Compares one declaration with one live resource, attribute by attribute.
import { namedAs, namedBy, attributeAt, canonicalAt, identityOf, type Attribute } from '../../model/attributes.ts';
import { isJsonObject, jsonEqual, type Json, type JsonObject } from '../../base/json.ts';
import { listOf } from '../../base/text/words.ts';
import { isoTime } from '../../base/time/clock.ts';
import { errorAt, warningAt, type DesiredResource, type Hold } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { LiveResource } from '../../model/live.ts';
import { coversPath, leavesOf, valueAt, withValue, type Leaf } from '../../model/values.ts';
import type { SourceRange, SourceRanges } from '../../model/source.ts';
import type { AttributeChange, Change, HeldDifference } from '../../model/outcome/plan.ts';
import { picked } from '../../base/picked.ts';
import type { KindRules } from '../kind-rules.ts';

export interface Difference extends Pick<Change, 'attributes' | 'held' | 'notes'> {
  /** Managed and identifying attributes: `before` with the live values, `after` with the file's values. */
  readonly before: JsonObject;
  readonly after: JsonObject;
  /** Only the members that change, nested as in the spec: `desired` has the declared values, `replaced` the live ones. */
  readonly desired: JsonObject;
  readonly replaced: JsonObject;
  readonly severity: Severity;
  readonly pathsOf: (severity: Severity) => readonly string[];
  /** Declared paths that trueup does not compare, because the service does not show their values. */
  readonly untoldPaths: readonly string[];
}

export const NOT_COMPARED = 'not_compared';

type Severity = 'none' | 'update' | 'restart' | 'move' | 'replace' | 'immutable' | 'never';
const SEVERITIES: readonly Severity[] = ['never', 'immutable', 'replace', 'move', 'restart', 'update'];

/** Returns the declared leaves to compare: no ignored leaves, and no empty objects, because these manage nothing. */
export function managedLeaves(desired: DesiredResource): Leaf[] {
  return leavesOf(desired.spec).filter(
    ({ path, value }) =>
      !(isJsonObject(value) && Object.keys(value).length === 0) &&
      !desired.lifecycle.ignore.some((pattern) => coversPath(pattern, path)),
  );
}

/** Returns the declaration without ignored attributes; identifying attributes always stay. */
export function withoutIgnored(rules: KindRules, desired: DesiredResource): DesiredResource {
  if (desired.lifecycle.ignore.length === 0) return desired;
  const spec = managedLeaves(desired).reduce(
    (made: JsonObject, { segments, value }) => withValue(made, segments, value),
    picked(desired.spec, identityOf(rules)),
  );
  return { ...desired, spec };
}

/** True if the documentation says which value the attribute has while `spec` does not show it. */
export function isAbsenceStated({ absent, shownWith }: Attribute, spec: JsonObject): boolean {
  return absent !== undefined && (shownWith === undefined || (spec[shownWith] ?? null) === null);
}

/** Returns those of the leaves that `live` lacks; a leaf whose absence has a documented meaning is returned only with `isPartial`. */
export function untoldLeaves(
  rules: Pick<KindRules, 'attributes'>,
  leaves: readonly Leaf[],
  live: JsonObject,
  isPartial: boolean = false,
): readonly Leaf[] {
  const isUsedOnce = ({ path, value }: Leaf): boolean => value !== null && canonicalAt(rules, path, value) === null;
  return leaves.filter(
    (leaf) =>
      valueAt(live, leaf.segments) === undefined &&
      (isPartial || !isAbsenceStated(attributeAt(rules, leaf.path), live)) &&
      !isUsedOnce(leaf),
  );
}

/** True if `live` has an equal value, or none and the absence has no documented meaning. */
export function sameAt(
  rules: Pick<KindRules, 'attributes'>,
  { path, segments, value }: Leaf,
  live: JsonObject,
): boolean {
  const have = valueAt(live, segments);
  if (have === undefined && !isAbsenceStated(attributeAt(rules, path), live)) return true;
  return jsonEqual(canonicalAt(rules, path, value, have), canonicalAt(rules, path, have, value));
}

/** Returns the hold on this leaf and its state: a hold in force, or else one for another value, or else an expired one. */
export function holdOn(
  rules: KindRules,
  desired: DesiredResource,
  leaf: Leaf,
  live: JsonObject,
  nowMs: number,
): { readonly hold: Hold; readonly state: 'holds' | 'expired' | 'other_value' } | null {
  const all = desired.lifecycle.hold.filter(({ path }) => coversPath(path, leaf.path));
  const current = all.filter(({ untilMs }) => untilMs > nowMs);
  const holding = current.find(({ path, value }) => {
    const depth = path === leaf.path ? leaf.segments.length : path.split('.').length;
    const have = valueAt(live, leaf.segments.slice(0, depth));
    return jsonEqual(canonicalAt(rules, path, value), canonicalAt(rules, path, have));
  });
  const hold = holding ?? current[0] ?? all[0];
  if (hold === undefined) return null;
  return { hold, state: holding !== undefined ? 'holds' : hold.untilMs <= nowMs ? 'expired' : 'other_value' };
}

function severityOf(rules: KindRules, path: string): Severity {
  const { change, restarts } = attributeAt(rules, path);
  return change === 'update' && restarts ? 'restart' : change;
}

export function isReplaced(rules: KindRules, desired: DesiredResource, live: LiveResource): boolean {
  return managedLeaves(desired).some(
    (leaf) => !sameAt(rules, leaf, live.spec) && severityOf(rules, leaf.path) === 'replace',
  );
}

export function differenceOf(
  rules: KindRules,
  desired: DesiredResource,
  { spec: live }: LiveResource,
  nowMs: number,
): Difference {
  const held: HeldDifference[] = [];
  const notes: string[] = [];
  const changed: Leaf[] = [];
  const leaves = managedLeaves(desired);
  const liveAt = ({ segments }: Leaf): Json => valueAt(live, segments) ?? null;
  for (const leaf of leaves) {
    const { path, value: wanted } = leaf;
    if (sameAt(rules, leaf, live) || attributeAt(rules, path).isOpen?.(wanted, nowMs) === false) continue;
    const { hold, state } = holdOn(rules, desired, leaf, live, nowMs) ?? {};
    if (hold !== undefined && state === 'holds') {
      held.push({ path, wanted, live: liveAt(leaf), untilMs: hold.untilMs, reason: hold.reason });
      continue;
    }
    changed.push(leaf);
    if (hold === undefined) continue;
    const why =
      state === 'expired'
        ? `ended at ${isoTime(hold.untilMs)}`
        : 'is for another live value, so the hold does not apply';
    notes.push(`the hold on ${path} (${hold.reason}) ${why}`);
  }
  const before = partOf(rules, live, leaves);
  const withAll = (value: JsonObject, leafOf: (leaf: Leaf) => Json): JsonObject =>
    changed.reduce((made, leaf) => withValue(made, leaf.segments, leafOf(leaf)), value);
  const ranges = changed.length === 0 ? {} : desired.sources();
  const severities = changed.map(({ path }) => severityOf(rules, path));
  return {
    attributes: changed.map((leaf) => ({
      path: leaf.path,
      before: liveAt(leaf),
      after: leaf.value,
      restarts: attributeAt(rules, leaf.path).restarts,
      ...elsewhere(desired.source, ranges, leaf.path),
    })),
    held,
    notes,
    before,
    after: withAll(before, ({ value }) => value),
    desired: withAll({}, ({ value }) => value),
    replaced: withAll({}, liveAt),
    severity: SEVERITIES.find((one) => severities.includes(one)) ?? 'none',
    pathsOf: (severity) => changed.filter((_, at) => severities[at] === severity).map(({ path }) => path),
    untoldPaths: untoldLeaves(rules, leaves, live).map(({ path }) => path),
  };
}

function partOf(rules: KindRules, live: JsonObject, leaves: readonly Leaf[]): JsonObject {
  let part: Record<string, Json> = picked(live, identityOf(rules));
  for (const { segments } of leaves) {
    const have = valueAt(live, segments) ?? null;
    const [first = ''] = segments;
    if (have === null) continue;
    if (segments.length === 1) part[first] = have;
    else part = withValue(part, segments, have);
  }
  return part;
}

/** Returns where an attribute's value is written, if that is in a profile, an overlay or a file other than the declaration's (`file`). */
function elsewhere({ file }: SourceRange, ranges: SourceRanges, path: string): Pick<AttributeChange, 'source'> {
  for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('.')))) {
    const place = ranges[at];
    if (place === undefined) continue;
    const isBeside = place.profile === undefined && place.over === undefined && place.file === file;
    return isBeside ? {} : { source: place };
  }
  return {};
}

/** Returns the spec of a new resource, with the name that will identify the resource if no slot does. */
export function specOfNew(rules: KindRules, desired: DesiredResource): JsonObject {
  const path = namedBy(rules);
  const name = rules.place(desired.spec) === null ? namedAs(rules, desired) : null;
  return path === null || name === null ? desired.spec : { ...desired.spec, [path]: name };
}

export function creationOf(desired: DesiredResource): readonly AttributeChange[] {
  const ranges = desired.sources();
  return leavesOf(desired.spec).map(({ path, value }) => ({
    path,
    before: null,
    after: value,
    restarts: false,
    ...elsewhere(desired.source, ranges, path),
  }));
}

export function notCompared(desired: DesiredResource, paths: readonly string[]): readonly Diagnostic[] {
  if (paths.length === 0) return [];
  const [are, them] = paths.length === 1 ? ['is', 'it'] : ['are', 'them'];
  const message = `${listOf(paths)} of ${desired.address} ${are} not compared: the service does not show ${them}`;
  return [warningAt(desired, '', NOT_COMPARED, message, undefined, { paths })];
}

export function cannotCreate(desired: DesiredResource, unsaid: readonly string[]): Diagnostic {
  const message = `${desired.address} does not exist, and cannot be created without ${unsaid.join(' and ')}`;
  return errorAt(desired, '', 'cannot_create', message, 'Write the missing keys, or remove the entry.');
}

export function neverDiagnostics(desired: DesiredResource, { pathsOf, attributes }: Difference): Diagnostic[] {
  const never = attributes.filter(({ path }) => pathsOf('never').includes(path));
  return never.map(({ path, before, after }) => {
    const message = `${path} of ${desired.address} is ${JSON.stringify(before)} and cannot be changed to ${JSON.stringify(after)}`;
    return errorAt(desired, path, 'cannot_change', message, `Write the live value, or leave ${path} out.`);
  });
}
