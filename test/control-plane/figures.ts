// What a campaign counted, for its script: the short forms that run with the tests keep nothing.
import { writeFileSync } from 'node:fs';

/** Writes the figures to the file that the campaign's script has named. */
export function keepFigures(figures: Readonly<Record<string, number>>): void {
  const file = process.env['TRUEUP_FIGURES'];
  if (file !== undefined) writeFileSync(file, JSON.stringify(figures));
}
