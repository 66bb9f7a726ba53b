// API keys as tables (api-rules 2): a key is found by name, created with a secret, never changed, and revoked for good.
import {
  checkReply,
  type ApiKeyCreated,
  type ApiKeyListItem,
  type ApiKeyRevoked,
  type OrganizationListing,
} from '../../api/index.ts';
import { assert } from '../../base/assert.ts';
import { compareText, isJsonObject, textOf, type Json, type JsonObject } from '../../base/json.ts';
import { listed, present } from '../../base/picked.ts';
import { Secret } from '../../base/secret.ts';
import { inert } from '../../base/text/inert.ts';
import { isoTime, isoTimeOrNull } from '../../base/time/clock.ts';
import { parseDurationMs } from '../../base/time/duration.ts';
import { ApiFailure } from '../../client/failure.ts';
import type { Reader } from '../../client/types.ts';
import { confusableForm } from '../../config/check/cross-checks.ts';
import type { EntryProblem, WrittenEntry } from '../../config/kind-section.ts';
import type { DesiredResource } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { PROJECT } from '../../model/kind.ts';
import type { Described, LiveResource } from '../../model/live.ts';
import type { Effect, KindRules } from '../../plan/kind-rules.ts';
import { defineKind, marksOf, type Kind, type KindTable, plain, text } from '../define.ts';
import { NOTHING } from '../shared/effects.ts';
import { badName, clashes, error, missingKey } from '../shared/problems.ts';
import { rotationIn, targetsOf } from '../shared/secret-entry.ts';
import { columns, requestsOf, type Row } from '../shared/wire.ts';
import { DEFAULT_OVERLAP_MS, LAST_USE, lastUseOf, lastUseWords, RECORD } from './key.ts';
import { keyFacts, revocationGuard } from './own-key.ts';
import { keyVerdict, chooseKey } from './verdict.ts';

type Item = ApiKeyListItem & Partial<Pick<ApiKeyCreated, 'key'>>;

/** The members in which account and organization keys differ. `beside` lists keys of the other kind, because this run may use one of them. */
interface Keys extends Pick<KindTable<Item>, 'kind' | 'section' | 'isOnlyDeclared' | 'collection'> {
  readonly attributes: Readonly<Record<string, Row<Item>>>;
  readonly listIn?: (base: Kind) => Kind['list'];
  readonly beside?: (reader: Reader, signal: AbortSignal) => ReturnType<Kind['list']>;
}

const MADE: Effect = {
  ...NOTHING,
  impact: ['secret_created'],
  notes: [
    'the new key is revoked if its value cannot be stored; if the reply is lost, trueup only reports new keys of this name',
  ],
};

const EFFECTS: KindRules['effects'] = {
  create: () => MADE,
  rotate: () => MADE,
  replace: () => ({ ...MADE, impact: ['secret_created', 'permanent'] }),
  revoke: ({ live }) => ({ ...NOTHING, impact: ['permanent'], notes: live === null ? [] : [lastUseWords(live, null)] }),
};

