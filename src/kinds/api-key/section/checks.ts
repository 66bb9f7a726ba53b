// What can be checked across keys: names that the API could not tell apart.
import { confusableForm } from '../../../config/check/names.ts';
import type { DesiredResource } from '../../../model/desired.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { SourceRange } from '../../../model/source.ts';

export function checkKeys(resources: readonly DesiredResource[]): readonly Diagnostic[] {
  return checkNames(resources);
}

function checkNames(resources: readonly DesiredResource[]): readonly Diagnostic[] {
  const seen = new Map<string, DesiredResource>();
  const found: Diagnostic[] = [];
  for (const resource of resources) {
    const form = confusableForm(String(resource.spec['name']));
    const first = seen.get(form);
    if (first === undefined) seen.set(form, resource);
    else if (first.pin === null || resource.pin === null || first.spec['name'] !== resource.spec['name'])
      found.push(
        clash(resource, first, {
          code: first.spec['name'] === resource.spec['name'] ? 'duplicate_name' : 'confusable_name',
          message: `${first.address} and ${resource.address} have names that cannot be told apart`,
          hint: 'Rename one of them, or give each its `id:` where the API really has two keys of one name.',
          place: ['name'],
        }),
      );
  }
  return found;
}

interface Clash {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly place: readonly string[];
}

function clash(resource: DesiredResource, first: DesiredResource, { code, message, hint, place }: Clash): Diagnostic {
  const at = (one: DesiredResource): SourceRange => one.sources[place.join('.')] ?? one.source;
  return {
    severity: 'error',
    code,
    message,
    hint,
    address: resource.address,
    range: at(resource),
    related: [{ message: `${first.address} stands here`, range: at(first) }],
  };
}
