// `trueup list`: lists managed resources with id, host, branch and state.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { branch, compute } from '../../kinds/index.ts';
import { jsonPage } from '../../render/machine/diagnostics-json.ts';
import { unreadError } from '../../render/messages/problems.ts';
import { listToJson, renderEnv, renderList } from '../../render/tables/resources.ts';
import { hasErrors, type Diagnostic } from '../../model/diagnostic.ts';
import type { DesiredProject } from '../../model/desired.ts';
import type { Unread, LiveProject, LiveResource } from '../../model/live.ts';
import { renderTree, type TreeRow } from '../../render/tables/tree.ts';
import type { Invocation, Run } from '../command.ts';
import { Ended, exitCodes, UsageError } from '../process/exit-code.ts';
import { online, type Online } from '../session/online.ts';
import { deliver } from '../output/output.ts';
import { namesOf, touches } from '../session/selection.ts';
import { readFiles, readDesired, type DesiredFiles } from '../session/desired-files.ts';
import { isError, tableOptions, say } from '../session/session.ts';
import { groupBy } from '../../base/group-by.ts';
import { compareText } from '../../base/json.ts';
import { lastUseOf } from '../../kinds/shared/effects.ts';
import type { Selection } from '../../plan/input.ts';
import type { Survey } from '../../reconciler/types.ts';

export const run: Run = async (invocation) => {
  const { io, settings, words, flags } = invocation;
  const isTree = flags['tree'] === true;
  if (isTree && [settings, ...settings.writes].some(({ format }) => format !== 'human'))
    throw new UsageError('--tree works only with --format human', 'Remove --tree, or use --format human.');
  const file = words.find((word) => /\.ya?ml$/.test(word) && existsSync(resolve(io.cwd, word)));
  if (file !== undefined)
    throw new UsageError(`${file} is a file; list takes addresses`, `Write \`trueup list -f ${file}\`.`);
  const selection = { target: [...settings.target, ...words], exclude: settings.exclude };
  if (isTree) {
    const { desired, inPart, ...read } = await readFiles(invocation);
    const loaded = { ...read, desired: desired ?? { ...inPart, resources: [] } };
    return online(invocation, async (line) => {
      const { isWhole, ...survey } = await surveyBranches(invocation, line, loaded, selection);
      const nowMs = line.connection.reconciler.client.serverTime();
      await deliver(invocation, {
        human: (place) => renderTree(treeRows(survey), nowMs, { ...tableOptions(invocation, place), isWhole }),
      });
      // Errors in the files end the command only after the list.
      if (hasErrors(loaded.diagnostics)) throw new Ended();
      return isWhole ? exitCodes.done : exitCodes.incomplete;
    });
  }
  const { desired, sources, diagnostics } = await readDesired(invocation);
  return online(invocation, async ({ connection: { reconciler }, stop }) => {
    const listed = await reconciler.list({ desired, ...selection, signal: stop.soft });
    const { resources, unread } = listed;
    await say(invocation, [...diagnostics, ...listed.diagnostics, ...unread.map(notListed)], sources);
    if (resources === null) throw new Ended();
    const isWhole = unread.length === 0;
    await deliver(invocation, {
      human: (place) => renderList(resources, { ...tableOptions(invocation, place), isWhole }),
      json: () => jsonPage(listToJson(resources, unread)),
      env: () => renderEnv(resources),
    });
    return isWhole ? exitCodes.done : exitCodes.incomplete;
  });
};

export interface Surveyed extends Pick<Survey, 'matched'> {
  readonly live: NonNullable<Survey['live']>;
}