function defineKeys({ listIn, beside, ...own }: Keys): Kind {
  const table: KindTable<Item> = {
    ...own,
    parent: null,
    segment: own.section,
    isSerial: false,
    isPruned: true,
    wire: {
      list: 'ApiKeyList',
      items: null,
      reply: 'ApiKeyCreated',
      item: null,
      problemOf: () => null,
      secretOf: ({ key = '', created_at: createdAt = null }, { id, spec: { name = null } }) => ({
        secret: new Secret(key),
        record: { name, id, created_at: createdAt },
      }),
    },
    observed: ['created_at', LAST_USE, 'last_used_from_addr'],
    passing: [LAST_USE],
    poolWords: ({ name = null }) => `the key named ${inert(JSON.stringify(name))}`,
    place: () => null,
    problems: ({ name, value }) => [badName(value['name'] ?? name, ['name'])],
    means: meansOf,
    check: checkKeys,
    written: (wanted) => wanted.toSorted(byNameAndAge).map(writtenKey),
    recognise: () => 'nothing',
    record: RECORD,
    describe: describeKey,
    choose: chooseKey,
    verdict: keyVerdict,
    effects: EFFECTS,
    removalGuard: revocationGuard,
    // Another account may have a key with this id and name. So the project to which the key is limited is compared, too.
    fingerprint(live) {
      const { lasting, passing } = marksOf(table, live);
      return { lasting: { ...lasting, project_id: live.spec['project_id'] ?? null }, passing };
    },
  };
  const base = defineKind(table);
  const list: Kind['list'] = listIn?.(base) ?? (async (...asked) => base.list(...asked));
  const { create, delete: revoke } = requestsOf(table);
  const kind: Kind = {
    ...base,
    requests: { create, rotate: create, revoke },
    list,
    outcome: (step, reply) => (step.method === 'POST' ? base.outcome(step, reply) : revokedBy(step.path, reply)),
    facts: async (input) => {
      const { reader, signal, live } = input;
      const homes = [...new Set(live.map(({ parentId }) => parentId))];
      const listed = async (): ReturnType<Kind['list']> => {
        const lists = homes.map(async (parentId) => list(reader, { projectId: null, parentId }, signal));
        return (await Promise.all(lists)).flat();
      };
      return keyFacts(input, kind, async (again) => [
        ...(again ? await listed() : live),
        ...((await beside?.(reader, signal)) ?? []),
      ]);
    },
  };
  return kind;
}

function revokedBy(path: string, reply: Json): ReturnType<Kind['outcome']> {
  const checked = checkReply<ApiKeyRevoked>('ApiKeyRevoked', reply);
  if (!checked.ok || checked.value.revoked === false) return null;
  const id = String(checked.value.id);
  return path.endsWith(`/${id}`) ? { id, operations: [], secret: null, record: {} } : null;
}

function describeKey(live: LiveResource): Described {
  const { createdAtMs } = live;
  const { lastUsedAtMs } = lastUseOf(live);
  const made = createdAtMs === null ? '' : `made ${isoTime(createdAtMs)}, `;
  return {
    columns: columns(),
    facts: { host: null, size: null, last_active: isoTimeOrNull(lastUsedAtMs) },
    words: `${made}${lastUseWords(live, null)}`,
  };
}

/** Every entry has the id, because names are not unique. The id is a number if a double holds it exactly, else a string of digits. */
function writtenKey({ id, spec }: LiveResource): WrittenEntry {
  const { name = '', org_id: org, project_id: project } = spec;
  const number = Number(id);
  const identity = {
    id: Number.isSafeInteger(number) && String(number) === id ? number : id,
    ...present({ org, project }),
  };
  return { id, name: String(name), isApiName: true, identity, attributes: {} };
}

function byNameAndAge(a: LiveResource, b: LiveResource): number {
  const byName = compareText(String(a.spec['name']), String(b.spec['name']));
  return byName || (a.createdAtMs ?? 0) - (b.createdAtMs ?? 0) || compareText(a.id, b.id);
}

const meansOf: NonNullable<KindTable<Item>['means']> = ({ name, value, projects }, spec, problems) => {
  const { org, project } = value;
  spec['name'] ??= name;
  if (org !== undefined) spec['org_id'] = org;
  const isLabel = typeof project === 'string' && projects.includes(project);
  if (project !== undefined) spec['project_id'] = isLabel ? { ref: project, field: 'id' } : project;
  return { options: value['state'] === 'absent' ? { secret: [] } : optionsOf(value, problems) };
};

function optionsOf(value: JsonObject, problems: EntryProblem[]): JsonObject {
  const secret = targetsOf(value, 'secret', problems);
  const { rotate } = value;
  if (!isJsonObject(rotate)) return { secret };
  const when = rotationIn(rotate, 'keys', problems);
  const overlapMs = parseDurationMs(rotate['overlap']) ?? DEFAULT_OVERLAP_MS;
  if (when.everyMs !== undefined && overlapMs >= when.everyMs)
    problems.push(
      error(
        ['rotate', rotate['overlap'] === undefined ? 'every' : 'overlap'],
        'overlap_too_long',
        'the overlap must be shorter than the time between rotations, or old keys pile up',
        'Make `overlap` shorter than `every` (the default overlap is 7d).',
      ),
    );
  const hint = 'A rotation creates new keys: name a sink for their values, for example `secret: { file: NAME.json }`.';
  problems.push(...listed(missingKey(value, ['secret'], hint)));
  return { secret, rotate: { ...when, overlapMs, revoke: textOf(rotate['revoke']) ?? 'when_unused' } };
}

