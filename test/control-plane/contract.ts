// The contract of the API reference as named cases: each holds under every setting of the switches.
import { accessCases } from './contract-access.ts';
import { computeCases } from './contract-computes.ts';
import { keyCases } from './contract-keys.ts';
import { operationCases } from './contract-operations.ts';
import { restartCases } from './contract-restarts.ts';
import type { Cases } from './contract-case.ts';

const cases: Cases = { ...keyCases, ...computeCases, ...restartCases, ...accessCases, ...operationCases };

export const contract = Object.entries(cases);
