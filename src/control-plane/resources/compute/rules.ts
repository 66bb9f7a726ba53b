// The rules for a compute's configuration, and the operations that a change of it starts.
import { picked } from '../../../base/picked.ts';
import type { EndpointAttributes } from '../../../api/index.ts';
import { tableSizes } from '../../../api/size-table.ts';
import type { Engine } from '../engine/engine.ts';
import { plans, type Switches } from '../engine/switches.ts';
import { Refusal, badRequest, limitExceeded, quoted } from '../../core/refusal.ts';
import type { ProjectRecord } from '../project/record.ts';
import { recorded } from '../../core/fields.ts';
import { configFields, type ComputeConfig, type ComputeRecord, type ComputeSettings } from './record.ts';
import { jsonEqual, type Json } from '../../../base/json.ts';
import type { Step } from '../operation/life.ts';

const MAX_SUSPEND_SECONDS = 604_800;
const LARGEST_AUTOSCALING_CU = 16;
const PROVISIONERS: readonly string[] = ['k8s-neonvm', 'k8s-pod', 'serverless-platform'];

const DEFAULT_SIZES = { 'fixed_0.25': [0.25, 0.25], fixed_1: [1, 1], 'autoscaling_0.25_2': [0.25, 2] } as const;

export function configOfNew(attributes: EndpointAttributes, branchId: string, switches: Switches): ComputeConfig {
  const [defaultMin, defaultMax] = DEFAULT_SIZES[switches.defaultSize];
  const { autoscaling_limit_min_cu: min, autoscaling_limit_max_cu: max } = attributes;
  const minCu = min ?? (max === undefined ? defaultMin : Math.min(defaultMin, max));
  const base: ComputeConfig = {
    branchId,
    minCu,
    maxCu: max ?? (min === undefined ? defaultMax : Math.max(defaultMax, minCu)),
    provisioner: 'k8s-neonvm',
    settings: { pg_settings: {} },
    suspendSeconds: 0,
    poolerEnabled: false,
    poolerMode: 'transaction',
    disabled: false,
    passwordlessAccess: true,
  };
  return withAttributes(base, attributes);
}

export function withDefaults(
  asked: EndpointAttributes,
  { defaultEndpointSettings: defaults }: Pick<ProjectRecord, 'defaultEndpointSettings'>,
): EndpointAttributes {
  if (defaults === undefined) return asked;
  const { pg_settings: pg, pgbouncer_settings: pooler, ...rest } = defaults;
  const settings = { ...(pg && { pg_settings: pg }), ...(pooler && { pgbouncer_settings: pooler }), ...asked.settings };
  // If the request sets one size bound, the default of the other is not used, because the two might not fit.
  const isSized = asked.autoscaling_limit_min_cu !== undefined || asked.autoscaling_limit_max_cu !== undefined;
  const { autoscaling_limit_min_cu: _min, autoscaling_limit_max_cu: _max, ...unsized } = rest;
  return { ...(isSized ? unsized : rest), ...asked, settings };
}

export function withAttributes(config: ComputeConfig, sent: EndpointAttributes): ComputeConfig {
  const { settings: _settings, ...own } = recorded<ComputeConfig>(configFields, { ...sent }, Number);
  return { ...configOf(config), ...own, settings: { ...config.settings, ...(sent.settings as ComputeSettings) } };
}

/** Refuses an invalid configuration; `sent` has the attributes of the request. */
export function requireValidConfig(config: ComputeConfig, sent: EndpointAttributes, switches: Switches): void {
  requireSize(config, switches);
  if (sent.suspend_timeout_seconds !== undefined) requireAutosuspend(sent.suspend_timeout_seconds, switches);
  if (config.poolerMode !== 'transaction') throw badRequest('invalid pooler_mode; only "transaction" is supported');
  requireProvisioner(config.provisioner);
  if (sent.name !== undefined && (sent.name.length < 1 || sent.name.length > 64))
    throw badRequest('the name of an endpoint has 1 to 64 characters');
}

export function requireProvisioner(asked: string): string {
  if (PROVISIONERS.includes(asked)) return asked;
  throw badRequest(`unknown provisioner; provisioner:${quoted(asked)}`);
}

function requireSize({ minCu, maxCu }: ComputeConfig, switches: Switches): void {
  const bounds = `; autoscaling_limit_min_cu:"${minCu}" autoscaling_limit_max_cu:"${maxCu}"`;
  if (minCu > maxCu) throw badRequest(`the minimum compute size exceeds the maximum${bounds}`);
  for (const size of [minCu, maxCu])
    if (!isAllowedSize(size, switches)) throw badRequest(`invalid compute size${bounds}`);
  if (switches.sizes !== 'any' && minCu !== maxCu && maxCu > LARGEST_AUTOSCALING_CU)
    throw badRequest(`autoscaling is limited to ${LARGEST_AUTOSCALING_CU} compute units${bounds}`);
  if (maxCu - minCu > 8) throw badRequest(`the autoscaling bounds may differ by 8 compute units at most${bounds}`);
  if (maxCu > plans[switches.plan].computeCu && switches.sizes !== 'any')
    throw new Refusal(412, `the compute size is not permitted on the ${switches.plan} plan${bounds}`);
}