function checkKeys(resources: readonly DesiredResource[]): readonly Diagnostic[] {
  return clashes(resources, {
    of: ({ spec }) => confusableForm(String(spec['name'])),
    at: 'name',
    code: ({ spec, pin }, other) => {
      if (spec['name'] !== other.spec['name']) return 'confusable_name';
      return pin !== null && other.pin !== null ? null : 'duplicate_name';
    },
    words: (first, other) => `${first} and ${other} have the same name, or names that differ only in case`,
    hint: 'Rename one of the keys. If the account really has two keys of one name, give each key its `id:`.',
  });
}

/** The service takes the name as `key_name`, shows it as `name`, and never changes it. */
const NAME: Row<Item> = {
  ...text({ change: 'never', tells: true, isIdentity: true }),
  wire: 'key_name',
  read: ({ name }) => name,
};

export const apiKey: Kind = defineKeys({
  kind: 'api_key',
  section: 'api_keys',
  isOnlyDeclared: false,
  attributes: { name: NAME },
  collection: () => '/api_keys',
});

const ORGANIZATION_ID = /^[a-z0-9][a-z0-9-]{0,59}$/;

/** Each organization has its own list of keys, so the organization is the parent of its keys. */
export const orgApiKey: Kind = defineKeys({
  kind: 'org_api_key',
  section: 'org_api_keys',
  attributes: {
    name: NAME,
    org_id: {
      ...plain({ change: 'immutable', tells: true, isIdentity: true, isHome: true, file: 'org' }),
      read: (_item, { parentId }) => parentId ?? undefined,
      write: () => undefined,
    },
    project_id: plain({
      change: 'immutable',
      file: 'project',
      refersTo: { kind: PROJECT, field: 'id', among: 'project' },
    }),
  },
  collection: ({ parentId: org }) => {
    assert(org !== null && ORGANIZATION_ID.test(org), 'a malformed organization id reached a request');
    return `/organizations/${org}/api_keys`;
  },
  listIn:
    (base) =>
    async (reader, { parentId }, signal) => {
      const ids = parentId === undefined ? await organizations(reader, signal) : [parentId];
      const lists = ids.map(async (id) =>
        base.list(reader, { projectId: null, parentId: id }, signal).catch((error: unknown) => {
          throw isRefused(error) ? withWayOn(error, id) : error;
        }),
      );
      return (await Promise.all(lists)).flat();
    },
  // If the service refuses this list, the run uses the key of an organization, so no key of the account is the run's own key.
  beside: async (reader, signal) =>
    apiKey.list(reader, { projectId: null }, signal).catch((error: unknown) => {
      if (isRefused(error)) return [];
      throw error;
    }),
});

async function organizations(reader: Reader, signal: AbortSignal): Promise<readonly string[]> {
  const listing = await reader.get<OrganizationListing>('/users/me/organizations', 'OrganizationListing', {
    signal,
    problemOf: ({ organizations: all }) =>
      all.every(({ id }) => ORGANIZATION_ID.test(id)) ? null : 'lists an organization whose id is malformed',
  });
  const { orgId } = reader;
  const ids = listing.organizations.map(({ id }) => id).filter((id) => orgId === undefined || id === orgId);
  return [...new Set(ids)].sort();
}

function isRefused(error: unknown): error is ApiFailure {
  return error instanceof ApiFailure && (error.status === 403 || error.status === 404);
}

function withWayOn(refusal: ApiFailure, id: string): ApiFailure {
  const way = `use the key of an administrator of ${id}, or leave the section out with --exclude`;
  return new ApiFailure(`${refusal.message}; ${way}`, refusal);
}
