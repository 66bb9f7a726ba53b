// `trueup init --retention`: writes a retention rule for each project of the files that has such branches.
import { resolve } from 'node:path';
import { plural } from '../../../base/text/words.ts';
import { setValues } from '../../../config/edit/edit-file.ts';
import { renderInline } from '../../../config/edit/render.ts';
import { branch } from '../../../kinds/index.ts';
import { matchesGlob, RETENTION, retentionAddress } from '../../../model/address.ts';
import type { DesiredProject, DesiredState } from '../../../model/desired.ts';
import type { LiveState } from '../../../model/live.ts';
import { planOf } from '../../../reconciler/reading/read.ts';
import { openAuthoringFiles, replaceFiles, type AuthoringFiles } from '../../authoring/edited-files.ts';
import type { Invocation } from '../../command.ts';
import { Ended, exitCodes, UsageError, type ExitCode } from '../../process/exit-code.ts';
import { online } from '../../session/online.ts';
import { isError, say } from '../../session/session.ts';
import { notListed, surveyBranches } from '../list.ts';

/** The values of a new rule, which the user sees in the file and changes there. */
const RULE = { older_than: '7d', idle_for: '24h', max: 20 } as const;

export async function initRetention(invocation: Invocation, shown: string, glob: string): Promise<ExitCode> {
  const name =
    /^[^*?]{3,}/
      .exec(glob)?.[0]
      .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
      .replaceAll(/^[-.]+|[-.]+$/g, '') ?? '';
  if (name === '')
    throw new UsageError(
      `--retention ${glob}: the pattern does not begin with three literal characters`,
      "For example 'preview/*'.",
    );
  const files = openAuthoringFiles(invocation, [shown]);
  const { desired, diagnostics, sources } = await files.load();
  if (desired === null) {
    await say(invocation, diagnostics, sources);
    throw new Ended();
  }
  return online(invocation, async (line) => {
    const { survey } = await surveyBranches(line, desired, { target: [], exclude: [] });
    const { live } = survey;
    const errors = [...survey.diagnostics, ...survey.unplanned.flatMap((one) => one.diagnostics)].filter(isError);
    const unread = live?.unread ?? [];
    await say(invocation, [...errors, ...unread.map(notListed)], sources);
    if (live === null || unread.length + errors.length > 0)
      throw new Ended(live === null ? exitCodes.error : exitCodes.incomplete);
    const found = desired.projects
      .map((project) => ({ project, count: named(live, project, glob) }))
      .filter(({ count }) => count > 0);
    if (found.length === 0) throw new UsageError(`no branch in the projects of ${shown} matches ${glob}`);
    const { client } = line.connection.reconciler;
    const rules = { name, glob, found, live, baseUrl: client.baseUrl, nowMs: client.serverTime() };
    for (const text of await written(invocation, files, rules)) await invocation.io.stdout.write(`${text}\n`);
    return exitCodes.done;
  });
}

function named({ projects, resources }: LiveState, { label }: DesiredProject, glob: string): number {
  const ids = new Set(projects.flatMap((project) => (project.label === label ? [project.id] : [])));
  return resources.filter(
    ({ kind, projectId, spec }) =>
      kind === branch.kind && ids.has(projectId ?? '') && matchesGlob(glob, String(spec['name'])),
  ).length;
}

interface Rules {
  readonly name: string;
  readonly glob: string;
  readonly found: readonly { readonly project: DesiredProject; readonly count: number }[];
  readonly live: LiveState;
  readonly baseUrl: string;
  readonly nowMs: number;
}

/** Writes the rules into the files, and returns a sentence about each. */
async function written({ io }: Invocation, files: AuthoringFiles, rules: Rules): Promise<readonly string[]> {
  const { name, glob, found } = rules;
  const texts = new Map<string, string>();
  const shownAs = new Map<string, string>();
  for (const { project } of found) {
    const { label, source, retention = [] } = project;
    const path = resolve(io.cwd, source.file);
    const value = { match: [glob], ...RULE };
    const edit = { path: ['projects', label, RETENTION, name], value };
    const isThere = retention.some((rule) => rule.name === name);
    const { text, refused } = setValues(texts.get(path) ?? files.textOf(path) ?? '', isThere ? [] : [edit], Infinity);
    const problem = isThere ? `${retentionAddress(label, name)} exists already` : (refused.get(0) ?? null);
    if (problem !== null)
      throw new UsageError(
        `${source.file} cannot be edited: ${problem}`,
        `Write the rule by hand, in the project ${label}: retention: { NAME: ${renderInline(value)} }`,
      );
    texts.set(path, text);
    shownAs.set(path, source.file);
  }
  const { desired } = await files.load(texts);
  if (desired === null) throw new UsageError('the files would have errors with the rule', 'Nothing was written.');
  const said = found.map(({ project: { label }, count }) => {
    const { retention = [], source } = desired.projects.find((one) => one.label === label) ?? {};
    const taken = takenBy(desired, label, rules);
    const path = resolve(io.cwd, source?.file ?? '');
    const rule = retention.find((one) => one.name === name)?.template.source.start.line ?? 1;
    const words = `${taken} of ${plural(count, 'branch', 'branches')} would be deleted now, at most ${RULE.max} in a run`;
    texts.set(path, commented(texts.get(path) ?? '', rule, words));
    return `Wrote ${retentionAddress(label, name)} to ${shownAs.get(path)}:${rule}: ${words}. Next: trueup plan`;
  });
  const after = [...texts].map(([path, text]) => ({ path, after: text, shown: shownAs.get(path) ?? path }));
  replaceFiles(
    after.map((one) => ({ ...one, before: files.textOf(one.path) ?? '' })),
    io,
  );
  return said;
}

/** The number of branches that the rule would delete if one run could delete them all. */
function takenBy(desired: DesiredState, label: string, { name, live, baseUrl, nowMs }: Rules): number {
  const projects = desired.projects.map(({ retention, ...project }) =>
    retention === undefined
      ? project
      : { ...project, retention: retention.map((rule) => ({ ...rule, max: Infinity })) },
  );
  const { changes } = planOf({ desired: { ...desired, projects }, live, baseUrl, nowMs });
  return changes.filter(({ address }) => address.startsWith(`${retentionAddress(label, name)}/`)).length;
}

/** The text with a comment at the end of this line; lines count from 1. */
function commented(text: string, line: number, words: string): string {
  const lines = text.split(/(?<=\n)/);
  const own = lines[line - 1] ?? '';
  return lines.with(line - 1, own.replace(/(?=\r?\n?$)/, ` # ${words}`)).join('');
}
