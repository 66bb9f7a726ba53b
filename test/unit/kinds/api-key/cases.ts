// Tables of verdicts: what is proposed, said and held back, in short.
import { expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { declared, judge, key, type FactsDraft, type KeyDraft } from './world.ts';

interface Case {
  readonly entry: JsonObject;
  readonly keys: readonly KeyDraft[];
  readonly facts?: FactsDraft;
  readonly intents: readonly string[];
  readonly codes?: readonly string[];
  readonly blockedBy?: readonly string[];
}

export function runCases(cases: Readonly<Record<string, Case>>): void {
  it.each(Object.entries(cases))('%s', (_what, { entry, keys, facts, intents, codes = [], blockedBy = [] }) => {
    const judged = judge(declared(entry), keys.map(key), facts);
    expect(judged.intents).toEqual(intents);
    expect(judged.codes).toEqual(codes);
    expect(judged.verdict.blockedBy).toEqual(blockedBy);
  });
}
