// Places outside of the account: what one resource keeps there, another one would write over, whatever their kinds.
import type { DesiredResource } from '../../model/desired.ts';
import type { SourceRange } from '../../model/source.ts';
import type { KindSection } from '../kind-section.ts';
import type { Report } from '../report.ts';

export function checkPlaces(
  resources: readonly DesiredResource[],
  kinds: readonly KindSection[],
  report: Report,
): void {
  const sections = new Map(kinds.map((kind) => [kind.kind, kind]));
  const seen = new Map<string, { readonly resource: DesiredResource; readonly range: SourceRange }>();
  for (const resource of resources)
    for (const { place, paths } of sections.get(resource.kind)?.stores?.(resource) ?? []) {
      const written = paths.find((path) => resource.sources[path] !== undefined) ?? '';
      const range = resource.sources[written] ?? resource.source;
      const first = seen.get(place);
      if (first === undefined) seen.set(place, { resource, range });
      else if (first.resource !== resource)
        report.addDiagnostic({
          severity: 'error',
          code: 'shared_sink',
          message: `the values of ${first.resource.address} and ${resource.address} would be stored in one place`,
          hint: 'Give each its own place.',
          address: resource.address,
          range,
          related: [{ message: `${first.resource.address} is stored here`, range: first.range }],
        });
    }
}
