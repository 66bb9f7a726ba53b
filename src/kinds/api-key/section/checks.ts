// What can be checked across keys: names that the API could not tell apart, and places that two values would share.
import { isJsonObject, type Json } from '../../../base/json.ts';
import { confusableForm } from '../../../config/check/names.ts';
import type { DesiredResource } from '../../../model/desired.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { SourceRange } from '../../../model/source.ts';
import { sinkKey } from './sinks.ts';

export function checkKeys(resources: readonly DesiredResource[]): readonly Diagnostic[] {
  return [...checkNames(resources), ...checkSinks(resources.filter((resource) => !resource.absent))];
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

function checkSinks(resources: readonly DesiredResource[]): readonly Diagnostic[] {
  const seen = new Map<string, { readonly resource: DesiredResource; readonly place: SourceRange }>();
  const found: Diagnostic[] = [];
  for (const resource of resources)
    for (const [at, sink] of listOf(resource.options['secret']).entries()) {
      const [kind, target] = isJsonObject(sink) ? (Object.entries(sink)[0] ?? []) : [];
      if (kind === undefined || typeof target !== 'string') continue;
      const { sources, source } = resource;
      const place = sources[`secret.${kind}`] ?? sources[`secret.${at}.${kind}`] ?? source;
      const first = seen.get(sinkKey(kind, target));
      if (first === undefined) seen.set(sinkKey(kind, target), { resource, place });
      else if (first.resource !== resource)
        found.push({
          severity: 'error',
          code: 'shared_sink',
          message: `the values of ${first.resource.address} and ${resource.address} would be stored in one place`,
          hint: 'Give each key its own place.',
          address: resource.address,
          range: place,
          related: [{ message: `${first.resource.address} is stored here`, range: first.place }],
        });
    }
  return found;
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
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
