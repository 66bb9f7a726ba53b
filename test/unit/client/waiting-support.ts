// What the tests of waiting share: a waiter over the scripted service, and how operations are named to it.
import {
  createOperationWaiter,
  type OperationWaiter,
  type OperationWaiterOptions,
  type WaitOptions,
  type WaitOutcome,
} from '../../../src/client/waiter.ts';
import { readerOf } from '../../../src/client/api-client.ts';
import type { OperationRecord } from '../../../src/model/live.ts';
import type { OperationService, Phase, ScriptedOperation } from './operation-service.ts';
import { NEVER } from './world.ts';

export const MINUTE_MS = 60_000;

export const UNDATED: OperationRecord = {
  id: 'op',
  projectId: 'p1',
  action: 'start',
  status: 'running',
  branchId: null,
  resourceId: null,
  failuresCount: 0,
  error: null,
  retryAtMs: null,
  createdAtMs: null,
  updatedAtMs: null,
};

export function refOf({ id, projectId, action, phases }: ScriptedOperation): OperationRecord {
  return { ...UNDATED, id, projectId, action, status: phases[0]?.status ?? 'running' };
}

export function waiterOf(service: OperationService, options: Partial<OperationWaiterOptions> = {}): OperationWaiter {
  return createOperationWaiter({ reader: readerOf(service.world.client), clock: service.world.clock, ...options });
}

export function within(service: OperationService, ms: number, more: Partial<WaitOptions> = {}): WaitOptions {
  return { deadlineMs: service.nowMs + ms, signal: NEVER, ...more };
}

export const running: Phase = { atMs: 0, status: 'running' };

/** Waits in virtual time until the operations have settled, for a minute unless told. */
export async function settled(
  service: OperationService,
  operations: readonly ScriptedOperation[],
  ms: number = MINUTE_MS,
): Promise<WaitOutcome> {
  return service.world.clock.run(waiterOf(service).settled(operations.map(refOf), within(service, ms)));
}
