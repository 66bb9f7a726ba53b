// Reads what the sinks of secrets contain, and finds the sinks that lack the newest secret.
import type { ProjectShown } from '../../api/index.ts';
import { inParallel } from '../../apply/read/read-scopes.ts';
import type { FactsInput, SinkFound } from '../../apply/kind-remote.ts';
import { isStale, otherOwner, type RecordShape } from '../../apply/sinks/sink.ts';
import { arrayOf, isJsonObject, objectOf, type JsonObject } from '../../base/json.ts';
import { inert } from '../../base/text/inert.ts';
import { ifKnown } from '../../client/failure.ts';
import { listOf } from '../../base/text/words.ts';
import { warningAt, sinkLabel, sinksOf, type DesiredResource, type KindName } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { UpkeepIntent } from '../../model/outcome/upkeep.ts';
import type { KindContext, Verdict } from '../../plan/kind-rules.ts';
import { projectPath } from './paths.ts';

/** Limits the sinks that are read in parallel, because each of these reads may start a process. */
const LOOKS_AT_ONCE = 8;

export interface SinkFact extends SinkFound {
  readonly label: string;
  readonly target: JsonObject;
}

/**
 * Reads facts about the declared sinks; null if no declaration names a sink. `sinks`: the sinks by address, in declared order. `open`:
 * addresses whose newest secret a sink may lack. `unkept`: ids of projects whose secrets the service does not keep. `recordsOf` returns a
 * declaration's newest records; without it, `unkept` stays empty.
 */
export async function sinkFacts(
  input: FactsInput,
  kind: KindName,
  shape: RecordShape,
  recordsOf?: (desired: DesiredResource) => readonly JsonObject[],
): Promise<JsonObject | null> {
  const { desired, orphans, sinks, signal } = input;
  const naming = desired.filter((one) => sinksOf(one).length > 0);
  if (naming.length === 0) return null;
  const found = await inParallel(
    naming,
    async (one) => {
      const facts: SinkFact[] = [];
      for (const target of sinksOf(one))
        facts.push({ label: sinkLabel(target), target, ...(await sinks.look(target, shape, signal)) });
      return [one, facts] as const;
    },
    LOOKS_AT_ONCE,
  );
  const open = (await orphans()).flatMap(({ kind: own, state, stored_since: since, address }) =>
    own === kind && state === 'open' && since === null ? [String(address)] : [],
  );
  // If all sinks hold the newest record, it does not matter whether the service still shows the secret.
  const lacking = found.filter(([one, facts]) => {
    const records = one.absent ? undefined : recordsOf?.(one);
    const isCurrent = ({ state, holds }: SinkFact): boolean =>
      state !== 'absent' && records?.some((record) => !isStale(holds, record)) === true;
    return records !== undefined && !facts.every(isCurrent);
  });
  return {
    sinks: Object.fromEntries(found.map(([{ address }, facts]) => [address, facts])) as unknown as JsonObject,
    ...(open.length === 0 ? {} : { open: [...new Set(open)].sort() }),
    unkept: await unkeptIn(input, new Set(lacking.map(([{ scope }]) => scope))),
  };
}

async function unkeptIn(input: FactsInput, scopes: ReadonlySet<string>): Promise<readonly string[]> {
  const projects = input.projects.filter(({ label }) => scopes.has(label));
  const kept = await Promise.all(projects.map(async ({ id }) => keepsSecrets(input, id)));
  return projects.flatMap(({ id }, at) => (kept[at] === false ? [id] : [])).sort();
}

/** True if the service keeps the project's secrets; undefined if neither the list of projects nor the project's route says so. */
async function keepsSecrets({ reader, signal, listed = [] }: FactsInput, id: string): Promise<boolean | undefined> {
  const known = listed.find((one) => one.id === id)?.store_passwords;
  if (known !== undefined) return known;
  const shown = await ifKnown(reader.get<ProjectShown>(projectPath(id), 'ProjectShown', { signal }), null);
  return shown?.project.id === id ? shown.project.store_passwords : undefined;
}

export function isUnkept({ facts, liveProject }: Pick<KindContext, 'facts' | 'liveProject'>): boolean {
  return arrayOf(facts['unkept']).includes(liveProject?.id ?? '');
}

export interface Wanted {
  readonly desired: DesiredResource;
  readonly facts: JsonObject;
  readonly shape: RecordShape;
  /** The record without its secrets; null while it is not known. */
  readonly record: JsonObject | null;
  /** True if the secret changed after it was last stored: a sink that does not show its content may then hold an older secret. */
  readonly isResetSince?: boolean;
}

interface Lacking {
  readonly sink: SinkFact;
  readonly why: string;
  /** True if trueup does not write to the sink, because it is broken or holds the secret of another owner. */
  readonly isRefused: boolean;
}

