// Checks across the declarations of all kinds.
import { sinkKey, sinksOf, type DesiredResource, type DesiredProject } from '../../model/desired.ts';
import type { SourceRange } from '../../model/source.ts';
import type { KindSection } from '../kind-section.ts';
import type { Report } from '../report.ts';
import { addressOf } from '../../model/address.ts';
import { PROJECT } from '../../model/kind.ts';
import { show } from '../yaml/show.ts';
import { checkReferences } from './references.ts';

export interface CrossCheckInput {
  readonly projects: readonly DesiredProject[];
  readonly resources: readonly DesiredResource[];
  readonly kinds: readonly KindSection[];
  readonly report: Report;
}

export function checkResources(input: CrossCheckInput): void {
  checkPins(input);
  checkProjects(input);
  checkReferences(input.resources, input.projects, input.report);
  checkPlaces(input.resources, input.report);
  for (const kind of input.kinds) {
    const own = input.resources.filter((resource) => resource.kind === kind.kind);
    for (const diagnostic of kind.check(own, { all: input.resources, projects: input.projects }))
      input.report.addDiagnostic(diagnostic);
  }
}

/** Only one declaration can claim a live resource. */
function checkPins({ resources, report }: CrossCheckInput): void {
  const claimed = new Map<string, DesiredResource>();
  for (const resource of resources) {
    // `checkProjects` compares the ids of projects.
    if (resource.pin === null || resource.kind === PROJECT) continue;
    const key = `${resource.kind}\0${resource.pin}`;
    const first = claimed.get(key);
    if (first === undefined) claimed.set(key, resource);
    else
      report.addDiagnostic({
        severity: 'error',
        code: 'duplicate_id',
        message: `${show(resource.pin)} is claimed by ${first.address} and by ${resource.address}`,
        hint: 'Remove the id from one of the two declarations.',
        address: resource.address,
        range: resource.sources['id'] ?? resource.source,
        related: [{ message: `${first.address} claims it here`, range: first.sources['id'] ?? first.source }],
      });
  }
}

/** Two labels must not stand for one project. */
function checkProjects({ projects, report }: CrossCheckInput): void {
  const seen = new Map<string, DesiredProject>();
  for (const project of projects) {
    const key = project.id === null ? `name\0${project.name}` : `id\0${project.id}`;
    const first = seen.get(key);
    if (first === undefined) seen.set(key, project);
    else
      report.addDiagnostic({
        severity: 'error',
        code: 'duplicate_project',
        message: `${show(first.label)} and ${show(project.label)} stand for the same project`,
        hint: 'Write its resources under one label, or give the two projects different ids (`id:`).',
        range: project.source,
        related: [{ message: `${addressOf(first.label, '*')} is declared here`, range: first.source }],
      });
  }
}

/** Two resources must not store their secrets in one sink. */
function checkPlaces(resources: readonly DesiredResource[], report: Report): void {
  const seen = new Map<string, { readonly resource: DesiredResource; readonly range: SourceRange }>();
  for (const resource of resources)
    for (const [at, sink] of sinksOf(resource).entries()) {
      const [kind = '', target] = Object.entries(sink)[0] ?? [];
      const place = sinkKey(kind, String(target));
      const written = ['secret', 'password']
        .flatMap((key) => [`${key}.${kind}`, `${key}.${at}.${kind}`])
        .find((path) => resource.sources[path] !== undefined);
      const range = resource.sources[written ?? ''] ?? resource.source;
      const first = seen.get(place);
      if (first === undefined) seen.set(place, { resource, range });
      else if (first.resource !== resource)
        report.addDiagnostic({
          severity: 'error',
          code: 'shared_sink',
          message: `${first.resource.address} and ${resource.address} would be stored in the same sink`,
          hint: 'Give each secret its own sink.',
          address: resource.address,
          range,
          related: [{ message: `${first.resource.address} is stored here`, range: first.range }],
        });
    }
}
