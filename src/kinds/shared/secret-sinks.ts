// Sinks of secrets: what each of them holds, and which of them lack the present record.
import { inParallel } from '../../apply/in-parallel.ts';
import type { FactsInput, SinkFound } from '../../apply/kind-remote.ts';
import { isStale, otherOwner, type RecordShape } from '../../apply/sinks/record.ts';
import { arrayOf, isJsonObject, objectOf, type JsonObject } from '../../base/json.ts';
import { inert } from '../../base/text/inert.ts';
import { listOf } from '../../base/text/words.ts';
import type { Address } from '../../model/address.ts';
import { sinkLabel, sinksOf, type DesiredResource, type KindName } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Block } from '../../model/outcome/plan.ts';
import type { UpkeepIntent } from '../../model/outcome/upkeep.ts';
import { projectMember } from './paths.ts';
import { diagnosed } from './problems.ts';

/** Each look may start a process. */
const LOOKS_AT_ONCE = 8;

/** A sink of a declaration with its content. */
export interface SinkFact extends SinkFound {
  /** `file:app.json`. */
  readonly label: string;
  readonly target: JsonObject;
}

interface Gathering {
  readonly kind: KindName;
  readonly shape: RecordShape;
  /** The present records of a declaration, for secrets that a service may not keep. */
  readonly recordsOf?: (desired: DesiredResource) => readonly JsonObject[];
}

/**
 * `sinks`: by address, in the order of the declaration · `untold`: sinks that do not show their content · `open`: addresses of which the
 * journal confirms no storing · `unkept`: projects in which the service keeps no secrets. Null if no declaration names a sink.
 */
export async function sinkFacts(input: FactsInput, { kind, shape, recordsOf }: Gathering): Promise<JsonObject | null> {
  const { desired, orphans, sinks, signal } = input;
  const naming = desired.filter((one) => sinksOf(one).length > 0);
  if (naming.length === 0) return null;
  const found = await inParallel(naming, LOOKS_AT_ONCE, async (one) => {
    const facts: SinkFact[] = [];
    for (const target of sinksOf(one))
      facts.push({ label: sinkLabel(target), target, ...(await sinks.look(target, shape, signal)) });
    return [one, facts] as const;
  });
  const byAddress = <T>(of: (facts: readonly SinkFact[]) => readonly T[]): Readonly<Record<Address, readonly T[]>> =>
    Object.fromEntries(
      found.flatMap(([{ address }, facts]) => (of(facts).length === 0 ? [] : [[address, of(facts)] as const])),
    );
  const untold = byAddress((facts) =>
    facts.flatMap(({ state, holds, label }) => (state === 'stored' && holds === null ? [label] : [])),
  );
  const open = (await orphans()).filter(
    (one) => one['kind'] === kind && one['state'] === 'open' && one['stored_since'] === null,
  );
  const isLacking = ([one, facts]: readonly [DesiredResource, readonly SinkFact[]]): boolean => {
    const records = recordsOf?.(one) ?? [];
    const isCurrent = ({ state, holds }: SinkFact): boolean =>
      state !== 'absent' && records.some((record) => !isStale(holds, record));
    return !one.absent && !facts.every(isCurrent);
  };
  // A sink with the newest record does not need the service to keep the secret.
  const lacking = recordsOf === undefined ? [] : found.filter(isLacking).map(([one]) => one);
  return {
    sinks: byAddress((facts) => facts) as unknown as JsonObject,
    ...(Object.keys(untold).length === 0 ? {} : { untold }),
    ...(open.length === 0 ? {} : { open: [...new Set(open.map(({ address }) => String(address)))].sort() }),
    unkept: await unkeptAround(input, lacking),
  };
}

async function unkeptAround(input: FactsInput, lacking: readonly DesiredResource[]): Promise<readonly string[]> {
  const scopes = new Set(lacking.map(({ scope }) => scope));
  const projects = input.projects.filter(({ label }) => scopes.has(label));
  const kept = await Promise.all(projects.map(async ({ id }) => projectMember(input, id, 'store_passwords')));
  return projects.flatMap(({ id }, at) => (kept[at] === false ? [id] : [])).sort();
}

/** True in a project in which the service keeps no secrets. */
export function isUnkept(facts: JsonObject, project: { readonly id: string } | null): boolean {
  return arrayOf(facts['unkept']).includes(project?.id ?? '');
}

/** The sinks of one declaration, and the record that they should hold. */
export interface Wanted {
  readonly desired: DesiredResource;
  readonly facts: JsonObject;
  readonly shape: RecordShape;
  /** The record without its secrets; null while it is not known. */
  readonly record: JsonObject | null;
  /** True if a part of the secret is newer than the last storing: not every sink shows its content. */
  readonly isResetSince?: boolean;
}

/** A sink without the present record. */
interface Lacking {
  readonly sink: SinkFact;
  readonly why: string;
  /** True if nothing is written there: the sink is broken, or holds the secret of another owner. */
  readonly isRefused: boolean;
}

