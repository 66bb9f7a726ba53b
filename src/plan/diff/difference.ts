// The difference between one declaration and one live resource, attribute by attribute.
import { namedAs, namedBy, attributeAt, canonicalAt, identityOf, type Attribute } from '../../model/attributes.ts';
import { isJsonObject, jsonEqual, type Json, type JsonObject } from '../../base/json.ts';
import { listOf } from '../../base/text/words.ts';
import { isoTime } from '../../base/time/clock.ts';
import type { DesiredResource, Hold } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { LiveResource } from '../../model/live.ts';
import { coversPath, leavesOf, valueAt, withValue, type Leaf } from '../../model/paths.ts';
import type { AttributeChange, HeldDifference } from '../../model/outcome/plan.ts';
import type { Binding } from '../match/match-state.ts';
import { picked } from '../../base/picked.ts';
import type { KindRules } from '../kind-rules.ts';

export interface Difference {
  readonly attributes: readonly AttributeChange[];
  readonly held: readonly HeldDifference[];
  readonly notes: readonly string[];
  /** Managed and identifying attributes as they are, and as they shall be. */
  readonly before: JsonObject;
  readonly after: JsonObject;
  /** What changes, nested as in the spec: as declared, and as it is. */
  readonly desired: JsonObject;
  readonly replaced: JsonObject;
  readonly severity: Severity;
  readonly replacePaths: readonly string[];
  readonly immutablePaths: readonly string[];
  readonly neverPaths: readonly string[];
  /** What of the declaration the service does not show: it is not compared. */
  readonly untoldPaths: readonly string[];
}

/** Code of the warning that something of a declaration is not shown. */
export const NOT_COMPARED = 'not_compared';

/** The heaviest thing that the difference takes. */
export type Severity = 'none' | 'update' | 'restart' | 'move' | 'replace' | 'immutable' | 'never';
const SEVERITIES: readonly Severity[] = ['none', 'update', 'restart', 'move', 'replace', 'immutable', 'never'];

/** The leaves of a declaration that are compared: not those left to others, and no empty objects (they manage nothing). */
export function managedLeaves(desired: DesiredResource): Leaf[] {
  return leavesOf(desired.spec).filter(
    ({ path, value }) =>
      !(isJsonObject(value) && Object.keys(value).length === 0) &&
      !desired.lifecycle.ignore.some((pattern) => coversPath(pattern, path)),
  );
}

/** The declaration without the attributes that are left to others: its identity and what is compared. */
export function withoutIgnored(rules: KindRules, desired: DesiredResource): DesiredResource {
  if (desired.lifecycle.ignore.length === 0) return desired;
  const spec = managedLeaves(desired).reduce(
    (made: JsonObject, { segments, value }) => withValue(made, segments, value),
    picked(desired.spec, identityOf(rules)),
  );
  return { ...desired, spec };
}

/** The form in which equal meanings are equal. What the service does not show, and nothing states the meaning of, means whatever it is compared with. */
export function comparing(
  rules: Pick<KindRules, 'attributes'>,
): (path: string, value: Json | undefined, beside?: Json, of?: JsonObject) => Json {
  return (path, value, beside, of) =>
    value === undefined && beside !== undefined && !isAbsenceStated(attributeAt(rules, path), of)
      ? canonicalAt(rules, path, beside)
      : canonicalAt(rules, path, value, beside);
}

/** True where a reference states the meaning of an attribute that a spec does not show. */
export function isAbsenceStated({ absent, shownWith }: Attribute, spec: JsonObject = {}): boolean {
  return absent !== undefined && (shownWith === undefined || (spec[shownWith] ?? null) === null);
}

/** The leaves of a declaration that the service does not show, and nothing states the meaning of that; of what may be shown in part alone (`isPartial`), all that is not shown. */
export function untoldLeaves(
  rules: Pick<KindRules, 'attributes'>,
  desired: DesiredResource,
  live: JsonObject,
  isPartial: boolean = false,
): readonly Leaf[] {
  const isUsedOnce = ({ path, value }: Leaf): boolean => value !== null && canonicalAt(rules, path, value) === null;
  return managedLeaves(desired).filter(
    (leaf) =>
      valueAt(live, leaf.segments) === undefined &&
      (isPartial || !isAbsenceStated(attributeAt(rules, leaf.path), live)) &&
      !isUsedOnce(leaf),
  );
}