/** Returns the sinks of a declaration. The cast is safe: the facts were checked when they were read, or derived again from a saved plan. */
export function sinksIn({ address }: Pick<DesiredResource, 'address'>, { sinks }: JsonObject): readonly SinkFact[] {
  return arrayOf(objectOf(sinks)[address]).filter(isJsonObject) as unknown as readonly SinkFact[];
}

/** The maximum length of a reason, in characters: room for two paths and a hint. */
const LONGEST_REASON = 1000;

function problemOf(
  { shape, record }: Pick<Wanted, 'shape' | 'record'>,
  { label, state, holds, reason }: SinkFact,
): string | null {
  if (state === 'broken')
    return `${label} cannot be used${reason === null ? '' : `: ${inert(reason, LONGEST_REASON)}`}`;
  const other = otherOwner(shape, holds, record ?? {});
  return other === null ? null : `${label} holds the secret of ${other}`;
}

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

/** Returns the labels of the sinks that lack the record and can take it. */
export function lackingLabels(wanted: Wanted): readonly string[] {
  return lackingSinks(wanted).flatMap(({ isRefused, sink }) => (isRefused ? [] : [sink.label]));
}

/** Returns the task that clears the sinks; null if all are empty. A broken exec sink counts as filled, because it may still hold the secret. */
export function forgetOf(wanted: Wanted): UpkeepIntent | null {
  const holding = sinksIn(wanted.desired, wanted.facts).filter(
    ({ state, target }) => state === 'stored' || (state === 'broken' && target['exec'] !== undefined),
  );
  if (holding.length === 0) return null;
  const refused = holding.flatMap((sink) => problemOf({ ...wanted, record: null }, sink) ?? []);
  const kept = holding.filter(({ state }) => state === 'stored');
  return {
    action: 'forget',
    reasons: ['state: absent', ...refused],
    sinks: holding.map(({ label }) => label),
    options: optionsFor(kept, refused),
  };
}

/** Returns the task that fills the sinks; null if every sink holds the record. `content` says what to read from the service. */
export function refillOf(wanted: Wanted, content: JsonObject, isPending: boolean): UpkeepIntent | null {
  const lacking = lackingSinks(wanted);
  if (lacking.length === 0) return null;
  const usable = lacking.filter(({ isRefused }) => !isRefused).map(({ sink }) => sink);
  const refused = lacking.flatMap(({ isRefused, why }) => (isRefused ? [why] : []));
  return {
    action: 'refill',
    reasons: lacking.map(({ why }) => why),
    sinks: lacking.map(({ sink }) => sink.label),
    isPending,
    options: { ...optionsFor(usable, refused), content },
  };
}

function optionsFor(usable: readonly SinkFact[], refused: readonly string[]): JsonObject {
  return { secret: usable.map(({ target }) => target), ...(refused.length === 0 ? {} : { refused }) };
}

function problemsOf({ desired, ...wanted }: Wanted): readonly string[] {
  return sinksIn(desired, wanted.facts).flatMap((sink) => problemOf(wanted, sink) ?? []);
}

export function storable(...wanted: readonly Wanted[]): Pick<Verdict, 'blockedBy' | 'notes'> {
  const notes = wanted.flatMap(problemsOf);
  return { blockedBy: notes.length === 0 ? [] : ['sink_unusable'], notes };
}

/** Returns warnings about the sinks. `key`: the key of the entry at which they appear · `stores`: true if this run stores a secret in the sinks. */
export function sinkDiagnostics(wanted: Wanted, key: string, stores: boolean): readonly Diagnostic[] {
  const { desired, facts } = wanted;
  const sinks = sinksIn(desired, facts);
  const remarks = sinks.flatMap(({ label, state, reason }) =>
    state === 'stored' && reason !== null ? [`${label}: ${inert(reason, LONGEST_REASON)}`] : [],
  );
  const warnings = stores ? sinks.flatMap(({ warning }) => warning ?? []) : [];
  const hint = 'Use an exec sink that writes to a secret store.';
  return [
    ...problemsOf(wanted).map((message) => warningAt(desired, key, 'sink_broken', message)),
    ...remarks.map((message) => warningAt(desired, key, 'sink_remark', message)),
    ...warnings.map((message) => warningAt(desired, key, 'sink_on_ci', inert(message), hint)),
  ];
}

export function elsewhere(desired: DesiredResource, labels: readonly string[], key: string): Diagnostic {
  const message = `the password of ${desired.address} may be lost: this machine has no secrets folder (${listOf(labels)}), and the service stores no passwords in this project`;
  return warningAt(desired, key, 'secret_missing', message);
}
