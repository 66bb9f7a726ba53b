// Words for what a change does to people: the kinds bring them along, with what they mean to guards and readers.
import { impacts, type ImpactTraits } from '../generated/impacts.ts';

/** A word for a worst-case effect on the people connected, or on what they have. */
export type Impact = string;

/** All words that some kind explains, the worst first. */
export const IMPACTS: readonly Impact[] = Object.keys(impacts).sort(
  (a, b) => (traitsOf(a)?.rank ?? 0) - (traitsOf(b)?.rank ?? 0),
);

/** What it means; undefined for a word that no kind explains. */
export function traitsOf(impact: Impact): ImpactTraits | undefined {
  return Object.hasOwn(impacts, impact) ? impacts[impact] : undefined;
}

/** True where one of them interrupts whoever is connected. */
export function interrupts(words: readonly Impact[]): boolean {
  return words.some((word) => traitsOf(word)?.isDisruptive === true);
}

/** The word for an interruption: what a restart does, whatever it is of. */
export const INTERRUPTION: Impact = IMPACTS.find((word) => interrupts([word])) ?? 'none';