/** True when live and desired state mean the same at this leaf. */
export function sameAt(rules: KindRules, leaf: Leaf, live: JsonObject): boolean {
  const have = valueAt(live, leaf.segments);
  const form = comparing(rules);
  return jsonEqual(form(leaf.path, leaf.value, have), form(leaf.path, have, leaf.value, live));
}

/** The hold on this leaf, and whether it holds now: of several one that does, else the first whose time is not over. */
export function holdOn(
  rules: KindRules,
  desired: DesiredResource,
  leaf: Leaf,
  live: JsonObject,
  nowMs: number,
): { readonly hold: Hold; readonly state: 'holds' | 'expired' | 'other_value' } | null {
  const all = desired.lifecycle.hold.filter(({ path }) => coversPath(path, leaf.path));
  const current = all.filter(({ untilMs }) => untilMs > nowMs);
  const holding = current.find((hold) => isAsHeld(rules, hold, leaf, live));
  if (holding !== undefined) return { hold: holding, state: 'holds' };
  const [hold = all[0]] = current;
  return hold === undefined ? null : { hold, state: hold.untilMs <= nowMs ? 'expired' : 'other_value' };
}

function isAsHeld(rules: KindRules, { path, value }: Hold, leaf: Leaf, live: JsonObject): boolean {
  const depth = path === leaf.path ? leaf.segments.length : path.split('.').length;
  const have = valueAt(live, leaf.segments.slice(0, depth));
  return jsonEqual(canonicalAt(rules, path, value), canonicalAt(rules, path, have));
}

function severityOf(rules: KindRules, path: string): Severity {
  const { change, restarts } = attributeAt(rules, path);
  return change === 'update' && restarts ? 'restart' : change;
}

/** True where the live one cannot become as it is declared: another takes its place. */
export function isReplaced(rules: KindRules, desired: DesiredResource, live: LiveResource): boolean {
  return managedLeaves(desired).some(
    (leaf) => !sameAt(rules, leaf, live.spec) && severityOf(rules, leaf.path) === 'replace',
  );
}

export function differenceOf(
  rules: KindRules,
  desired: DesiredResource,
  live: LiveResource,
  nowMs: number,
): Difference {
  const held: HeldDifference[] = [];
  const notes: string[] = [];
  const changed: Leaf[] = [];
  const leaves = managedLeaves(desired);
  for (const leaf of leaves) {
    if (sameAt(rules, leaf, live.spec)) continue;
    const hold = holdOn(rules, desired, leaf, live.spec, nowMs);
    if (hold?.state === 'holds') {
      const { untilMs, reason } = hold.hold;
      held.push({
        path: leaf.path,
        wanted: leaf.value,
        live: valueAt(live.spec, leaf.segments) ?? null,
        untilMs,
        reason,
      });
      continue;
    }
    if (hold !== null) notes.push(holdNote(leaf.path, hold.hold, hold.state === 'expired'));
    changed.push(leaf);
  }
  const untoldPaths = untoldLeaves(rules, desired, live.spec).map(({ path }) => path);
  return { held, notes, untoldPaths, ...shapeOf(rules, live.spec, { desired, leaves, changed }) };
}

function holdNote(path: string, hold: Hold, expired: boolean): string {
  if (expired) return `the hold on ${path} (${hold.reason}) ended at ${isoTime(hold.untilMs)}`;
  return `the hold on ${path} (${hold.reason}) is for another live value, so the hold does not apply`;
}

interface Compared {
  readonly desired: DesiredResource;
  readonly leaves: readonly Leaf[];
  readonly changed: readonly Leaf[];
}

