// What can be checked across keys: names that the API could not tell apart.
import { confusableForm } from '../../../config/check/names.ts';
import type { DesiredResource } from '../../../model/desired.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { SourceRange } from '../../../model/source.ts';

export function checkKeys(resources: readonly DesiredResource[]): readonly Diagnostic[] {
  const seen = new Map<string, DesiredResource>();
  const found: Diagnostic[] = [];
  for (const resource of resources) {
    const form = confusableForm(String(resource.spec['name']));
    const first = seen.get(form);
    if (first === undefined) seen.set(form, resource);
    else if (first.pin === null || resource.pin === null || first.spec['name'] !== resource.spec['name'])
      found.push(clash(resource, first));
  }
  return found;
}

function clash(resource: DesiredResource, first: DesiredResource): Diagnostic {
  const at = (one: DesiredResource): SourceRange => one.sources['name'] ?? one.source;
  return {
    severity: 'error',
    code: first.spec['name'] === resource.spec['name'] ? 'duplicate_name' : 'confusable_name',
    message: `${first.address} and ${resource.address} have names that cannot be told apart`,
    hint: 'Rename one of them, or give each its `id:` where the API really has two keys of one name.',
    address: resource.address,
    range: at(resource),
    related: [{ message: `${first.address} stands here`, range: at(first) }],
  };
}