/** The facts were checked when they were read, or derived again from a saved plan. */
export function sinksIn({ address }: Pick<DesiredResource, 'address'>, { sinks }: JsonObject): readonly SinkFact[] {
  return arrayOf(objectOf(sinks)[address]).filter(isJsonObject) as unknown as readonly SinkFact[];
}

/** The limit leaves room for two paths and a hint. */
const LONGEST_REASON = 1000;

/** Null if the sink can take the record. */
function problemOf({ shape, record }: Wanted, { label, state, holds, reason }: SinkFact): string | null {
  if (state === 'broken')
    return `${label} cannot be used${reason === null ? '' : `: ${inert(reason, LONGEST_REASON)}`}`;
  const other = otherOwner(shape, holds, record ?? {});
  return other === null ? null : `${label} holds the secret of ${other}`;
}

/** The sinks that do not hold the present record, in the order of the file. */
export function lackingSinks(wanted: Wanted): readonly Lacking[] {
  const { desired, facts, record, isResetSince = false } = wanted;
  const isOpen = arrayOf(facts['open']).includes(desired.address);
  return sinksIn(desired, facts).flatMap((sink): readonly Lacking[] => {
    const { label, state, holds } = sink;
    const problem = problemOf(wanted, sink);
    if (problem !== null) return [{ sink, why: problem, isRefused: true }];
    const lacks = (why: string): readonly Lacking[] => [{ sink, why: `${label} ${why}`, isRefused: false }];
    if (state === 'absent') return lacks('holds nothing');
    if (isOpen || (isResetSince && holds === null)) return lacks('may not hold the newest secret');
    return record !== null && isStale(holds, record) ? lacks('holds an older secret') : [];
  });
}

/** Null if no sink holds anything. A program that cannot be asked may hold the secret. */
export function forgetOf(wanted: Wanted): UpkeepIntent | null {
  const holding = sinksIn(wanted.desired, wanted.facts).filter(
    ({ state, target }) => state === 'stored' || (state === 'broken' && target['exec'] !== undefined),
  );
  if (holding.length === 0) return null;
  const refused = holding.flatMap((sink) => problemOf({ ...wanted, record: null }, sink) ?? []);
  const secret = holding.flatMap(({ state, target }) => (state === 'stored' ? [target] : []));
  return {
    action: 'forget',
    reasons: ['state: absent', ...refused],
    sinks: holding.map(({ label }) => label),
    options: { secret, ...(refused.length === 0 ? {} : { refused }) },
  };
}

/** Null if every sink holds the record; `content` tells what is read again. */
export function refillOf(wanted: Wanted, content: JsonObject, isPending: boolean): UpkeepIntent | null {
  const lacking = lackingSinks(wanted);
  if (lacking.length === 0) return null;
  const refused = lacking.flatMap(({ isRefused, why }) => (isRefused ? [why] : []));
  const secret = lacking.flatMap(({ isRefused, sink }) => (isRefused ? [] : [sink.target]));
  return {
    action: 'refill',
    reasons: lacking.map(({ why }) => why),
    sinks: lacking.map(({ sink }) => sink.label),
    isPending,
    options: { secret, ...(refused.length === 0 ? {} : { refused }), content },
  };
}

function problemsOf(wanted: Wanted): readonly string[] {
  return sinksIn(wanted.desired, wanted.facts).flatMap((sink) => problemOf(wanted, sink) ?? []);
}

/** The blocks that keep a new secret from being made, and why. */
export function storable(...wanted: readonly Wanted[]): {
  readonly blockedBy: readonly Block[];
  readonly notes: readonly string[];
} {
  const notes = wanted.flatMap(problemsOf);
  return { blockedBy: notes.length === 0 ? [] : ['sink_unusable'], notes };
}

/** Warnings about the sinks, which `key` names; `stores` if something is about to be stored there. */
export function sinkDiagnostics(wanted: Wanted, key: string, stores: boolean): readonly Diagnostic[] {
  const warn = (code: string, message: string, hint: Pick<Diagnostic, 'hint'> = {}): Diagnostic =>
    diagnosed(wanted.desired, key, { code, message, ...hint });
  const sinks = sinksIn(wanted.desired, wanted.facts);
  return [
    ...problemsOf(wanted).map((message) => warn('sink_broken', message)),
    ...sinks.flatMap(({ label, state, reason }) =>
      state === 'stored' && reason !== null ? [warn('sink_remark', `${label}: ${inert(reason, LONGEST_REASON)}`)] : [],
    ),
    ...sinks.flatMap(({ warning }) => {
      const hint = 'Use an exec sink that writes to a secret store.';
      return stores && warning !== undefined ? [warn('sink_on_ci', inert(warning), { hint })] : [];
    }),
  ];
}

/** Warns about sinks that may be on another machine, if the service keeps no password. */
export function elsewhere(desired: DesiredResource, labels: readonly string[], key: string): Diagnostic {
  const message = `the password of ${desired.address} may be lost: this machine has no secrets folder (${listOf(labels)}), and the service stores no passwords in this project`;
  return diagnosed(desired, key, { code: 'secret_missing', message });
}
