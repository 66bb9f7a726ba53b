// The public entry `trueup/control-plane`: a faithful control plane in process, for tests of your own automation.

export { createControlPlane } from './control-plane.ts';
export type { ControlPlane, ControlPlaneOptions } from './control-plane.ts';
export { ConnectionFault } from './http/connection-fault.ts';
export { DatabaseError } from './connections.ts';
export { holdFolder } from './store/folder-lock.ts';
export { StoreError } from './store/store.ts';
export { WorldError } from './world/world-rules.ts';
export { createMemoryStore } from './store/memory-store.ts';
export { switchTable } from './switches.ts';
export type { Switches, SwitchRow } from './switches.ts';
export type { FaultPlan, FaultRule, FaultMatch, Fault, ExchangeFault } from './faults/plan.ts';
export { FaultPlanError } from './faults/check-plan.ts';
export type { OperationFault } from './faults/fate.ts';
export type { Access } from './access.ts';
export type { Connection } from './connections.ts';
export type { LedgerEntry, ComputeRecord, BranchRecord, ProjectRecord, OperationRecord, KeyRecord } from './records.ts';
export type { World } from '../api/index.ts';
