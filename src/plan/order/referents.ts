// Names by which resources are referred to: each by its id or an attribute, among those of its project or those below its parent.
import type { ReferenceRule } from '../../model/attributes.ts';
import type { Scope } from '../scope.ts';

/** What a value of that reference names, seen from a resource of the scope. */
export function nameOf({ project, parent }: Scope, { kind, field, among }: ReferenceRule, value: string): string {
  return JSON.stringify([project?.id ?? '', among === 'siblings' ? (parent?.address ?? '') : null, kind, field, value]);
}

/** What a resource of the scope is called by whoever refers to it by this field. */
export function namesBy(scope: Scope, field: string, value: string): readonly string[] {
  const { kind } = scope.rules;
  return (['siblings', 'project'] as const).map((among) => nameOf(scope, { kind, field, among }, value));
}
