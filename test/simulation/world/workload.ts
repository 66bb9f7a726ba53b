// A workload: a world, a file, and what the operator says. The reference workloads are tables of these.
import type { Allowance } from '../../../src/plan/input.ts';
import type { Switches, World } from '../../../src/control-plane/index.ts';
import type { DesiredState } from '../../../src/model/desired.ts';
import type { LoadResult } from '../../../src/config/load.ts';
import { loadText } from '../../support/files.ts';

export type Variables = Readonly<Record<string, string>>;

export interface Workload {
  readonly name: string;
  readonly yaml: string;
  /** The values of its variables in the last runs. */
  readonly variables?: Variables;
  readonly world: World;
  readonly allow?: readonly Allowance[];
  readonly due?: boolean;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly switches?: Partial<Switches>;
  /** Ids of keys that consumers use all the time. */
  readonly usedKeys?: readonly string[];
  /** After the faults, the most applies until nothing is left; two by default. */
  readonly applies?: number;
  /** Addresses of what stays blocked for good: nobody lets it go. */
  readonly holds?: readonly string[];
  /** Addresses whose declaration lets them go: they were made to be thrown away. */
  readonly disposable?: readonly string[];
  /** Names of projects that the file tells by their names alone, while two of the account have them. */
  readonly twins?: readonly string[];
}

const known = new Map<string, LoadResult>();

/** The file with these values of its variables, loaded once. */
export async function loaded({ yaml }: Workload, variables: Variables = {}): Promise<LoadResult> {
  const name = JSON.stringify([yaml, variables]);
  const before = known.get(name);
  if (before !== undefined) return before;
  const result = await loadText(yaml, { variables });
  if (known.size > 500) known.clear();
  known.set(name, result);
  return result;
}

/** The state that the last runs declare. Throws with everything that is wrong with the file. */
export async function desiredOf(workload: Workload): Promise<DesiredState> {
  const { desired, diagnostics } = await loaded(workload, workload.variables);
  if (desired === null) throw new Error(diagnostics.map(({ code, message }) => `${code}: ${message}`).join('\n'));
  return desired;
}
