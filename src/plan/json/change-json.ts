// One change as JSON, in the shape of Terraform's `resource_changes`, and back; and one step, with what must hold right before it.
import { isoTime } from '../../base/time/clock.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { PlanChange, PlanSource } from '../../model/generated/types.ts';
import { TERRAFORM_ACTIONS, tallyOf } from '../../model/outcome/event.ts';
import type { Change, Step, Expectation } from '../../model/outcome/plan.ts';
import { holdsReference } from '../../model/reference.ts';
import type { SourceRange } from '../../model/source.ts';
import { snaked } from '../../base/naming-case.ts';

/** `steps` tell in which order a replacement goes. */
export function changeToJson(change: Change, steps: readonly Step[] = []): JsonObject {
  const reason = actionReason(change);
  return {
    address: change.address,
    type: change.kind,
    name: change.name,
    mode: 'managed',
    provider_name: 'trueup',
    change: {
      actions: actionsOf(change, steps),
      before: change.before,
      after: change.after,
      after_unknown: unknownAfter(change),
      replace_paths: change.replacePaths.map((path) => path.split('.')),
    },
    ...(reason === null ? {} : { action_reason: reason }),
    trueup: detailsToJson(change),
  };
}

/** What is known after apply: the id of what is made, and attributes that refer to what is made before. */
function unknownAfter({ after, resourceId }: Change): JsonObject {
  if (after === null) return {};
  const waiting = Object.entries(after).filter(([, value]) => holdsReference(value));
  return { ...(resourceId === null ? { id: true } : {}), ...Object.fromEntries(waiting.map(([path]) => [path, true])) };
}

function detailsToJson(change: Change): JsonObject {
  return {
    action: change.action,
    resource_id: change.resourceId,
    project_id: change.projectId,
    ...(change.parentId === undefined ? {} : { parent_id: change.parentId }),
    matched_by: change.matchedBy,
    attributes: change.attributes.map(({ source, ...one }): Json => ({
      ...one,
      ...(source === undefined ? {} : { source: sourceToJson(source) }),
    })),
    impact: change.impact,
    impact_details: change.impactDetails,
    notes:
      change.waitsFor === undefined
        ? change.notes
        : [...change.notes, `depends on ${change.waitsFor}, which does not run`],
    reasons: change.reasons,
    blocked_by: change.blockedBy,
    ...(change.consents === undefined ? {} : { consents: change.consents.map((one): Json => ({ ...one })) }),
    held: change.held.map(({ path, wanted, live, untilMs, reason }): Json => ({
      path,
      wanted,
      live,
      until: isoTime(untilMs),
      reason,
    })),
    due: change.due,
    origin: change.origin,
    source: change.source === null ? null : sourceToJson(change.source),
    last_operation: change.lastOperation === null ? null : { ...change.lastOperation },
    ...(change.changedAt === undefined ? {} : { changed_at: change.changedAt }),
    ...(change.pinned === undefined ? {} : { pinned: change.pinned }),
    ...(change.sinks === undefined ? {} : { sinks: change.sinks }),
    ...(change.candidates === undefined
      ? {}
      : { candidates: change.candidates.map(({ id, address, facts }) => ({ id, address, ...facts })) }),
  };
}

/** In Terraform's words; a replacement says what goes first. */
function actionsOf(change: Change, steps: readonly Step[]): string[] {
  const { action, address } = change;
  if (action === 'none') return ['no-op'];
  if (action !== 'replace') return [TERRAFORM_ACTIONS[tallyOf(change)]];
  const gone = steps.find((step) => step.address === address && step.achieves === null);
  return gone?.needs.includes(`create:${address}`) === true ? ['create', 'delete'] : ['delete', 'create'];
}

function actionReason({ action, origin }: Change): string | null {
  if (action === 'replace') return 'replace_because_cannot_update';
  return origin === 'prune' ? 'delete_because_no_resource_config' : null;
}

export function changeFromJson(json: PlanChange): Change {
  const { trueup } = json;
  return {
    address: json.address,
    kind: json.type,
    name: json.name,
    action: trueup.action,
    resourceId: trueup.resource_id,
    projectId: trueup.project_id,
    ...(trueup.parent_id === undefined ? {} : { parentId: trueup.parent_id }),
    matchedBy: trueup.matched_by,
    before: json.change.before as JsonObject | null,
    after: json.change.after as JsonObject | null,
    attributes: trueup.attributes.map(({ source, ...one }) => {
      const place = sourceFromJson(source);
      return { ...(one as Change['attributes'][number]), ...(place === null ? {} : { source: place }) };
    }),
    impact: trueup.impact,
    impactDetails: trueup.impact_details as JsonObject,
    notes: trueup.notes,
    reasons: trueup.reasons,
    blockedBy: trueup.blocked_by,
    ...(trueup.consents === undefined ? {} : { consents: trueup.consents }),
    held: trueup.held.map(({ path, wanted, live, until, reason }) => ({
      path,
      wanted: wanted as Json,
      live: live as Json,
      untilMs: Date.parse(until),
      reason,
    })),
    due: trueup.due,
    origin: trueup.origin,
    source: sourceFromJson(trueup.source),
    lastOperation: trueup.last_operation,
    ...(trueup.changed_at === undefined ? {} : { changedAt: trueup.changed_at }),
    ...(trueup.sinks === undefined ? {} : { sinks: trueup.sinks }),
    replacePaths: json.change.replace_paths.map((segments) => segments.join('.')),
    ...(trueup.pinned === undefined ? {} : { pinned: trueup.pinned }),
    ...(trueup.candidates === undefined
      ? {}
      : {
          candidates: trueup.candidates.map(({ id, address, ...facts }) => ({
            id,
            address,
            facts: facts as JsonObject,
          })),
        }),
  };
}

export function sourceToJson({ file, start, profile, over }: SourceRange): JsonObject {
  return {
    file,
    line: start.line,
    column: start.column,
    ...(profile === undefined ? {} : { profile }),
    ...(over === undefined ? {} : { over: sourceToJson(over) }),
  };
}

/** A place without the text that it stands in: its offset is not known any more. */
export function sourceFromJson(source: PlanSource | null | undefined): SourceRange | null {
  if (source === null || source === undefined) return null;
  const { file, line, column, profile } = source;
  const position = { line, column, offset: 0 };
  const over = sourceFromJson(source.over);
  return {
    file,
    start: position,
    end: position,
    ...(profile === undefined ? {} : { profile }),
    ...(over === null ? {} : { over }),
  };
}

export function stepToJson(step: Step): JsonObject {
  return { ...snaked(step), expects: expectationToJson(step.expects) };
}

export function expectationToJson(expects: Expectation): JsonObject {
  if (expects.state === 'absent') {
    const { joins, former } = expects;
    return { state: 'absent', joins: { ...joins }, ...(former === undefined ? {} : { former: { ...former } }) };
  }
  const { fingerprint, joins, stake, ...rest } = expects;
  const shown = stake === undefined ? {} : { stake: { ...snaked(stake) } };
  return { ...rest, ...shown, fingerprint: snaked(fingerprint), joins: joins === null ? null : { ...joins } };
}
