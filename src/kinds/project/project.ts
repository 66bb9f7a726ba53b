// Projects as a table (api-rules 3): names are not unique, and a new project comes with a branch, a role, a database and a compute.
import type { BranchListing, ProjectListItem } from '../../api/index.ts';
import type { FactsInput } from '../../apply/kind-remote.ts';
import { assert } from '../../base/assert.ts';
import { isJsonObject, jsonEqual, objectOf, textOf, type Json, type JsonObject } from '../../base/json.ts';
import { picked } from '../../base/picked.ts';
import { ifKnown } from '../../client/failure.ts';
import { allProjects } from '../../client/pages.ts';
import type { WrittenEntry } from '../../config/kind-section.ts';
import type { DesiredResource } from '../../model/desired.ts';
import { PROJECT } from '../../model/kind.ts';
import type { LiveResource } from '../../model/live.ts';
import type { OperationTable } from '../../model/operations/operation.ts';
import { isUnborn, leavesOf, mergeDeep, withValue } from '../../model/values.ts';
import { defineKind, type Kind, type KindTable } from '../define.ts';
import { NOTES } from '../shared/branch-contents.ts';
import { branchesPath } from '../shared/paths.ts';
import { deletedAmong } from '../shared/vanished.ts';
import { bodyOf, liveOf, outcomeOf } from '../shared/wire.ts';
import { attributes, canonical } from './attributes.ts';
import { checkProjects, entryProblems, createdWithin } from './entry.ts';
import { contents, projectVerdict, removalGuard, projectEffects } from './verdict.ts';

/** A creation and a change of the history retention always start operations. */
const mayStartNone: NonNullable<OperationTable['mayStartNone']> = ({ method, body }) =>
  method !== 'POST' && objectOf(body?.['project'])['history_retention_seconds'] === undefined;

const table: KindTable<ProjectListItem> = {
  kind: PROJECT,
  parent: PROJECT,
  section: 'projects',
  segment: null,
  isApart: true,
  operations: {
    subjectOf: ({ projectId }) => projectId,
    names: 'whole',
    starts: { create: ['create_timeline', 'create_branch', 'start_compute'], update: ['apply_storage_config'] },
    last: 'suspend_compute',
    mayStartNone,
  },
  collection: () => '/projects',
  wire: {
    list: 'ProjectList',
    items: 'projects',
    reply: 'ProjectWritten',
    item: 'project',
    shown: 'ProjectShown',
    problemOf: () => null,
    startsNone: (_, step) => mayStartNone(step),
  },
  attributes,
  observed: ['created_at', 'updated_at'],
  poolWords: ({ name }) => (name === undefined ? 'the project' : `the project named ${JSON.stringify(name)}`),
  place: () => 'the project',
  problems: entryProblems,
  // Only a declaration with `create` may create its project; the option `name` passes the new project's API name to that request.
  means: ({ name, value }, spec) => {
    const { create } = value;
    const apiName = textOf(value['name']) ?? name;
    delete spec['name'];
    const isAbsent = value['state'] === 'absent';
    // In an entry with `id`, a different name renames the project only if the entry also has `renamed_from`.
    if (isAbsent || value['id'] === undefined || value['renamed_from'] !== undefined) spec['name'] = apiName;
    if (isAbsent || !isJsonObject(create)) return {};
    Object.assign(spec, Object.fromEntries(Object.entries(create).filter(([, one]) => one !== null)));
    return { options: { name: apiName } };
  },
  check: checkProjects,
  written: (wanted) => wanted.map(writtenProject),
  recognise: () => 'mark',
  // The request that creates a project writes the annotation on the first branch.
  async isOurs(reader, { id }, mark, signal) {
    const { annotations = {} } = await reader.get<BranchListing>(branchesPath(id), 'BranchListing', { signal });
    return Object.values(annotations).some((note) => note?.value?.[NOTES.run] === mark);
  },
  // The operations of a deleted project can no longer be read, so the run waits for none.
  outcome: (step, reply) => {
    const found = outcomeOf(table, step, reply);
    return found !== null && step.method === 'DELETE' ? { ...found, operations: [] } : found;
  },
  facts: async (input) =>
    missingIn(input).length === 0 ? null : { ...(await whereListed(input)), gone: await gone(input) },
  requests: {
    create: ({ attributes: spec, within }) => {
      const { body, makes } = within === undefined ? { body: {}, makes: [] } : createdWithin(within);
      return { method: 'POST', path: '/projects', body: { project: mergeDeep(bodyOf(attributes, spec), body) }, makes };
    },
  },
  verdict: projectVerdict,
  consentWords: ['access', 'create', 'drop', 'oneway', 'recreate', 'shorten'],
  contents,
  effects: projectEffects,
  removalGuard,
};

