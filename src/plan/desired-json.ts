// The wish as JSON, as a saved plan carries it, and back. Its digest is taken anew: it has to follow from the rest.
import type { Json, JsonObject } from '../base/json.ts';
import { isoTime } from '../base/clock.ts';
import { desiredDigestOf } from '../model/desired-digest.ts';
import type {
  DesiredProject,
  DesiredResource,
  DesiredState,
  Hold,
  Lifecycle,
  PruneRule,
  SafetyLimits,
} from '../model/desired.ts';
import type {
  PlanDesired,
  PlanDesiredProject,
  PlanDesiredResource,
  PlanLifecycle,
  PlanLimits,
} from '../model/generated/types.ts';
import type { SourceRange } from '../model/source.ts';
import { windowsFromJson, windowsToJson } from './windows-json.ts';

export function desiredToJson({ expect, projects, resources, accountPrune, safety }: DesiredState): JsonObject {
  return {
    expect:
      expect === null
        ? null
        : { base_url: expect.baseUrl, has_project: expect.hasProject, source: placeToText(expect.source) },
    projects: projects.map(projectToJson),
    resources: resources.map(resourceToJson),
    account_prune: accountPrune,
    safety: safety.map(limitsToJson),
  };
}

export function desiredFromJson({ expect, projects, resources, account_prune, safety }: PlanDesired): DesiredState {
  const state = {
    expect:
      expect === null
        ? null
        : { baseUrl: expect.base_url, hasProject: expect.has_project, source: placeFromText(expect.source) },
    projects: projects.map(projectFromJson),
    resources: resources.map(resourceFromJson),
    accountPrune: account_prune,
    safety: safety.map(limitsFromJson),
  };
  return { ...state, digest: desiredDigestOf(state) };
}

function projectToJson(project: DesiredProject): JsonObject {
  const { label, name, id, branches, prune, unmanagedOk, source, ...others } = project;
  others satisfies Record<string, never>;
  return { label, name, id, branches, prune, unmanaged_ok: unmanagedOk, source: placeToText(source) };
}

function projectFromJson({
  label,
  name,
  id,
  branches,
  prune,
  unmanaged_ok,
  source,
}: PlanDesiredProject): DesiredProject {
  return {
    label,
    name,
    id,
    branches: branches as Readonly<Record<string, string>>,
    prune: prune as PruneRule,
    unmanagedOk: unmanaged_ok,
    source: placeFromText(source),
  };
}

function resourceToJson(resource: DesiredResource): JsonObject {
  const {
    kind,
    address,
    scope,
    name,
    pin,
    absent,
    isNew,
    movedFrom,
    spec,
    lifecycle,
    options,
    source,
    sources,
    ...others
  } = resource;
  others satisfies Record<string, never>;
  const rules = lifecycleToJson(lifecycle);
  return {
    kind,
    address,
    scope,
    name,
    ...(pin === null ? {} : { pin }),
    ...(absent ? { absent } : {}),
    ...(isNew ? { new: isNew } : {}),
    ...(movedFrom === null ? {} : { moved_from: movedFrom }),
    spec,
    ...(Object.keys(rules).length === 0 ? {} : { lifecycle: rules }),
    ...(Object.keys(options).length === 0 ? {} : { options }),
    source: placeToText(source),
    sources: Object.fromEntries(Object.entries(sources).map(([path, place]) => [path, placeToText(place)])),
  };
}

function resourceFromJson(json: PlanDesiredResource): DesiredResource {
  return {
    kind: json.kind,
    address: json.address,
    scope: json.scope,
    name: json.name,
    pin: json.pin ?? null,
    absent: json.absent ?? false,
    isNew: json.new ?? false,
    movedFrom: json.moved_from ?? null,
    spec: json.spec as JsonObject,
    lifecycle: lifecycleFromJson(json.lifecycle ?? {}),
    options: (json.options ?? {}) as JsonObject,
    source: placeFromText(json.source),
    sources: Object.fromEntries(
      Object.entries(json.sources).map(([path, text]) => [path, placeFromText(String(text))]),
    ),
  };
}

function lifecycleToJson({ protect, ignore, hold, via, ...others }: Lifecycle): JsonObject {
  others satisfies Record<string, never>;
  return {
    ...(protect ? { protect } : {}),
    ...(ignore.length === 0 ? {} : { ignore }),
    ...(hold.length === 0 ? {} : { hold: hold.map(holdToJson) }),
    ...(via === null ? {} : { via }),
  };
}

function lifecycleFromJson({ protect, ignore, hold, via }: PlanLifecycle): Lifecycle {
  return {
    protect: protect ?? false,
    ignore: ignore ?? [],
    hold: (hold ?? []).map(({ path, value, until, reason, source }) => ({
      path,
      value: value as Json,
      untilMs: Date.parse(until),
      reason,
      source: placeFromText(source),
    })),
    via: via ?? null,
  };
}

function holdToJson({ path, value, untilMs, reason, source }: Hold): JsonObject {
  return { path, value, until: isoTime(untilMs), reason, source: placeToText(source) };
}

function limitsToJson(limits: SafetyLimits): JsonObject {
  const { project, protect, maxDeletes, maxRestarts, maxChangePercent, windows, isOperators, source, ...others } =
    limits;
  others satisfies Record<string, never>;
  return {
    ...windowsToJson({ project, windows }),
    protect,
    max_deletes: maxDeletes,
    max_restarts: maxRestarts,
    max_change_percent: maxChangePercent,
    ...(isOperators === undefined ? {} : { operators: isOperators }),
    ...(source === undefined ? {} : { source: placeToText(source) }),
  };
}

function limitsFromJson(json: PlanLimits): SafetyLimits {
  return {
    ...windowsFromJson(json),
    protect: json.protect,
    maxDeletes: json.max_deletes,
    maxRestarts: json.max_restarts,
    maxChangePercent: json.max_change_percent,
    ...(json.operators === undefined ? {} : { isOperators: json.operators }),
    ...(json.source === undefined ? {} : { source: placeFromText(json.source) }),
  };
}

/** `trueup.yaml:12:7`: of a place only its beginning is ever shown. */
function placeToText({ file, start }: SourceRange): string {
  return `${file}:${start.line}:${start.column}`;
}

function placeFromText(text: string): SourceRange {
  const [, file = '', line, column] = /^([^]*):(\d+):(\d+)$/.exec(text) ?? [];
  const position = { line: Number(line), column: Number(column), offset: 0 };
  return { file, start: position, end: position };
}
