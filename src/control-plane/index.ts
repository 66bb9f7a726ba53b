// The public entry `trueup/control-plane`: a faithful control plane in process, for tests of your own automation.

export { serve, type Served, type ServeOptions } from './serve/serve.ts';
export { ExposedHostError } from './api/hosts.ts';
export { createControlPlane, type ControlPlane, type ControlPlaneOptions } from './control-plane.ts';
export { ConnectionFault } from './faults/connection.ts';
export { DatabaseError, type Connection } from './resources/compute/connections.ts';
export { StoreError, type LedgerEntry } from './core/store.ts';
export { WorldError } from './world/load-project.ts';
export { createMemoryStore } from './store/memory-store.ts';
export { switchTable, type Plan, type Switches, type SwitchRow } from './resources/engine/switches.ts';
export type { FaultPlan, FaultRule, FaultMatch, Fault, ExchangeFault, OperationFault } from './faults/plan.ts';
export { FaultPlanError } from './faults/check-plan.ts';
export type { Access } from './resources/inspect.ts';
export type { States } from './world/states.ts';
export type { RequestLine } from './api/request-log.ts';
export type { ClockState, OwnClock } from '../base/time/own-clock.ts';
export type { BranchRecord } from './resources/branch/record.ts';
export type { ComputeRecord } from './resources/compute/record.ts';
export type { KeyRecord } from './resources/key/record.ts';
export type { OperationRecord } from './resources/operation/record.ts';
export type { ProjectRecord } from './resources/project/record.ts';
export type { World } from '../api/index.ts';
