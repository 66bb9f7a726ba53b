// Checks references: each must lead to a declared resource of the same project.
import { didYouMean } from '../../base/text/words.ts';
import type { Address } from '../../model/address.ts';
import type { DesiredProject, DesiredResource } from '../../model/desired.ts';
import { leavesOf } from '../../model/paths.ts';
import { isReference } from '../../model/reference.ts';
import type { Report } from '../report.ts';

export function checkReferences(
  resources: readonly DesiredResource[],
  projects: readonly DesiredProject[],
  report: Report,
): void {
  const labels = new Set(projects.map(({ label }) => label));
  const declared = new Map(resources.map((resource) => [resource.address, resource]));
  for (const resource of resources)
    for (const { path, value } of leavesOf(resource.spec))
      // An account-wide resource can refer to any project, also to an undeclared one.
      if (isReference(value) && (labels.has(resource.scope) || !labels.has(value.ref) || isGoing(declared, value.ref)))
        checkReference(resource, { path, ref: value.ref, declared, report });
}

function isGoing(declared: ReadonlyMap<Address, DesiredResource>, ref: Address): boolean {
  return declared.get(ref)?.absent === true;
}

interface Referring {
  readonly path: string;
  readonly ref: Address;
  readonly declared: ReadonlyMap<Address, DesiredResource>;
  readonly report: Report;
}

function checkReference(resource: DesiredResource, referring: Referring): void {
  const { path, ref, declared, report } = referring;
  const problem = problemOf(resource, referring);
  if (problem === null) return;
  const { address, sources, source } = resource;
  const referent = ref === address ? undefined : declared.get(ref);
  report.addDiagnostic({
    severity: 'error',
    code: problem.code,
    message: `${path} refers to ${ref}, ${problem.why}`,
    hint: problem.hint,
    address,
    range: sources[path] ?? source,
    ...(referent === undefined ? {} : { related: [{ message: `${ref} is declared here`, range: referent.source }] }),
  });
}

function problemOf(
  { address, scope }: DesiredResource,
  { ref, declared }: Referring,
): { readonly code: string; readonly why: string; readonly hint: string } | null {
  const referent = declared.get(ref);
  if (!ref.startsWith(`${scope}/`) && referent?.absent !== true)
    return {
      code: 'reference_across_projects',
      why: `which is not in ${scope}`,
      hint: 'Resources can refer only to resources of their own project.',
    };
  if (referent === undefined) {
    const near = didYouMean(
      ref,
      [...declared.keys()].filter((one) => one.startsWith(`${scope}/`)),
    );
    const hint =
      near === undefined ? 'Declare the resource, or write the id of a live resource.' : `Did you mean ${near}?`;
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
