// Lists the words for effects on clients and data. Each kind declares its words and how serious they are.
import { impacts, type ImpactTraits } from '../generated/impacts.ts';

export type Impact = string;

/** Sorted from the worst to the mildest. */
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
