// The public entry `trueup/control-plane`: a faithful control plane in process, for tests of your own automation.

export { serve } from './serve.ts';
export type { Served, ServeOptions } from './serve.ts';
export { ExposedHostError } from './http/hosts.ts';
export { createControlPlane } from './control-plane.ts';
export type { ControlPlane, ControlPlaneOptions } from './control-plane.ts';
export { ConnectionFault } from './faults/connection.ts';
export { DatabaseError } from './resources/compute/connections.ts';
export { holdFolder } from './store/folder-lock.ts';
export { StoreError } from './store/store.ts';
export { WorldError } from './world/world-rules.ts';
export { createMemoryStore } from './store/memory-store.ts';
export { switchTable } from './engine/switches.ts';
export type { Switches } from './engine/switches.ts';
export type { SwitchRow } from './engine/switches/row.ts';
export type { Plan } from './engine/plans.ts';
export type { FaultPlan, FaultRule, FaultMatch, Fault, ExchangeFault } from './faults/plan.ts';
export { FaultPlanError } from './faults/check-plan.ts';
export type { OperationFault } from './faults/fate.ts';
export type { Access } from './engine/access.ts';
export type { Connection } from './resources/compute/connections.ts';
export type { BranchRecord } from './resources/branch/record.ts';
export type { ComputeRecord } from './resources/compute/record.ts';
export type { KeyRecord } from './resources/key/record.ts';
export type { OperationRecord } from './resources/operation/record.ts';
export type { ProjectRecord } from './resources/project/record.ts';
export type { LedgerEntry } from './store/store.ts';
export type { World } from '../api/index.ts';
