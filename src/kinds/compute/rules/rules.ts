// The rules of computes: what each attribute's change takes, which places they hold, and the requests that make it so.
import { columns } from '../../shared/lists.ts';
import { assert } from '../../../base/assert.ts';
import { isoTime } from '../../../base/time/clock.ts';
import { isJsonObject, objectOf, textOf, type JsonObject } from '../../../base/json.ts';
import type { ResourceId } from '../../../model/desired.ts';
import type { Described, LiveResource } from '../../../model/live.ts';
import { mergeDeep } from '../../../model/paths.ts';
import { isReference } from '../../../model/reference.ts';
import type { Marks } from '../../../model/outcome/plan.ts';
import type { KindRules, RequestInput, RequestDraft } from '../../../plan/kind-rules.ts';
import { projectPath } from '../../shared/paths.ts';
import { PLACE } from '../attributes.ts';
import { removalGuard } from '../branches.ts';
import { boundsOf, computeEffects, computeVacancy } from './effect.ts';
import { computeVerdict } from './start.ts';

/** A branch has no other primary, one that is still to be made neither. */
function place({ type, branch_id: branch }: JsonObject): string | null {
  const id = isReference(branch) ? branch.ref : branch;
  return type === 'read_write' && typeof id === 'string' ? `the primary of ${id}` : null;
}

/** Its branch and its type stand among its attributes. */
function fingerprint({ projectId, createdAtMs, observed }: LiveResource): Marks {
  const { current_state: state, updated_at: updatedAt, last_active: lastActive } = observed;
  return {
    lasting: { project_id: projectId, ...(createdAtMs === null ? {} : { created_at: isoTime(createdAtMs) }) },
    passing: { current_state: state ?? null, updated_at: updatedAt ?? null, last_active: lastActive ?? null },
  };
}

function poolWords(spec: JsonObject): string {
  const article = spec['type'] === 'read_write' ? 'the' : 'a';
  return `${article} ${String(spec['type'] ?? 'untyped')} compute of ${String(spec['branch_id'] ?? 'no branch')}`;
}

/** With the facts by which people know a replica. */
export function describeCompute({ spec, observed }: LiveResource): Described {
  const { host = null, last_active: lastActive = null } = observed;
  const size = boundsOf(spec).text;
  const used = lastActive === null ? 'never seen active' : `last active ${String(lastActive)}`;
  return {
    columns: columns({
      branch_id: textOf(spec['branch_id']),
      state: textOf(observed['current_state']) ?? textOf(observed['pending_state']),
      host: textOf(host),
    }),
    facts: { host, size, last_active: lastActive },
    words: [size, used, host].filter((part) => part !== null).join(', '),
    summary: [poolWords(spec), size, host].filter((part) => part !== null).join(', '),
  };
}

const COMPUTE_ID = /^(?:ep-[a-z0-9-]{1,57}|\{[^{}]+\})$/;

function collectionPath(projectId: string | null): string {
  return `${projectPath(projectId)}/endpoints`;
}

function itemPath(projectId: string | null, id: ResourceId | null): string {
  assert(id !== null && COMPUTE_ID.test(id), 'a malformed compute id reached a request');
  return `${collectionPath(projectId)}/${id}`;
}

function patch({ projectId, id, attributes, live }: RequestInput): RequestDraft {
  const body = { endpoint: withSettings(attributes, objectOf(live?.spec['settings'])) };
  return { method: 'PATCH', path: itemPath(projectId, id), body };
}

const requests: KindRules['requests'] = {
  create: ({ projectId, attributes }) => ({
    method: 'POST',
    path: collectionPath(projectId),
    body: { endpoint: withSettings(attributes, {}) },
  }),
  update: patch,
  move: patch,
  restart: ({ projectId, id }) => ({ method: 'POST', path: `${itemPath(projectId, id)}/restart`, body: null }),
  delete: ({ projectId, id }) => ({ method: 'DELETE', path: itemPath(projectId, id), body: null }),
};

/**
 * Settings are replaced as a whole, so those that the file does not manage are sent along; `pg_settings` is always among
 * them, for the service refuses settings without it, and its values are text.
 */
function withSettings(attributes: JsonObject, live: JsonObject): JsonObject {
  const own = attributes['settings'];
  if (!isJsonObject(own)) return attributes;
  const merged = mergeDeep(live, own);
  const parameters = objectOf(merged['pg_settings']);
  const texts = Object.entries(parameters).map(([name, value]) => [
    name,
    typeof value === 'object' ? value : String(value),
  ]);
  return { ...attributes, settings: { ...merged, pg_settings: Object.fromEntries(texts) as JsonObject } };
}

/** One that comes with something else is there as the service makes it: what else is asked of it follows. */
const parts: NonNullable<KindRules['parts']> = (action, { branch_id: branchId, type, ...rest }, isAlong) => {
  if (action !== 'create' || !isAlong || Object.keys(rest).length === 0) return [];
  const place = { branch_id: branchId ?? null, type: type ?? null };
  return [
    { name: 'main', attributes: place },
    { name: 'rest', attributes: rest },
  ];
};

/** What planning asks of computes. */
export const computeRules: KindRules = {
  ...PLACE,
  isPruned: true,
  place,
  fingerprint,
  poolWords,
  describe: describeCompute,
  verdict: computeVerdict,
  effects: computeEffects,
  vacancy: { empty: 'a branch without a primary', unlisted: 'unlisted_primary', of: computeVacancy },
  removalGuard,
  parts,
  requests,
};
