// Which computes a run of ours made before: by what the journal says of its requests, never by their looks.
import {
  arrayOf,
  canonicalJson,
  isJsonObject,
  numberOf,
  textOf,
  type Json,
  type JsonObject,
} from '../../../base/json.ts';
import type { FactsInput } from '../../../apply/kind-remote.ts';
import type { LiveResource } from '../../../model/live.ts';
import type { KindRules } from '../../../plan/kind-rules.ts';
import { isWhatReplyTold, madeAtTimeOf, type Reported } from '../../shared/made-by.ts';
import { KIND } from '../live-compute.ts';

interface Creation extends Reported {
  readonly address: string;
  readonly pool: JsonObject;
  readonly known: readonly Json[];
  /** Id in the reply; null when none arrived. */
  readonly id: string | null;
  readonly over: boolean;
}

/**
 * True where a pinned compute is of another type than the file wants, or is gone and leaves no slot that tells which one took it over; and
 * where several replicas of a branch could be meant by one declaration: then it goes on meaning the one that it made.
 */
export function asksWhoMadeIt(found: Pick<FactsInput, 'desired' | 'live'>): boolean {
  return mayReplace(found) || mayBeSeveral(found);
}

function mayBeSeveral({ desired, live }: Pick<FactsInput, 'desired' | 'live'>): boolean {
  const loose = desired.filter(({ pin, absent, spec }) => pin === null && !absent && spec['type'] === 'read_only');
  if (loose.length === 0) return false;
  const branches = new Set(loose.map(({ spec }) => spec['branch_id']));
  const seen = new Set<unknown>();
  return live.some(({ spec: { type, branch_id: branch } }) => {
    if (type !== 'read_only' || !branches.has(branch)) return false;
    if (seen.has(branch)) return true;
    seen.add(branch);
    return false;
  });
}

function mayReplace({ desired, live }: Pick<FactsInput, 'desired' | 'live'>): boolean {
  const typed = desired.filter(({ pin, absent, spec }) => pin !== null && !absent && spec['type'] !== undefined);
  if (typed.length === 0) return false;
  const types = new Map(live.map(({ id, spec }) => [id, spec['type']]));
  return typed.some(
    ({ pin, spec: { type } }) => pin !== null && (types.has(pin) ? types.get(pin) !== type : type !== 'read_write'),
  );
}

/** What the journal tells of computes: those that were made, and what else was asked for and answered. */
export function journalFacts({ orphans }: Pick<FactsInput, 'orphans'>): JsonObject {
  const own = orphans.filter(({ kind }) => kind === KIND);
  return {
    made: own.filter((one) => one['sent_at_ms'] === undefined),
    done: own.filter((one) => one['sent_at_ms'] !== undefined),
  };
}

/**
 * Those whose id and time a reply to the declaration's own request told; else, where a reply was lost, the newcomers of that time (probably), unless
 * there are more of them than lost replies: then nobody can tell which are ours.
 */
export const madeBefore: NonNullable<KindRules['madeBefore']> = ({ address }, candidates, { facts }) => {
  const { made } = facts;
  const creations = arrayOf(made).flatMap((one) => creationIn(one) ?? []);
  const own = creations.filter((creation) => creation.address === address);
  const told = candidates.filter((live) => own.some((creation) => isTold(creation, live)));
  if (told.length > 0) return { live: told, certain: true };
  const isAnswered = (live: LiveResource): boolean => creations.some((creation) => isTold(creation, live));
  const lost = creations.filter(({ id, over }) => id === null && over);
  const mayBeOf = (creation: Creation, live: LiveResource): boolean => !isAnswered(live) && isNewcomer(creation, live);
  const newcomers = candidates.filter((live) =>
    lost.some((creation) => creation.address === address && mayBeOf(creation, live)),
  );
  const makers = lost.filter((creation) => newcomers.some((live) => mayBeOf(creation, live)));
  return { live: newcomers.length > makers.length ? [] : newcomers, certain: false };
};

function isTold(creation: Creation, { id, createdAtMs }: LiveResource): boolean {
  return creation.id === id && isWhatReplyTold(creation, createdAtMs) === 'yes';
}

function isNewcomer({ pool, known, atMs }: Creation, { id, spec, createdAtMs }: LiveResource): boolean {
  const joins = Object.entries(pool).every(
    ([path, value]) => canonicalJson(spec[path] ?? null) === canonicalJson(value),
  );
  return joins && madeAtTimeOf(atMs, createdAtMs) && !known.includes(id);
}

/** Null for what cannot be read. */
function creationIn(json: Json): Creation | null {
  if (!isJsonObject(json)) return null;
  const { address, pool, known, id, over, at_ms: atMs, made_at_ms: madeAtMs } = json;
  if (typeof address !== 'string' || !isJsonObject(pool) || !Array.isArray(known) || typeof atMs !== 'number')
    return null;
  return {
    address,
    pool,
    known,
    id: textOf(id),
    over: over === true,
    atMs,
    madeAtMs: numberOf(madeAtMs),
  };
}