function isAllowedSize(size: number, switches: Switches): boolean {
  if (switches.sizes === 'any') return size >= 0.25;
  if (tableSizes.includes(size)) return true;
  if (switches.sizes === 'api_page' || !Number.isInteger(size)) return false;
  return (size >= 1 && size <= 16) || (size >= 18 && size <= 56 && size % 2 === 0);
}

function requireAutosuspend(seconds: number, switches: Switches): void {
  const { plan } = switches;
  if (plans[plan].suspendSeconds?.includes(seconds) === false)
    throw new Refusal(412, `changing the suspend interval is not permitted on the ${plan} plan; value:"${seconds}"`);
  if (seconds < -1 || seconds > MAX_SUSPEND_SECONDS)
    throw badRequest(`suspend_timeout_seconds is between -1 and ${MAX_SUSPEND_SECONDS}; value:"${seconds}"`);
  if (seconds >= 1 && seconds < 60 && switches.shortAutosuspend !== 'accepted')
    throw new Refusal(
      switches.shortAutosuspend === 'refused_400' ? 400 : 422,
      `the minimum suspend_timeout_seconds is 60; value:"${seconds}"`,
    );
}

export function primaryOf(engine: Engine, branchId: string): ComputeRecord | undefined {
  return engine.live.computes.on.get(branchId).find(({ type }) => type === 'read_write');
}

export function requireNoPrimary(engine: Engine, branchId: string): void {
  const primary = primaryOf(engine, branchId);
  if (primary === undefined) return;
  throw new Refusal(
    engine.switches.conflictStatus,
    `the branch already has a read_write endpoint; branch_id:"${branchId}" endpoint_id:"${primary.id}"`,
    { code: 'ENDPOINTS_LIMIT_EXCEEDED' },
  );
}

const MOST_ACTIVE = 20;

export function requireRoomForActive(engine: Engine, projectId: string, branchId: string | undefined): void {
  const isExempt = (id: string | undefined): boolean => engine.live.branches.get(id ?? '')?.isDefault === true;
  if (engine.switches.activeComputes === 'unlimited' || isExempt(branchId)) return;
  const active = engine.live.computes.of.get(projectId).filter(isRunning);
  if (active.filter((compute) => !isExempt(compute.branchId)).length >= MOST_ACTIVE)
    throw limitExceeded('active endpoints', MOST_ACTIVE, 'ACTIVE_ENDPOINTS_LIMIT_EXCEEDED');
}

export const APPLY: Step = { action: 'apply_config', effect: 'none' };
export const START: Step = { action: 'start_compute', effect: 'activate' };
export const SUSPEND: Step = { action: 'suspend_compute', effect: 'suspend' };

export interface ChangePlan {
  readonly steps: readonly Step[];
  readonly restarted?: boolean;
}

/** True when the compute is active and is not about to stop, or is about to be active. */
export function isRunning(compute: ComputeRecord): boolean {
  return (compute.pendingState ?? compute.currentState) === 'active';
}

export function configOf(compute: ComputeConfig): ComputeConfig {
  return picked(compute, configNames);
}

const configNames = Object.values(configFields) as (keyof ComputeConfig)[];
const appliedNames = configNames.filter((name) => !['branchId', 'minCu', 'maxCu', 'disabled', 'name'].includes(name));

export function isChanged(before: ComputeRecord, after: ComputeConfig): boolean {
  return configNames.some((name) => differs(before, after, name));
}

function differs(before: ComputeConfig, after: ComputeConfig, name: keyof ComputeConfig): boolean {
  return !jsonEqual(before[name] as Json | undefined, after[name] as Json | undefined);
}

/** The operations that a change starts ("Rules on changes to a compute", 1 to 5). */
export function planChange(before: ComputeRecord, after: ComputeConfig, switches: Switches): ChangePlan {
  const is = (...names: (keyof ComputeConfig)[]): boolean => names.some((name) => differs(before, after, name));
  const running = isRunning(before);
  const resized = is('minCu', 'maxCu');
  const restarts = running && (resized || (is('settings', 'provisioner') && switches.settingsChange === 'restarts'));
  if (is('branchId') || (running && after.disabled && is('disabled')))
    return { steps: [APPLY, SUSPEND], restarted: restarts };
  if (restarts) {
    const suspendOnly = resized && switches.resizeActive === 'suspend_only';
    return { steps: suspendOnly ? [APPLY, SUSPEND] : [APPLY, SUSPEND, START], restarted: true };
  }
  const configured = running ? is(...appliedNames) : resized && switches.resizeIdle === 'apply_config';
  return { steps: before.configFailed || configured ? [APPLY] : [] };
}
