// Names of referents: by id or by an attribute, among the resources of a project or of a parent.
import type { ReferenceRule } from '../../model/attributes.ts';
import type { Scope } from '../scope.ts';

/** The name behind a reference's value, from a resource of this scope. */
export function nameOf({ project, parent }: Scope, { kind, field, among }: ReferenceRule, value: string): string {
  return JSON.stringify([project?.id ?? '', among === 'siblings' ? (parent?.address ?? '') : null, kind, field, value]);
}

/** The names of a resource of this scope for references by this field. */
export function namesBy(scope: Scope, field: string, value: string): readonly string[] {
  const { kind } = scope.rules;
  return (['siblings', 'project'] as const).map((among) => nameOf(scope, { kind, field, among }, value));
}
