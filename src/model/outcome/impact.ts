// The words for effects on clients and data; each kind declares its own, with their weight for guards and reports.
import { impacts, type ImpactTraits } from '../generated/impacts.ts';

export type Impact = string;

/** The worst first. */
export const IMPACTS: readonly Impact[] = Object.keys(impacts).sort(
  (a, b) => (traitsOf(a)?.rank ?? 0) - (traitsOf(b)?.rank ?? 0),
);

export function traitsOf(impact: Impact): ImpactTraits | undefined {
  return Object.hasOwn(impacts, impact) ? impacts[impact] : undefined;
}

export function interrupts(words: readonly Impact[]): boolean {
  return words.some((word) => traitsOf(word)?.isDisruptive === true);
}

/** The worst effect that interrupts clients; a restart of any resource has this effect. */
export const INTERRUPTION: Impact = IMPACTS.find((word) => interrupts([word])) ?? 'none';
