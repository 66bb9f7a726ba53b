// The catalogue of diagnostics and blocks: for each code its meaning with the cause, and the fix.
import { account } from './catalogue-account.ts';
import { files } from './catalogue-files.ts';
import { runs } from './catalogue-runs.ts';

/** Meaning with the cause, and the fix; or a fix that says the cause. */
export type Entry = readonly [meaning: string, fix?: string];

/** Codes of one table, with a sentence above it. */
export interface Group {
  readonly title: string;
  readonly intro: string;
  readonly entries: Readonly<Record<string, Entry>>;
}

export const catalogue: readonly Group[] = [...files, ...account, ...runs];
