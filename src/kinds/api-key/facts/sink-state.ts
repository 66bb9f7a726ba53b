// Judges the sinks of a key: whether they hold its value, and whether they can take a new one.
import { inert } from '../../../base/text/inert.ts';
import { listOf } from '../../../base/text/words.ts';
import { addressOf, scopeOf } from '../../../model/address.ts';
import type { DesiredResource } from '../../../model/desired.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { Block } from '../../../model/outcome/plan.ts';
import type { KeyFacts, SinkFact } from './facts.ts';
import { uncertainWords, keyOptions } from '../live-key.ts';
import { writtenAt } from '../../shared/secret-places.ts';

/** Blocks that keep a new value from being stored, with their reasons. */
export interface Storable {
  readonly blockedBy: readonly Block[];
  readonly notes: readonly string[];
}

export function storable(desired: DesiredResource, facts: KeyFacts): Storable {
  if (desired.absent) return { blockedBy: [], notes: [] };
  if (keyOptions(desired.options).secret.length === 0)
    return {
      blockedBy: ['secret_missing'],
      notes: ['the value of the key is shown only once: write secret: { file: NAME }'],
    };
  const problems = brokenSinks(desired, facts);
  return { blockedBy: problems.length === 0 ? [] : ['sink_unusable'], notes: problems };
}

/** The limit leaves room for two paths and a hint. */
const LONGEST_REASON = 1000;

/** Unusable sinks, in words. A sink with the record of another key counts, because it is never overwritten. */
function brokenSinks(desired: DesiredResource, facts: KeyFacts): readonly string[] {
  return sinksOf(desired, facts).flatMap(({ label, state, name, reason }) => {
    if (state === 'broken') return [`${label}: ${inert(reason ?? 'cannot be used', LONGEST_REASON)}`];
    const isForeign = state === 'stored' && name !== null && name !== desired.spec['name'];
    return isForeign ? [`${label} holds the value of another key, ${inert(JSON.stringify(name))}`] : [];
  });
}

/** Usable sinks without the value of this key. A sink that shows no id is believed. */
export function sinksWithout(desired: DesiredResource, facts: KeyFacts, id: string): readonly string[] {
  return sinksOf(desired, facts)
    .filter(({ state, id: held }) => state === 'absent' || (state === 'stored' && held !== null && held !== id))
    .map(({ label }) => label);
}

/** True if every sink holds this key. */
export function allHold(sinks: readonly SinkFact[], id: string): boolean {
  return sinks.length > 0 && sinks.every((sink) => sink.state === 'stored' && sink.id === id);
}

/** True if a sink holds the value of one of these keys, or may hold it. */
export function mayHoldOneOf(desired: DesiredResource, facts: KeyFacts, ids: readonly string[]): boolean {
  return sinksOf(desired, facts).some(({ state, id }) => state === 'stored' && (id === null || ids.includes(id)));
}

export function sinkDiagnostics(desired: DesiredResource, facts: KeyFacts, id: string): readonly Diagnostic[] {
  const { address } = desired;
  const own = { severity: 'warning', address, range: writtenAt(desired, 'secret') } as const;
  const lacking = sinksWithout(desired, facts, id);
  const uncertainty = facts.uncertain.includes(id) ? `; ${uncertainWords(id)}` : '';
  const missing: Diagnostic = {
    ...own,
    code: 'secret_missing',
    message: `${listOf(lacking)} ${lacking.length === 1 ? 'does' : 'do'} not hold the value of key ${id}, which cannot be shown again${uncertainty}`,
    hint: `A rotation (rotate) stores a new value. To create a new key and revoke this one now: trueup apply --allow replace:${addressOf(scopeOf(address), id)}`,
  };
  const remarks = sinksOf(desired, facts).filter(({ state, reason }) => state === 'stored' && reason !== null);
  return [
    ...(lacking.length === 0 ? [] : [missing]),
    ...brokenSinks(desired, facts).map((problem) => ({ ...own, code: 'sink_broken', message: problem })),
    ...remarks.map(({ label, reason }) => ({
      ...own,
      code: 'sink_remark',
      message: `${label}: ${inert(reason ?? '', LONGEST_REASON)}`,
    })),
  ];
}

/** Warnings for the moment before a value is stored. */
export function storeWarnings(desired: DesiredResource, facts: KeyFacts): readonly Diagnostic[] {
  return sinksOf(desired, facts).flatMap(({ warning }): Diagnostic[] =>
    warning === null
      ? []
      : [
          {
            severity: 'warning',
            code: 'sink_on_ci',
            message: inert(warning),
            hint: 'Use an exec sink that writes to a secret store.',
            address: desired.address,
            range: writtenAt(desired, 'secret'),
          },
        ],
  );
}

function sinksOf(desired: DesiredResource, facts: KeyFacts): readonly SinkFact[] {
  return facts.sinks[desired.address] ?? [];
}