function shapeOf(
  rules: KindRules,
  live: JsonObject,
  { desired, leaves, changed }: Compared,
): Omit<Difference, 'held' | 'notes' | 'untoldPaths'> {
  const declared = { source: desired.source, sources: changed.length === 0 ? {} : desired.sources };
  const before = partOf(rules, live, leaves);
  let after = before;
  let sent: JsonObject = {};
  let replaced: JsonObject = {};
  for (const { segments, value } of changed) {
    after = withValue(after, segments, value);
    sent = withValue(sent, segments, value);
    replaced = withValue(replaced, segments, valueAt(live, segments) ?? null);
  }
  const severities = changed.map(({ path }) => severityOf(rules, path));
  const pathsOf = (severity: Severity): string[] =>
    changed.filter((_, at) => severities[at] === severity).map(({ path }) => path);
  return {
    attributes: changed.map((leaf) => ({
      path: leaf.path,
      before: valueAt(live, leaf.segments) ?? null,
      after: leaf.value,
      restarts: attributeAt(rules, leaf.path).restarts,
      ...elsewhere(declared, leaf.path),
    })),
    before,
    after,
    desired: sent,
    replaced,
    severity: SEVERITIES[Math.max(0, ...severities.map((severity) => SEVERITIES.indexOf(severity)))] ?? 'none',
    replacePaths: pathsOf('replace'),
    immutablePaths: pathsOf('immutable'),
    neverPaths: pathsOf('never'),
  };
}

/** What of the live spec the declaration speaks of, and what identifies it. */
function partOf(rules: KindRules, live: JsonObject, leaves: readonly Leaf[]): JsonObject {
  let part: Record<string, Json> = { ...picked(live, identityOf(rules)) };
  for (const { segments } of leaves) {
    const have = valueAt(live, segments);
    const [first] = segments;
    if ((have ?? null) === null || have === undefined || first === undefined) continue;
    if (segments.length === 1) part[first] = have;
    else part = withValue(part, segments, have);
  }
  return part;
}

/** Where the attribute, or what it is part of, is written, when that is not beside the declaration: a profile's, an overlay's, another file's. */
function elsewhere({ source, sources }: Declared, path: string): Pick<AttributeChange, 'source'> {
  for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('.')))) {
    const place = sources[at];
    if (place === undefined) continue;
    const isBeside = place.profile === undefined && place.over === undefined && place.file === source.file;
    return isBeside ? {} : { source: place };
  }
  return {};
}

type Declared = Pick<DesiredResource, 'source' | 'sources'>;

/** With the name that it is known by from then on, where nothing else tells it from others. */
export function specOfNew(rules: KindRules, desired: DesiredResource): JsonObject {
  const path = namedBy(rules);
  const name = rules.place(desired.spec) === null ? namedAs(rules, desired) : null;
  return path === null || name === null ? desired.spec : { ...desired.spec, [path]: name };
}

/** The attributes of something that is made: everything that the declaration says. */
export function creationOf({ spec, source, sources }: DesiredResource): readonly AttributeChange[] {
  const declared = { source, sources };
  return leavesOf(spec).map(({ path, value }) => ({
    path,
    before: null,
    after: value,
    restarts: false,
    ...elsewhere(declared, path),
  }));
}

/** Said of what the service does not show. */
export function notCompared({ address, source }: DesiredResource, paths: readonly string[]): readonly Diagnostic[] {
  if (paths.length === 0) return [];
  const message = `${listOf(paths)} of ${address} ${paths.length === 1 ? 'is' : 'are'} not compared: the service does not show ${paths.length === 1 ? 'it' : 'them'}`;
  return [{ severity: 'warning', code: NOT_COMPARED, message, address, range: source, paths }];
}

/** The error for a resource that does not exist, and of which the files do not say where to make it. */
export function cannotCreate({ desired }: Binding, unsaid: readonly string[]): Diagnostic {
  return {
    severity: 'error',
    code: 'cannot_create',
    message: `${desired.address} does not exist, and cannot be created without ${unsaid.join(' and ')}`,
    hint: 'Write the missing keys, or remove the entry.',
    address: desired.address,
    range: desired.source,
  };
}

/** An error for each attribute that no call can change. */
export function neverDiagnostics({ desired }: Binding, { neverPaths, attributes }: Difference): Diagnostic[] {
  return neverPaths.map((path) => {
    const attribute = attributes.find((one) => one.path === path);
    return {
      severity: 'error',
      code: 'cannot_change',
      message: `${path} of ${desired.address} is ${JSON.stringify(attribute?.before)} and cannot be changed to ${JSON.stringify(attribute?.after)}`,
      hint: 'write the live value, or remove the key',
      address: desired.address,
      range: desired.sources[path] ?? desired.source,
    };
  });
}
