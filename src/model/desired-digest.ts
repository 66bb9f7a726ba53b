// The digest of what the files mean: layout, comments and order do not count, nor do the limits that the operator sets besides.
import { digestOf } from '../base/json.ts';
import type { DesiredResource, DesiredState, SafetyLimits } from './desired.ts';

export function desiredDigestOf(state: Omit<DesiredState, 'digest'>): string {
  const { expect, projects, resources, accountPrune, safety } = state;
  return digestOf({
    expect: expect === null ? null : { ...expect, source: undefined },
    projects: projects.map((project) => ({ ...project, source: undefined })),
    resources: resources.map(resourceMeaning),
    accountPrune,
    safety: safety.filter(({ isOperators }) => isOperators !== true).map(limitsMeaning),
  });
}

function limitsMeaning(limits: SafetyLimits): unknown {
  return { ...limits, source: undefined };
}

function resourceMeaning(resource: DesiredResource): unknown {
  const { kind, address, pin, absent, isNew, movedFrom, spec, lifecycle, options } = resource;
  const hold = lifecycle.hold.map((one) => ({ ...one, source: undefined }));
  return { kind, address, pin, absent, isNew, movedFrom, spec, lifecycle: { ...lifecycle, hold }, options };
}
