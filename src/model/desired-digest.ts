// The digest of what the files mean: layout, comments and order do not count, nor do the limits that the operator sets besides.
import { canonicalJson, compareText, digestOf } from '../base/json.ts';
import type { DesiredResource, DesiredState, SafetyLimits } from './desired.ts';

export function desiredDigestOf(state: DesiredState): string {
  const { expect, projects, resources, accountPrune, safety } = state;
  return digestOf({
    expect: expect === null ? null : { ...expect, source: undefined },
    projects: sortedBy(projects, ({ label }) => label).map((project) => ({ ...project, source: undefined })),
    resources: sortedBy(resources, ({ address }) => address).map(resourceMeaning),
    accountPrune: sortedBy(accountPrune, (kind) => kind),
    safety: sortedBy(safety.filter(({ isOperators }) => isOperators !== true).map(limitsMeaning), canonicalJson),
  });
}

function sortedBy<T>(items: readonly T[], key: (item: T) => string): readonly T[] {
  return items.toSorted((a, b) => compareText(key(a), key(b)));
}

function limitsMeaning(limits: SafetyLimits): unknown {
  return { ...limits, source: undefined };
}

function resourceMeaning(resource: DesiredResource): unknown {
  const { kind, address, pin, absent, isNew, movedFrom, spec, lifecycle, options } = resource;
  const hold = lifecycle.hold.map((one) => ({ ...one, source: undefined }));
  return { kind, address, pin, absent, isNew, movedFrom, spec, lifecycle: { ...lifecycle, hold }, options };
}
