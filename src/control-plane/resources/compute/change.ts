// Effect of a configuration change on a compute: its operations, a restart, and its connections.
import { jsonEqual, type Json } from '../../../base/json.ts';
import type { Switches } from '../engine/switches.ts';
import type { Step } from '../operation/start.ts';
import type { ComputeConfig, ComputeRecord, ComputeState } from './record.ts';

export const APPLY: Step = { action: 'apply_config', effect: 'none' };
export const START: Step = { action: 'start_compute', effect: 'activate' };
export const SUSPEND: Step = { action: 'suspend_compute', effect: 'suspend' };

export interface ChangePlan {
  readonly steps: readonly Step[];
  readonly pendingState?: ComputeState;
  readonly restarted: boolean;
  readonly droppedConnections: boolean;
}

const NOTHING: ChangePlan = { steps: [], restarted: false, droppedConnections: false };

/** Next state of the compute: it counts as running when it is active or about to be. */
export function isRunning(compute: ComputeRecord): boolean {
  return (compute.pendingState ?? compute.currentState) === 'active';
}

/** The configuration alone, without what the control plane keeps. */
export function configOf(compute: ComputeRecord): ComputeConfig {
  const { branchId, minCu, maxCu, provisioner, settings, suspendSeconds, poolerEnabled, poolerMode } = compute;
  const { disabled, passwordlessAccess, name } = compute;
  const base = { branchId, minCu, maxCu, provisioner, settings, suspendSeconds, poolerEnabled, poolerMode };
  return { ...base, disabled, passwordlessAccess, ...(name === undefined ? {} : { name }) };
}

/** True when the two configurations differ in something that the API shows. */
export function isChanged(before: ComputeRecord, after: ComputeConfig): boolean {
  const names = Object.keys({ ...configOf(before), ...after }) as (keyof ComputeConfig)[];
  return names.some((name) => differs(before, after, name));
}

function differs(before: ComputeConfig, after: ComputeConfig, name: keyof ComputeConfig): boolean {
  return !jsonEqual(before[name] as Json | undefined, after[name] as Json | undefined);
}

/** The plan of a change ("Rules on changes to a compute", 1 to 5). */
export function planChange(before: ComputeRecord, after: ComputeConfig, switches: Switches): ChangePlan {
  const is = (...names: (keyof ComputeConfig)[]): boolean => names.some((name) => differs(before, after, name));
  const running = isRunning(before);
  const resized = is('minCu', 'maxCu');
  const restarts = running && (resized || (is('settings', 'provisioner') && switches.settingsChange === 'restarts'));
  if (is('branchId') || (running && after.disabled && is('disabled')))
    return { steps: [APPLY, SUSPEND], pendingState: 'idle', restarted: restarts, droppedConnections: running };
  if (restarts) {
    const suspendOnly = resized && switches.resizeActive === 'suspend_only';
    return {
      steps: suspendOnly ? [APPLY, SUSPEND] : [APPLY, SUSPEND, START],
      pendingState: suspendOnly ? 'idle' : 'active',
      restarted: true,
      droppedConnections: true,
    };
  }
  const configured = is(
    'settings',
    'provisioner',
    'suspendSeconds',
    'poolerEnabled',
    'poolerMode',
    'passwordlessAccess',
  );
  if (before.configFailed || (running && configured) || (!running && resized && switches.resizeIdle === 'apply_config'))
    return { ...NOTHING, steps: [APPLY], pendingState: running ? 'active' : 'idle' };
  return NOTHING;
}
