// A branch that is made from an unprotected one has its roles with their passwords: whoever has them gets in at both.
import { isReference } from '../../../model/reference.ts';
import type { DesiredResource } from '../../../model/desired.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { KindContext } from '../../../plan/kind-rules.ts';

/** The service makes new passwords only under a parent that is protected by then ("Branches", ten facts). */
export function sharedPassword(
  { address, spec, source, sources }: DesiredResource,
  { around }: KindContext,
): readonly Diagnostic[] {
  if (spec['init_source'] === 'schema-only') return [];
  const parentId = spec['parent_id'];
  const branches = around.filter(({ kind }) => kind === 'branch');
  const parent = branches.find(({ id, spec: own }) =>
    parentId === undefined ? own['default'] === true : id === parentId,
  );
  if (parent === undefined ? !isReference(parentId) : parent.spec['protected'] === true) return [];
  const name = isReference(parentId) ? parentId.ref : `the branch ${JSON.stringify(parent?.spec['name'] ?? '?')}`;
  return [
    {
      severity: 'warning',
      code: 'shared_password',
      message: `${address} is made from ${name}, which is not protected: its roles have the passwords of the roles there`,
      hint: 'Protect the parent first (protected: true, applied), or give the roles new passwords on the new branch: rotate: { not_before: TIME }.',
      address,
      range: sources['from'] ?? source,
    },
  ];
}
