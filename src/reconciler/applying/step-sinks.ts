// The places for the secret that a step makes, as the step's options name them.
import { isJsonObject } from '../../base/json.ts';
import type { SecretSink } from '../../apply/sinks/index.ts';
import type { Step } from '../../model/outcome/plan.ts';
import type { Workspace } from '../workspace.ts';

export function openSinksOf(workspace: Workspace): (step: Step) => readonly SecretSink[] {
  return (step) => {
    const targets = step.options['secret'];
    return Array.isArray(targets) ? workspace.open(targets.filter(isJsonObject)).sinks : [];
  };
}
