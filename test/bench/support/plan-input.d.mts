// The types of plan-input.mjs, for tests in TypeScript.
import type { KindRules } from '../../../src/plan/kind-rules.ts';
import type { PlanInput } from '../../../src/plan/input.ts';

export declare function fleetInput(rules: KindRules, count: number): PlanInput;
export declare function crowdInput(rules: KindRules, count: number): PlanInput;
