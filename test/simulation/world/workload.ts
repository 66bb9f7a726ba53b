// A workload: a world, a file, and what the operator says. The reference workloads are tables of these.
import type { DesiredState } from '../../../src/model/desired.ts';
import type { Allowance } from '../../../src/plan/input.ts';
import type { Switches, World } from '../../../src/control-plane/index.ts';
import { desiredOf as loaded } from '../../support/files.ts';

export interface Workload {
  readonly name: string;
  readonly yaml: string;
  readonly world: World;
  readonly allow?: readonly Allowance[];
  readonly due?: boolean;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly switches?: Partial<Switches>;
  /** Ids of keys that consumers use all the time. */
  readonly usedKeys?: readonly string[];
  /** The end is reached only in a second run (a retirement after an overlap, for example). */
  readonly rounds?: number;
  /** Addresses of what stays blocked for good: nobody lets it go. */
  readonly holds?: readonly string[];
  /** Addresses whose declaration lets them go: they were made to be thrown away. */
  readonly disposable?: readonly string[];
  /** Names of projects that the file tells by their names alone, while two of the account have them. */
  readonly twins?: readonly string[];
}

const known = new Map<string, DesiredState>();

/** What a workload declares, loaded once. */
export async function desiredOf(yaml: string): Promise<DesiredState> {
  const before = known.get(yaml);
  if (before !== undefined) return before;
  const desired = await loaded(yaml);
  if (known.size > 500) known.clear();
  known.set(yaml, desired);
  return desired;
}