/** Reads branches and computes of wanted projects (default: all in the files). Reports errors; throws Ended without results. */
export async function surveyBranches(
  invocation: Invocation,
  { connection: { reconciler }, stop }: Online,
  { desired, sources, diagnostics }: DesiredFiles,
  selection: Selection,
  isWanted: (label: string) => boolean = (label) => desired.projects.some((one) => one.label === label),
): Promise<Surveyed & { readonly isWhole: boolean; readonly isInError: boolean }> {
  const isTouched = touches(selection);
  const { live, matched, unplanned, ...survey } = await reconciler.survey({
    desired,
    isWanted: (project) => isWanted(project.label) && isTouched(namesOf(project)),
    include: [branch.kind],
    accountWide: false,
    signal: stop.soft,
  });
  const listed = new Set(live?.projects.map(({ label }) => label));
  const lacking = desired.projects.filter(
    ({ id, label, name, mayBeMade = false, isGoing = false }) =>
      isWanted(label) &&
      isTouched(namesOf({ id: id ?? label, label, name })) &&
      !listed.has(label) &&
      !mayBeMade &&
      !isGoing,
  );
  const errors = [...survey.diagnostics, ...unplanned.flatMap((one) => one.diagnostics)].filter(isError);
  const missing = [...(live?.unread ?? []).map(notListed), ...lacking.flatMap(gone)];
  await say(invocation, [...diagnostics, ...errors, ...missing], sources);
  const hasErrorsOnly = errors.length > 0 && listed.size + missing.length === 0;
  if (live === null || hasErrorsOnly) throw new Ended();
  return { live, matched, isWhole: missing.length + lacking.length === 0, isInError: errors.length > 0 };
}

function gone({ id, label }: DesiredProject): readonly Diagnostic[] {
  const message = `${label} is not listed: there is no project ${id ?? ''} in this account`;
  return id === null ? [] : [{ severity: 'error', code: 'unread', message }];
}

/** The error for an unread part, so that an incomplete list does not look complete. */
function notListed(part: Unread): Diagnostic {
  return unreadError(part, 'The list is incomplete without this part.');
}

export function treeRows(survey: Surveyed): readonly TreeRow[] {
  const { projects, resources } = survey.live;
  return [...projects]
    .sort((a, b) => compareText(a.label, b.label))
    .flatMap((project) => rowsOf(project, resources, survey.matched));
}

function rowsOf(
  { id: projectId, label, name }: LiveProject,
  all: readonly LiveResource[],
  matched: Survey['matched'],
): TreeRow[] {
  const own = all.filter((one) => one.projectId === projectId);
  const addressOf = ({ kind, id }: LiveResource): string => matched.get(`${kind} ${id}`) ?? `${label}/${id}`;
  const branches = own.filter(({ kind }) => kind === branch.kind);
  const ids = new Set(branches.map(({ id }) => id));
  const byParent = groupBy(branches, ({ spec }) => parentIn(spec['parent_id'], ids));
  const byBranch = groupBy(
    own.filter(({ kind }) => kind === compute.kind),
    ({ spec }) => parentIn(spec['branch_id'], ids),
  );
  const sorted = (found: readonly LiveResource[] = []): readonly LiveResource[] =>
    [...found].sort((a, b) => compareText(addressOf(a), addressOf(b)));
  const rowOf = (live: LiveResource, depth: number): TreeRow => {
    const isBranch = live.kind === branch.kind;
    const { columns } = (isBranch ? branch : compute).describe(live);
    const marks = ['default', 'protected'].filter((word) => live.spec[word] === true);
    const apiName = live.spec['name'];
    const size = live.observed['logical_size'];
    const { expires_at: expires, ttl_seconds: ttl } = live.spec;
    return {
      depth,
      address: addressOf(live),
      name: typeof apiName === 'string' ? apiName : null,
      id: live.id,
      state: [columns['state'] ?? null, ...marks].filter((word) => word !== null).join(', '),
      sizeBytes: typeof size === 'number' ? size : null,
      lastActiveMs: isBranch ? (branch.contents?.lastUse?.(live, own) ?? null) : lastUseOf([live]),
      expiresMs: typeof expires === 'string' ? Date.parse(expires) : null,
      ttlSeconds: typeof ttl === 'number' ? ttl : null,
    };
  };
  const below = (parent: string, depth: number): TreeRow[] => [
    ...sorted(byBranch.get(parent)).map((live) => rowOf(live, depth)),
    ...sorted(byParent.get(parent)).flatMap((live) => [rowOf(live, depth), ...below(live.id, depth + 1)]),
  ];
  const itself = { depth: 0, address: label, name, id: projectId, state: null };
  return [{ ...itself, sizeBytes: null, lastActiveMs: null, expiresMs: null, ttlSeconds: null }, ...below(ROOT, 1)];
}

const ROOT = '';

function parentIn(id: unknown, ids: ReadonlySet<string>): string {
  return typeof id === 'string' && ids.has(id) ? id : ROOT;
}
