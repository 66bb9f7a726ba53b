// A switch: its settings, its default and the reason for it.

/** How sure the public sources are of a default: stated by the vendor, seen in the wild, deduced, or unknown. */
export type Certainty = 'stated' | 'seen' | 'deduced' | 'unknown';

export interface SwitchRow<T> {
  /** All settings, the default first. */
  readonly settings: readonly [T, ...T[]];
  readonly certainty: Certainty;
  /** Its subject, and the reason for the default. */
  readonly reason: string;
}

/** A row for each switch. */
export type SwitchRows<T> = { readonly [K in keyof T]: SwitchRow<T[K]> };
