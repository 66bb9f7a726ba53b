// Reads the live projects and account-wide resources that a survey asks for, and finds the resources that no file declares.
import { referencesOf } from '../../model/attributes.ts';
import type { Part } from '../../apply/read/read-scopes.ts';
import { missingProject, othersAmong, resolveProjects, toldByList } from '../../apply/read/projects.ts';
import { readFound } from '../../apply/read/read-live.ts';
import { listProjects } from '../../client/pages.ts';
import { readerOf } from '../../client/api-client.ts';
import { kinds, type Kind } from '../../kinds/index.ts';
import type { DesiredProject, DesiredState, KindName } from '../../model/desired.ts';
import { scopeOf } from '../../model/address.ts';
import { hasErrors, type Diagnostic } from '../../model/diagnostic.ts';
import type { LiveProject, Unread } from '../../model/live.ts';
import { setUnplannedApart } from '../../plan/selection.ts';
import { unexpected } from '../plan-flow.ts';
import type { Parts } from '../workspace.ts';
import { readInput, planOf } from './read.ts';
import type { Survey, SurveyRequest } from '../types.ts';

/** Reads the account for a list or an import: one request per page of projects, and one per kind and parent. */
export async function surveyAccount(parts: Parts, request: SurveyRequest): Promise<Survey> {
  const refusals = unexpected(parts, request.desired);
  if (refusals.length > 0) return nothing(refusals);
  const signal = request.signal ?? new AbortController().signal;
  const listing = await listProjects(readerOf(parts.client), signal);
  const resolved = resolveProjects(request.desired.projects, listing, toldByList(request.desired.projects, listing));
  const missing = missingProject(request.desired, (expected) => listing.projects.some(({ id }) => id === expected));
  if (hasErrors(missing)) return nothing(missing);
  const listed = new Set(listing.projects.map(({ id }) => id));
  const labels = new Map(resolved.projects.flatMap(({ id, label }) => (listed.has(id) ? [[id, label]] : [])));
  // A live project that may be a declared one is left out, so that it is not imported twice.
  const others = new Set(
    othersAmong(listing.projects, request.desired.projects, resolved.projects).map(({ id }) => id),
  );
  const projects = listing.projects
    .filter(({ id }) => labels.has(id) || others.has(id))
    .map(({ id, name }): LiveProject => ({ id, name, label: labels.get(id) ?? id }))
    .filter(request.isWanted);
  const isAsked = (scope: string): boolean =>
    request.desired.projects.some(
      ({ id, name, label }) => label === scope && request.isWanted({ id: id ?? '', name, label }),
    );
  const looked = kindsLookedAt(request);
  const desired = restricted(request, looked, new Map(projects.map(({ id, label }) => [label, id])));
  const reason = 'the service did not list it';
  const known = listing.unavailableIds.map((id): Unread => ({ what: id, projectId: id, reason }));
  // A survey removes nothing, so each list is read only once.
  const input = readInput(parts, { desired: { ...desired, accountPrune: [] }, once: true, signal });
  const reading = await readFound(
    { ...input, kinds: looked, isWhole: true, untold: () => [] },
    {
      projects,
      listing,
      refused: null,
      itself: new Map(),
      untold: [],
      diagnostics: [],
      unresolved: [...known, ...resolved.unread.filter(({ what }) => isAsked(what))],
    },
  );
  const declared = new Set(request.desired.resources.map(({ scope }) => scope));
  const isHidden = ({ failure, unread: [one] }: Part): boolean =>
    one?.projectId === null && !declared.has(one.what) && failure !== null && NOT_SHOWN.has(failure.status);
  const hidden = reading.parts.filter(isHidden).flatMap(({ unread }) => unread);
  const live = { ...reading.live, unread: reading.live.unread.filter((one) => !hidden.includes(one)) };
  const plan = planOf({ baseUrl: parts.client.baseUrl, desired, live, nowMs: parts.serverClock.nowMs() }, looked);
  const ofProjects = resolved.diagnostics.filter(({ address = '' }) => isAsked(scopeOf(address)));
  const all = [...ofProjects, ...plan.unplanned.flatMap((one) => one.diagnostics), ...plan.diagnostics];
  const scopes = new Set([...projects.map(({ label }) => label), ...(request.accountWide ? sections() : [])]);
  const { unplanned, diagnostics } = setUnplannedApart(all, scopes, projects);
  const unplannedScopes = new Set(unplanned.map(({ project }) => project));
  const askedFor = new Set(kindsRead(request.include).map(({ kind }) => kind));
  return {
    live,
    unlisted: plan.unmanaged.filter(
      ({ kind, address }) => askedFor.has(kind) && !unplannedScopes.has(scopeOf(address)),
    ),
    matched: new Map(
      plan.changes.flatMap(({ kind, resourceId, address, origin }) =>
        resourceId === null || origin === 'prune' ? [] : [[`${kind} ${resourceId}`, address] as const],
      ),
    ),
    declared: new Set(labels.keys()),
    unplanned,
    hidden,
    diagnostics,
  };
}

/** A kind with `isOnlyDeclared` is read only if `include` has it. */
function kindsRead(include: readonly KindName[] = []): readonly Kind[] {
  return kinds.filter(({ kind, isOnlyDeclared = false }) => !isOnlyDeclared || include.includes(kind));
}

/** Includes declared kinds that other kinds refer to. Otherwise, trueup could not show a reference as the address of its resource. */
function kindsLookedAt({ desired: { resources }, include = [], accountWide }: SurveyRequest): readonly Kind[] {
  const rules = kindsRead().flatMap((own) => Object.values(referencesOf(own)));
  const referred = new Set(rules.map(({ kind }) => kind));
  const declared = resources.flatMap(({ kind }) => (referred.has(kind) ? [kind] : []));
  return kindsRead([...include, ...declared]).filter(({ parent }) => accountWide || parent !== null);
}

/** The statuses of a list that the credential may not see. */
const NOT_SHOWN: ReadonlySet<number | null> = new Set([403, 404]);

function sections(): readonly string[] {
  return kinds.flatMap(({ parent, section }) => (parent === null ? [section] : []));
}

function nothing(diagnostics: readonly Diagnostic[]): Survey {
  return { live: null, unlisted: [], matched: new Map(), declared: new Set(), unplanned: [], hidden: [], diagnostics };
}

/** Returns the desired state without the projects and kinds that are not read; each project has its live id. */
function restricted(
  { desired }: SurveyRequest,
  looked: readonly Kind[],
  ids: ReadonlyMap<string, string>,
): DesiredState {
  const projects = desired.projects.flatMap((project): DesiredProject[] => {
    const id = ids.get(project.label);
    return id === undefined ? [] : [{ ...project, id }];
  });
  const scopes = new Set([...projects.map(({ label }) => label), ...sections()]);
  const resources = desired.resources.filter(
    ({ kind, scope }) => scopes.has(scope) && looked.some((one) => one.kind === kind),
  );
  return { ...desired, projects, resources };
}
