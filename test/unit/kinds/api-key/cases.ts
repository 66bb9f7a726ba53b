// Tables of verdicts: what is proposed, said and held back, in short.
import { expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { declared, judge, keysIn, type FactsDraft } from './world.ts';

/** A declaration, the live keys, what the sinks hold, what follows from that, and what else is known. */
export type Row = [
  what: string,
  entry: JsonObject,
  keys: string,
  sinks: string | undefined,
  says: string,
  more?: FactsDraft,
];

/** Each row says its intents, then its codes, then its blocks. */
export function runCases(rows: readonly Row[]): void {
  it.each(rows)('%s', (_what, entry, keys, sinks, says, more = {}) => {
    const { intents, codes, verdict } = judge(declared(entry), keysIn(keys), { sinks, ...more });
    expect([...intents, ...codes, ...verdict.blockedBy].join('; ')).toBe(says);
  });
}