const base = defineKind(table);

export const project: Kind = {
  ...base,
  /** Lists only the project with the id `projectId`. If it does not exist, lists all others, because the declared name may match one of them. */
  async list(reader, { projectId }, signal) {
    assert(projectId !== null, 'a project scope has no id');
    const own = isUnborn({ projectId }) ? null : await base.show?.(reader, { id: projectId, projectId }, signal);
    if (own) return [own];
    // The list may still show a deleted project.
    const projects = await allProjects(reader, signal);
    return projects.filter(({ id }) => id !== projectId).map((item) => liveOf(table, item, { projectId }));
  },
};

function missingIn({ desired, projects }: FactsInput): readonly DesiredResource[] {
  const there = new Set(projects.map(({ label }) => label));
  return desired.filter(({ scope, absent }) => !absent && !there.has(scope));
}

/** Returns `org_id`, the run's organization; without one, `elsewhere`: live projects in declared organizations that have a missing project's name. */
async function whereListed(input: FactsInput): Promise<JsonObject> {
  const { reader, signal } = input;
  if (reader.orgId !== undefined) return { org_id: reader.orgId };
  const elsewhere: Json[] = [];
  for (const { spec, options } of missingIn(input)) {
    const { org_id: org } = spec;
    if (typeof org !== 'string') continue;
    const there = await ifKnown(allProjects(reader, signal, { org_id: org }), []);
    elsewhere.push(...there.flatMap(({ name }) => (name === options['name'] ? [{ org_id: org, name }] : [])));
  }
  return elsewhere.length === 0 ? {} : { elsewhere };
}

async function gone(input: FactsInput): Promise<readonly Json[]> {
  const { reader, signal } = input;
  const missing = missingIn(input);
  const homes = missing.flatMap(({ spec: { org_id: org } }) =>
    typeof org === 'string' && org !== reader.orgId ? [org] : [],
  );
  const queries = [{}, ...[...new Set(homes)].map((org) => ({ org_id: org }))];
  const read = queries.map(async (query) =>
    ifKnown(allProjects(reader, signal, { recoverable: 'true', ...query }), []),
  );
  const names = missing.flatMap(({ pin, options }) => [pin, options['name']]);
  return deletedAmong((await Promise.all(read)).flat(), { names, path: '/projects' });
}

/** Writes an entry with `create`, so that the project can be re-created, and without settings that equal their defaults. */
function writtenProject({ id, spec }: LiveResource): WrittenEntry {
  const { default_endpoint_settings: defaults = {}, settings = {} } = spec;
  let written: JsonObject = picked(spec, ['history_retention_seconds']);
  for (const { path, segments, value } of leavesOf({ default_endpoint_settings: defaults, settings })) {
    const isEmpty = isJsonObject(value) && Object.keys(value).length === 0;
    if (!isEmpty && !jsonEqual(canonical(path, value), canonical(path, undefined)))
      written = withValue(written, segments, value);
  }
  const identity = { create: picked(spec, ['region_id', 'pg_version']) };
  return { id, name: String(spec['name'] ?? id), isApiName: false, identity, attributes: written };
}
