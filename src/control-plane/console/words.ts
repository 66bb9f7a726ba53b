// Turns statuses, actions, sizes, dates and durations into text for the console.
import { humanDuration } from '../../base/time/duration.ts';
import type { Branch, Endpoint, Operation } from '../../api/index.ts';
import { sizeOf } from '../../api/size-table.ts';
import { DEFAULT_SUSPEND_SECONDS } from '../resources/compute/record.ts';

type Tone = 'good' | 'quiet' | 'busy' | 'waiting' | 'bad';

export interface Status {
  readonly label: string;
  readonly tone: Tone;
}

/** The status of an operation in the words of the vendor's console: OK, Scheduling, In progress or Error. */
export function statusOf({ status }: Operation): Status {
  switch (status) {
    case 'finished':
    case 'skipped':
      return { label: 'OK', tone: 'good' };
    case 'scheduling':
      return { label: 'Scheduling', tone: 'waiting' };
    case 'running':
    case 'cancelling':
      return { label: 'In progress', tone: 'busy' };
    default:
      return { label: 'Error', tone: 'bad' };
  }
}

export function statusDetail({ status, error, retry_at: retryAt, failures_count: failures }: Operation): string {
  const parts: string[] = [];
  if (['skipped', 'cancelled', 'cancelling'].includes(status)) parts.push(status);
  if (typeof error === 'string' && error !== '') parts.push(error);
  if (failures !== undefined && failures > 1) parts.push(`${failures} attempts failed`);
  if (typeof retryAt === 'string') parts.push(`next attempt ${dateWords(retryAt)}`);
  return parts.join('; ');
}

export function computeStatus({ current_state: state = 'unknown' }: Endpoint): Status {
  return { label: capitalised(state), tone: state === 'active' ? 'good' : state === 'init' ? 'busy' : 'quiet' };
}

export function branchStatus({ current_state: state }: Branch): Status | undefined {
  return state === 'ready' ? undefined : { label: capitalised(state), tone: state === 'archived' ? 'quiet' : 'busy' };
}

/** Turns `suspend_compute` into "Suspend compute". */
export function actionWords(action: string): string {
  return capitalised(action.replaceAll('_', ' '));
}

const DOINGS: ReadonlyMap<string, string> = new Map([
  ['start_compute', 'starting'],
  ['suspend_compute', 'suspending'],
  ['apply_config', 'applying configuration'],
  ['check_availability', 'checking availability'],
]);

export function doingWords(compute: Endpoint, open: readonly Operation[]): string {
  const own = open.filter(({ endpoint_id: id }) => id === compute.id);
  if (own.length > 0)
    return capitalised(own.map(({ action }) => DOINGS.get(action) ?? actionWords(action)).join(', then '));
  if (compute.disabled === true) return 'Disabled: accepts no connections';
  const since = compute.current_state === 'active' ? compute.started_at : compute.suspended_at;
  return typeof since === 'string' ? `Since ${dateWords(since)}` : '';
}

export function typeWords({ type }: Endpoint): string {
  return type === 'read_write' ? 'Read-write' : 'Read replica';
}

/** Returns "1 CU" for a fixed size, and text like "0.25 to 2 CU" for autoscaling. */
export function sizeWords({ autoscaling_limit_min_cu: min = 0, autoscaling_limit_max_cu: max = 0 }: Endpoint): string {
  return min === max ? `${min} CU` : `${min} to ${max} CU`;
}

export function sizeFacts(compute: Endpoint): string {
  const { autoscaling_limit_min_cu: min = 0, autoscaling_limit_max_cu: max = 0 } = compute;
  const known = sizeOf(min);
  const connections = known === undefined ? '' : `, ${known.maxConnections} connections`;
  return `${sizeWords(compute)}: ${min === max ? '' : 'up to '}${max} vCPU, ${max * 4} GB RAM${connections}`;
}

/** The autosuspend delay in words. The value 0 stands for the default delay, -1 for never. */
export function autosuspendWords({ suspend_timeout_seconds: seconds = 0 }: Endpoint): string {
  if (seconds === -1) return 'Never';
  return `After ${humanDuration((seconds === 0 ? DEFAULT_SUSPEND_SECONDS : seconds) * 1000)}`;
}

export function dateWords(timestamp: string): string {
  return `${timestamp.slice(0, 19).replace('T', ' ')} UTC`;
}

export function durationWords(ms: number): string {
  if (ms < 50) return '0 s';
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : humanDuration(ms);
}

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
