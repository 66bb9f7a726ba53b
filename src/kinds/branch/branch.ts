// Branches as a table: names are unique in a project, and annotations show which run created a branch (api-rules 8).
import { textOf, type Json, type JsonObject } from '../../base/json.ts';
import { defined, listed } from '../../base/picked.ts';
import { isoTime, millisecondsOf } from '../../base/time/clock.ts';
import { humanDuration } from '../../base/time/duration.ts';
import { canonicalAt } from '../../model/attributes.ts';
import type { LiveResource } from '../../model/live.ts';
import type { Marks } from '../../model/outcome/plan.ts';
import type { UpkeepIntent } from '../../model/outcome/upkeep.ts';
import type { KindRules, RequestInput, StepPart } from '../../plan/kind-rules.ts';
import { defineKind, marksOf, type Kind, type KindTable } from '../define.ts';
import { DISPOSABLE, isMadeDisposable, isOfSamePlan, NOTES } from '../shared/branch-contents.ts';
import { columns, itemPath, requestsOf } from '../shared/wire.ts';
import { attributes, wireTable, type Item } from './attributes.ts';
import { branchEffects, contents, removalGuard } from './effects.ts';
import { checkBranches, entryProblems, exclusions, meansOf, writtenBranches } from './entry.ts';
import { branchFacts, listBranches, showBranch } from './list.ts';
import { branchVerdict } from './verdict.ts';

const plain = requestsOf(wireTable);

const table: KindTable<Item> = {
  ...wireTable,
  passing: ['current_state'],
  words: ({ name }) => `the branch ${JSON.stringify(name ?? '?')}`,
  place: (spec) => (typeof spec['name'] === 'string' ? table.words(spec) : null),
  excludes: exclusions,
  problems: entryProblems,
  means: meansOf,
  check: checkBranches,
  written: writtenBranches,
  list: listBranches,
  show: showBranch,
  facts: branchFacts,
  fingerprint,
  requests: {
    create: (input) => {
      const { body, ...request } = plain.create(input);
      return { ...request, body: { ...body, annotation_value: notesOf(input) } };
    },
    update: (input) => {
      const { default: isDefault, reset } = input.attributes;
      const path = itemPath(table, input);
      if (isDefault === true) return { method: 'POST', path: `${path}/set_as_default`, body: null };
      if (reset === undefined) return plain.update(input);
      const body = { source_branch_id: input.live?.spec['parent_id'] ?? null };
      return { method: 'POST', path: `${path}/restore`, body };
    },
  },
  parts,
  // A lost creation is recognised by the unique name (`remoteOf`); the annotation then shows whether this plan made the branch.
  isOurs: async (_, { marks }, mark) => Promise.resolve(isOfSamePlan(marks?.['run'] ?? null, mark)),

  describe: ({ id, observed }) => ({
    columns: columns({ branch_id: id, state: textOf(observed['current_state'] ?? observed['pending_state']) }),
  }),
  verdict: branchVerdict,
  consentWords: ['drop', 'expire', 'recreate'],
  contents,
  effects: branchEffects,
  removalGuard,
  upkeep: { mayNeed: ({ absent, spec }) => !absent && typeof spec['ttl_seconds'] === 'number', needs: renewal },
};

export const branch: Kind = defineKind(table);

function fingerprint(live: LiveResource): Marks {
  const { lasting, passing } = marksOf(table, live);
  const { set } = live.marks ?? {};
  const made = {
    ...(live.marks === undefined ? {} : { marked: live.marks === null ? 'unknown' : true }),
    ...(isMadeDisposable(live) ? { [DISPOSABLE]: true } : {}),
    ...defined({ set }),
  };
  return { lasting, passing: { ...passing, ...made } };
}

/**
 * Orders the requests of one change. Protection forbids an expiry, so it is removed first. Protection is added after other changes, because
 * it keeps computes from being deleted, but before children are created, whose roles then get new passwords.
 */
function parts(action: 'create' | 'update', attributes: JsonObject): readonly StepPart[] {
  const { default: isDefault, protected: isProtected, reset, ...rest } = attributes;
  const unprotects = isProtected === false;
  const isApart = unprotects && (typeof rest['ttl_seconds'] === 'number' || typeof rest['expires_at'] === 'string');
  const first = unprotects && !isApart ? { ...rest, protected: false } : rest;
  return listed<StepPart>(
    isApart && { name: 'unprotect', attributes: { protected: false } },
    Object.keys(first).length > 0 && { name: 'main', attributes: first },
    action === 'update' && reset !== undefined && { name: 'reset', attributes: { reset } },
    isProtected === true && { name: 'protect', attributes: { protected: true }, waitsFor: 'contents' },
    isDefault === true && { name: 'default', attributes: { default: true }, waitsFor: 'users', takesOver: true },
  );
}

function notesOf({ attributes: { disposable }, set }: RequestInput): JsonObject {
  return {
    [NOTES.run]: { run_id: true },
    ...(disposable === true ? { [NOTES.disposable]: 'true' } : {}),
    // The annotation gets the project's id and the name of the set when the request is sent.
    ...(set === undefined ? {} : { [NOTES.set]: { set } }),
  };
}

/** Renews a lease of which less than half is left; a second renewal by another run is harmless. */
function renewal({ desired: { spec }, live, differs, context: { nowMs } }: NeedInput): UpkeepIntent | null {
  const { ttl_seconds: declared } = spec;
  const { ttl_seconds: kept, expires_at: expiresAt } = live?.spec ?? {};
  // With a hold, the live lease stays although the file declares another lease, so the live lease is renewed.
  const isHeld = kept !== undefined && leaseOf(declared, kept) !== leaseOf(kept, declared);
  const seconds = isHeld ? kept : declared;
  const endMs = millisecondsOf(expiresAt);
  if (typeof seconds !== 'number' || endMs === null || differs) return null;
  const [wholeMs, leftMs] = [seconds * 1000, endMs - nowMs];
  if (leftMs >= wholeMs / 2) return null;
  const left = leftMs > 0 ? `${humanDuration(leftMs)} left` : 'none left';
  const reason = `ttl ${humanDuration(wholeMs)}, ${left}: the branch expires at ${isoTime(endMs)}`;
  return { action: 'renew', reasons: [reason], send: { ttl_seconds: seconds } };
}

type NeedInput = Parameters<NonNullable<KindRules['upkeep']>['needs']>[0];

const leaseOf = (value: Json | undefined, beside: Json | undefined): Json =>
  canonicalAt({ attributes }, 'ttl_seconds', value, beside);
