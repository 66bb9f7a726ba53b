// `trueup init --retention`: writes a retention rule for each project with such branches: of the file, or of the account if there is no file yet.
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { plural } from '../../../base/text/words.ts';
import { setValues } from '../../../config/edit/edit-file.ts';
import { renderInline } from '../../../config/edit/layout.ts';
import { branch } from '../../../kinds/index.ts';
import { matchesGlob, RETENTION, retentionAddress } from '../../../model/address.ts';
import type { DesiredState } from '../../../model/desired.ts';
import type { LiveProject, LiveState } from '../../../model/live.ts';
import { planOf } from '../../../reconciler/reading/read.ts';
import { openLabels } from '../../authoring/import/entries.ts';
import { openAuthoringFiles, replaceFiles, type AuthoringFiles } from '../../authoring/edited-files.ts';
import { schemaLine } from '../../authoring/shipped-schema.ts';
import type { Invocation } from '../../command.ts';
import { Ended, exitCodes, UsageError, type ExitCode } from '../../process/exit-code.ts';
import { online } from '../../session/online.ts';
import { isError, say } from '../../session/session.ts';
import { notListed } from '../list.ts';

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
  const path = resolve(invocation.io.cwd, shown);
  const created = existsSync(path) ? null : { shown, text: `${schemaLine(dirname(path))}\nversion: 1\n` };
  const { desired, diagnostics, sources } = await files.load(new Map(created === null ? [] : [[path, created.text]]));
  if (desired === null) {
    await say(invocation, diagnostics, sources);
    throw new Ended();
  }
  return online(invocation, async (line) => {
    const { reconciler } = line.connection;
    const labels = new Set(desired.projects.map(({ label }) => label));
    const survey = await reconciler.survey({
      desired,
      isWanted: ({ label }) => created !== null || labels.has(label),
      include: [branch.kind],
      accountWide: false,
      signal: line.stop.soft,
    });
    const errors = [...survey.diagnostics, ...survey.unplanned.flatMap((one) => one.diagnostics)].filter(isError);
    const unread = survey.live?.unread ?? [];
    await say(invocation, [...errors, ...unread.map(notListed)], sources);
    if (survey.live === null || unread.length + errors.length > 0)
      throw new Ended(survey.live === null ? exitCodes.error : exitCodes.incomplete);
    const fresh = openLabels([]);
    const labelled = (one: LiveProject): LiveProject => ({ ...one, label: fresh.choose(one.name, one.id) });
    const { projects } = survey.live;
    const live = { ...survey.live, projects: created === null ? projects : projects.map(labelled) };
    const found = live.projects
      .map((project) => ({ project, count: named(live, project, glob) }))
      .filter(({ count }) => count > 0);
    if (found.length === 0)
      throw new UsageError(`no branch in the projects of ${created === null ? shown : 'the account'} matches ${glob}`);
    const { client } = reconciler;
    const rules = { name, glob, found, live, desired, created, baseUrl: client.baseUrl, nowMs: client.serverTime() };
    const next = `Next: trueup plan${shown === 'trueup.yaml' ? '' : ` -f ${shown}`}`;
    for (const text of await written(invocation, files, rules)) await invocation.io.stdout.write(`${text} ${next}\n`);
    return exitCodes.done;
  });
}

function named({ resources }: LiveState, { id }: LiveProject, glob: string): number {
  return resources.filter(
    ({ kind, projectId, spec }) => kind === branch.kind && projectId === id && matchesGlob(glob, String(spec['name'])),
  ).length;
}

interface Rules {
  readonly name: string;
  readonly glob: string;
  readonly found: readonly { readonly project: LiveProject; readonly count: number }[];
  readonly live: LiveState;
  readonly desired: DesiredState;
  /** The file to create; null if it exists. */
  readonly created: { readonly shown: string; readonly text: string } | null;
  readonly baseUrl: string;
  readonly nowMs: number;
}

/** Writes the rules into the files, and returns a sentence about each. A project that no file declares goes into the new file. */
async function written({ io }: Invocation, files: AuthoringFiles, rules: Rules): Promise<readonly string[]> {
  const { name, glob, found, created } = rules;
  const texts = new Map<string, string>(created === null ? [] : [[resolve(io.cwd, created.shown), created.text]]);
  const shownAs = new Map<string, string>();
  for (const { project } of found) {
    const { label, id } = project;
    const declared = rules.desired.projects.find((one) => one.label === label);
    const shown = declared?.source.file ?? created?.shown ?? '';
    const path = resolve(io.cwd, shown);
    const value = { match: [glob], ...RULE };
    const edits = [
      ...(declared === undefined ? [{ path: ['projects', label, 'id'], value: id }] : []),
      { path: ['projects', label, RETENTION, name], value },
    ];
    const isThere = declared?.retention?.some((rule) => rule.name === name) === true;
    const { text, refused } = setValues(texts.get(path) ?? files.textOf(path) ?? '', isThere ? [] : edits, Infinity);
    const problem = isThere ? `${retentionAddress(label, name)} exists already` : ([...refused.values()][0] ?? null);
    if (problem !== null)
      throw new UsageError(
        `${shown} cannot be edited: ${problem}`,
        `Write the rule by hand, in the project ${label}: retention: { NAME: ${renderInline(value)} }`,
      );
    texts.set(path, text);
    shownAs.set(path, shown);
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
    return `Wrote ${retentionAddress(label, name)} to ${shownAs.get(path)}:${rule}: ${words}.`;
  });
  const after = [...texts].map(([path, text]) => ({ path, after: text, shown: shownAs.get(path) ?? path }));
  replaceFiles(
    after.map((one) => ({ ...one, before: created === null ? (files.textOf(one.path) ?? '') : null })),
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
