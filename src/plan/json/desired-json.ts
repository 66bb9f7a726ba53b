// Desired state as JSON, as a saved plan carries it, and back.
import type { Json, JsonObject } from '../../base/json.ts';
import { isoTime } from '../../base/time/clock.ts';
import { cameled, snaked } from '../../base/naming-case.ts';
import type {
  DesiredProject,
  DesiredResource,
  DesiredState,
  Hold,
  Lifecycle,
  PruneRule,
  SafetyLimits,
} from '../../model/desired.ts';
import type {
  PlanDesired,
  PlanDesiredProject,
  PlanDesiredResource,
  PlanLifecycle,
  PlanLimits,
} from '../../model/generated/types.ts';
import type { SourceRange } from '../../model/source.ts';

export function desiredToJson(desired: DesiredState): JsonObject {
  const { expect, projects, resources, accountPrune, projectsComplete, safety } = desired;
  return {
    expect: expect === null ? null : { ...snaked(expect), source: placeToText(expect.source) },
    projects: projects.map(projectToJson),
    resources: resources.map(resourceToJson),
    account_prune: accountPrune,
    ...(projectsComplete === undefined ? {} : { projects_complete: projectsComplete }),
    safety: safety.map(limitsToJson),
  };
}

export function desiredFromJson(desired: PlanDesired): DesiredState {
  const { expect, projects, resources, account_prune, projects_complete, safety } = desired;
  return {
    expect: expect === null ? null : { ...cameled(expect), source: placeFromText(expect.source) },
    projects: projects.map(projectFromJson),
    resources: resources.map(resourceFromJson),
    accountPrune: account_prune,
    ...(projects_complete === undefined ? {} : { projectsComplete: projects_complete }),
    safety: safety.map(limitsFromJson),
  };
}

function projectToJson({ source, sources, ...project }: DesiredProject): JsonObject {
  return {
    ...snaked(project),
    source: placeToText(source),
    ...(sources === undefined ? {} : sourcesToJson(sources)),
  };
}

function projectFromJson({ sources, layers, ...project }: PlanDesiredProject): DesiredProject {
  return {
    ...cameled(project),
    labels: project.labels as DesiredProject['labels'],
    prune: project.prune as PruneRule,
    source: placeFromText(project.source),
    ...(sources === undefined
      ? {}
      : { sources: sourcesFromJson({ sources, ...(layers === undefined ? {} : { layers }) }) }),
  };
}

function resourceToJson(resource: DesiredResource): JsonObject {
  const {
    kind,
    address,
    scope,
    parent,
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
    ...(parent === undefined ? {} : { parent }),
    name,
    ...(pin === null ? {} : { pin }),
    ...(absent ? { absent } : {}),
    ...(isNew ? { new: isNew } : {}),
    ...(movedFrom === null ? {} : { moved_from: movedFrom }),
    spec,
    ...(Object.keys(rules).length === 0 ? {} : { lifecycle: rules }),
    ...(Object.keys(options).length === 0 ? {} : { options }),
    source: placeToText(source),
    ...sourcesToJson(sources),
  };
}

function resourceFromJson(json: PlanDesiredResource): DesiredResource {
  return {
    kind: json.kind,
    address: json.address,
    scope: json.scope,
    ...(json.parent === undefined ? {} : { parent: json.parent }),
    name: json.name,
    pin: json.pin ?? null,
    absent: json.absent ?? false,
    isNew: json.new ?? false,
    movedFrom: json.moved_from ?? null,
    spec: json.spec as JsonObject,
    lifecycle: lifecycleFromJson(json.lifecycle ?? {}),
    options: (json.options ?? {}) as JsonObject,
    source: placeFromText(json.source),
    sources: sourcesFromJson(json),
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

function limitsToJson({ isOperators, source, ...limits }: SafetyLimits): JsonObject {
  return {
    ...snaked(limits),
    windows: limits.windows.map(snaked),
    ...(isOperators === undefined ? {} : { operators: isOperators }),
    ...(source === undefined ? {} : { source: placeToText(source) }),
  };
}

function limitsFromJson({ operators, source, ...limits }: PlanLimits): SafetyLimits {
  return {
    ...cameled(limits),
    windows: limits.windows.map(cameled),
    ...(operators === undefined ? {} : { isOperators: operators }),
    ...(source === undefined ? {} : { source: placeFromText(source) }),
  };
}

function sourcesToJson(sources: DesiredResource['sources']): JsonObject {
  const places = Object.entries(sources).map(([path, place]) => [path, placeToText(place)]);
  return { sources: Object.fromEntries(places) as JsonObject, ...layersToJson(sources) };
}

/** What brings those attributes that do not simply stand with the declaration. */
function layersToJson(sources: DesiredResource['sources']): JsonObject {
  const layered = Object.entries(sources).filter(
    ([, { profile, over }]) => profile !== undefined || over !== undefined,
  );
  if (layered.length === 0) return {};
  const layers = layered.map(([path, { profile, over }]): [string, JsonObject] => [
    path,
    { ...(profile === undefined ? {} : { profile }), ...(over === undefined ? {} : { over: placeToText(over) }) },
  ]);
  return { layers: Object.fromEntries(layers) };
}

function sourcesFromJson({
  sources,
  layers,
}: Pick<PlanDesiredResource, 'sources' | 'layers'>): DesiredResource['sources'] {
  const places = Object.entries(sources).map(([path, text]): [string, SourceRange] => {
    const { profile, over } = (Object.hasOwn(layers ?? {}, path) ? layers?.[path] : undefined) ?? {};
    const layer = {
      ...(profile === undefined ? {} : { profile }),
      ...(over === undefined ? {} : { over: placeFromText(over) }),
    };
    return [path, { ...placeFromText(String(text)), ...layer }];
  });
  return Object.fromEntries(places);
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
