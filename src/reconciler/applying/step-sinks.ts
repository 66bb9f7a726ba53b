// The places for the secret that a step makes, as the step's options name them.
import { isJsonObject } from '../../base/json.ts';
import type { SecretSink } from '../../apply/sinks/index.ts';
import { kinds } from '../../kinds/index.ts';
import type { Step } from '../../model/outcome/plan.ts';
import type { Workspace } from '../workspace.ts';

export function openSinksOf(workspace: Workspace): (of: Pick<Step, 'kind' | 'options'>) => readonly SecretSink[] {
  return ({ kind, options }) => {
    const targets = options['secret'];
    const shape = kinds.find(({ remote }) => remote.kind === kind)?.remote.record;
    return Array.isArray(targets) && shape !== undefined
      ? workspace.open(targets.filter(isJsonObject), shape).sinks
      : [];
  };
}
