// `--target` and `--exclude`: which changes the user speaks of.
import { matchesGlob } from '../model/address.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { PlanInput } from './input.ts';

/** True when one of a resource's addresses is targeted (or nothing is) and none is excluded. */
export type Selects = (addresses: readonly string[]) => boolean;

export function selectionOf({ target, exclude }: Pick<PlanInput, 'target' | 'exclude'>): Selects {
  const matches = (globs: readonly string[], addresses: readonly string[]): boolean =>
    globs.some((glob) => addresses.some((address) => matchesGlob(glob, address)));
  return (addresses) => (target.length === 0 || matches(target, addresses)) && !matches(exclude, addresses);
}

/** Keeps what is said of selected addresses, and what concerns a whole project or no address at all. */
export function selectDiagnostics(diagnostics: readonly Diagnostic[], selects: Selects): Diagnostic[] {
  return diagnostics.filter(({ address }) => address === undefined || address.endsWith('/*') || selects([address]));
}
