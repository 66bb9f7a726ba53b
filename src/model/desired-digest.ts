// Makes the digest of the desired state: equal digests mean that the files declare the same.
import { canonicalJson, compareText, digestOf } from '../base/json.ts';
import { present } from '../base/picked.ts';
import type { DesiredProject, DesiredResource, DesiredState, SafetyLimits } from './desired.ts';

/** Leaves out source ranges, and the operator's limits, because they are not part of the files' meaning. */
export function desiredDigestOf(state: DesiredState): string {
  const { expect, projects, resources, accountPrune, projectsComplete, safety } = state;
  return digestOf({
    expect: expect === null ? null : { ...expect, source: undefined },
    projects: sortedBy(projects, ({ label }) => label).map(projectMeaning),
    resources: sortedBy(resources, ({ address }) => address).map(resourceMeaning),
    accountPrune: sortedBy(accountPrune, (kind) => kind),
    ...(projectsComplete === undefined ? {} : { projectsComplete }),
    safety: sortedBy(safety.filter(({ isOperators }) => isOperators !== true).map(limitsMeaning), canonicalJson),
  });
}

function sortedBy<T>(items: readonly T[], key: (item: T) => string): readonly T[] {
  return items.toSorted((a, b) => compareText(key(a), key(b)));
}

function projectMeaning({ sets, retention, ...project }: DesiredProject): unknown {
  const meanings = sets?.map((set) => ({ ...set, template: set.template.map(resourceMeaning) }));
  const rules = retention?.map((rule) => ({ ...rule, template: resourceMeaning(rule.template) }));
  return { ...project, source: undefined, sources: undefined, ...present({ sets: meanings, retention: rules }) };
}

function limitsMeaning(limits: SafetyLimits): unknown {
  return { ...limits, source: undefined };
}

function resourceMeaning(resource: DesiredResource): unknown {
  const { kind, address, pin, absent, isNew, movedFrom, spec, lifecycle, options } = resource;
  const hold = lifecycle.hold.map((one) => ({ ...one, source: undefined }));
  return { kind, address, pin, absent, isNew, movedFrom, spec, lifecycle: { ...lifecycle, hold }, options };
}
