// Branches as a table: their names are unique in a project, and their notes tell which run created them (api-rules 8).
import { objectOf, textOf, type Json, type JsonObject } from '../../base/json.ts';
import { isoTime } from '../../base/time/clock.ts';
import { humanDuration } from '../../base/time/duration.ts';
import { canonicalAt } from '../../model/attributes.ts';
import type { LiveResource } from '../../model/live.ts';
import type { Marks } from '../../model/outcome/plan.ts';
import type { KindRules, StepPart } from '../../plan/kind-rules.ts';
import { defineKind, marksOf, type Kind, type KindTable } from '../define.ts';
import { DISPOSABLE, isMadeDisposable, isOfSamePlan, NOTES } from '../shared/notes.ts';
import { bodyOf, columns, itemPath } from '../shared/wire.ts';
import { attributes, wireTable, type Item } from './attributes.ts';
import { branchEffects, contents, removalGuard } from './effects.ts';
import { checkBranches, entryProblems, meansOf } from './entry.ts';
import { branchFacts, listBranches, showBranch } from './list.ts';
import { branchVerdict } from './verdict.ts';
import { writtenBranches } from './written.ts';

const table: KindTable<Item> = {
  ...wireTable,
  passing: ['current_state'],
  words: ({ name }) => `the branch ${JSON.stringify(name ?? '?')}`,
  place: (spec) => (typeof spec['name'] === 'string' ? table.words(spec) : null),
  problems: entryProblems,
  means: meansOf,
  check: checkBranches,
  written: writtenBranches,
  list: listBranches,
  show: showBranch,
  facts: branchFacts,
  fingerprint,
  requests: {
    create: ({ projectId, attributes: spec }) => ({
      method: 'POST',
      path: table.collection({ projectId, parentId: null }),
      body: creation(spec),
    }),
    update: (input) => {
      const path = itemPath(table, input);
      if (input.attributes['default'] === true) return { method: 'POST', path: `${path}/set_as_default`, body: null };
      if (input.attributes['reset'] !== undefined)
        return {
          method: 'POST',
          path: `${path}/restore`,
          body: { source_branch_id: input.live?.spec['parent_id'] ?? null },
        };
      return { method: 'PATCH', path, body: { branch: bodyOf(attributes, input.attributes) } };
    },
  },
  parts,
  isOurs: async (_, { observed }, mark) => {
    const notes = objectOf(observed['annotations']);
    return Promise.resolve(isOfSamePlan(notes[NOTES.run] ?? null, mark));
  },
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
  return { lasting, passing: { ...passing, ...(isMadeDisposable(live) ? { [DISPOSABLE]: true } : {}) } };
}

/**
 * Protection ends first, since a protected branch cannot expire. It begins after all changes on the branch, whose computes cannot be
 * deleted any more, and before its children, whose roles then get passwords of their own. The default and a reset have routes of their own.
 */
function parts(action: 'create' | 'update', attributes: JsonObject): readonly StepPart[] {
  const { default: isDefault, protected: isProtected, reset, ...rest } = attributes;
  const unprotects = isProtected === false;
  const isApart = unprotects && (typeof rest['ttl_seconds'] === 'number' || typeof rest['expires_at'] === 'string');
  const first = unprotects && !isApart ? { ...rest, protected: false } : rest;
  return [
    ...(isApart ? [{ name: 'unprotect', attributes: { protected: false } }] : []),
    ...(Object.keys(first).length === 0 ? [] : [{ name: 'main', attributes: first }]),
    ...(action === 'create' || reset === undefined ? [] : [{ name: 'reset', attributes: { reset } }]),
    ...(isProtected === true
      ? [{ name: 'protect', attributes: { protected: true }, waitsFor: 'contents' as const }]
      : []),
    ...(isDefault === true
      ? [{ name: 'default', attributes: { default: true }, waitsFor: 'users' as const, takesOver: true }]
      : []),
  ];
}

/** No later route changes the notes of a branch. */
function creation(spec: JsonObject): JsonObject {
  return {
    branch: bodyOf(attributes, spec),
    annotation_value: {
      [NOTES.run]: { run_id: true },
      ...(spec['disposable'] === true ? { [NOTES.disposable]: 'true' } : {}),
    },
  };
}

/** Renews a lease of which less than half is left; one renewal too many harms nobody. */
function renewal({
  desired: { spec },
  live,
  differs,
  context: { nowMs },
}: Parameters<Upkeep['needs']>[0]): ReturnType<Upkeep['needs']> {
  const { ttl_seconds: declared } = spec;
  const { ttl_seconds: kept, expires_at: expiresAt } = live?.spec ?? {};
  // A hold keeps a live lease that differs from the declared one, and the live one is renewed.
  const isHeld = kept !== undefined && leaseOf(declared, kept) !== leaseOf(kept, declared);
  const seconds = isHeld ? kept : declared;
  if (typeof seconds !== 'number' || typeof expiresAt !== 'string' || differs) return [];
  const wholeMs = seconds * 1000;
  const leftMs = Date.parse(expiresAt) - nowMs;
  if (Number.isNaN(leftMs) || leftMs >= wholeMs / 2) return [];
  const left = leftMs > 0 ? `${humanDuration(leftMs)} left` : 'none left';
  const reason = `ttl ${humanDuration(wholeMs)}, ${left}: the branch expires at ${isoTime(Date.parse(expiresAt))}`;
  return [{ action: 'renew', reasons: [reason], send: { ttl_seconds: seconds } }];
}

type Upkeep = NonNullable<KindRules['upkeep']>;

const leaseOf = (value: Json | undefined, beside: Json | undefined): Json =>
  canonicalAt({ attributes }, 'ttl_seconds', value, beside);
