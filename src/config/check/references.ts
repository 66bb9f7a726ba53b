// Checks references: each must lead to a declared resource of the same project.
import { nearHint } from '../../base/text/words.ts';
import { present } from '../../base/picked.ts';
import type { Address } from '../../model/address.ts';
import type { DesiredProject, DesiredResource } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { leavesOf } from '../../model/paths.ts';
import { isReference } from '../../model/reference.ts';

export function referenceProblems(
  resources: readonly DesiredResource[],
  projects: readonly DesiredProject[],
): readonly Diagnostic[] {
  const labels = new Set(projects.map(({ label }) => label));
  const declared: Declared = new Map(resources.map((resource) => [resource.address, resource]));
  return resources.flatMap((resource) =>
    leavesOf(resource.spec).flatMap(({ path, value }) => {
      if (!isReference(value)) return [];
      // An account-wide resource can refer to any project; a reference to an undeclared project is not checked.
      const isKnown = labels.has(resource.scope) || !labels.has(value.ref) || declared.get(value.ref)?.absent === true;
      return isKnown ? referenceProblem(resource, path, value.ref, declared) : [];
    }),
  );
}

type Declared = ReadonlyMap<Address, DesiredResource>;

function referenceProblem(
  resource: DesiredResource,
  path: string,
  ref: Address,
  declared: Declared,
): readonly Diagnostic[] {
  const problem = problemOf(resource, ref, declared);
  if (problem === null) return [];
  const { address, sources, source } = resource;
  const referent = ref === address ? undefined : declared.get(ref);
  const { code, why, hint } = problem;
  return [
    {
      severity: 'error',
      code,
      message: `${path} refers to ${ref}, ${why}`,
      hint,
      address,
      range: sources[path] ?? source,
      ...present({ related: referent && [{ message: `${ref} is declared here`, range: referent.source }] }),
    },
  ];
}

function problemOf(
  { address, scope }: DesiredResource,
  ref: Address,
  declared: Declared,
): { readonly code: string; readonly why: string; readonly hint: string } | null {
  const referent = declared.get(ref);
  if (!ref.startsWith(`${scope}/`) && referent?.absent !== true)
    return {
      code: 'reference_across_projects',
      why: `which is not in ${scope}`,
      hint: 'Resources can refer only to resources of their own project.',
    };
  if (referent === undefined) {
    const own = [...declared.keys()].filter((one) => one.startsWith(`${scope}/`));
    const hint = nearHint(ref, own, 'Declare the resource, or write the id of a live resource.');
    return { code: 'unknown_reference', why: 'which no file declares', hint };
  }
  if (ref === address)
    return {
      code: 'reference_to_itself',
      why: 'which is the resource itself',
      hint: 'Remove the reference: the id is not known before the resource is created.',
    };
  if (referent.absent)
    return {
      code: 'reference_to_absent',
      why: 'which has state: absent',
      hint: 'Remove the reference, or remove that state: absent.',
    };
  return null;
}
