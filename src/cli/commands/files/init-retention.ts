// `trueup init --retention`: adds a rule to each project with matching branches. Without a file, takes the account's projects.
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { plural } from '../../../base/text/words.ts';
import { setValues } from '../../../config/edit/edit-file.ts';
import { renderInline } from '../../../config/edit/layout.ts';
import { branch } from '../../../kinds/index.ts';
import { matchesGlob, RETENTION, retentionAddress } from '../../../model/address.ts';
import type { DesiredState } from '../../../model/desired.ts';
import type { LiveProject, LiveState } from '../../../model/live.ts';
import { openLabels } from '../../authoring/import/entries.ts';
import { openAuthoringFiles, replaceFiles, type AuthoringFiles } from '../../authoring/edited-files.ts';
import { schemaLine } from '../../authoring/shipped-schema.ts';
import type { Invocation } from '../../command.ts';
import { Ended, exitCodes, UsageError, type ExitCode } from '../../process/exit-code.ts';
import type { Io } from '../../process/io.ts';
import { online } from '../../session/online.ts';
import { readToEdit } from '../../session/desired-files.ts';
import { surveyBranches } from '../list.ts';

/** The values of a new rule, which users can change in the file. */
const RULE = { older_than: '7d', idle_for: '24h', max: 20 } as const;

export async function initRetention(invocation: Invocation, shown: string, glob: string): Promise<ExitCode> {
  const { io } = invocation;
  const literal = /^[^*?]{3,}/.exec(glob)?.[0] ?? '';
  const name = literal.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replaceAll(/^[-.]+|[-.]+$/g, '');
  if (name === '')
    throw new UsageError(
      `--retention ${glob}: the pattern does not begin with three literal characters`,
      "For example 'preview/*'.",
    );
  const files = openAuthoringFiles(invocation, [shown]);
  const path = resolve(io.cwd, shown);
  const created = existsSync(path) ? null : { shown, text: `${schemaLine(dirname(path))}\nversion: 1\n` };
  const texts = new Map(created === null ? [] : [[path, created.text]]);
  const loaded = await readToEdit(invocation, async () => files.load(texts));
  const { desired } = loaded;
  return online(invocation, async (line) => {
    const isWanted = created === null ? undefined : () => true;
    const survey = await surveyBranches(invocation, line, loaded, { target: [], exclude: [] }, isWanted);
    if (!survey.isWhole || survey.isInError) throw new Ended(exitCodes.incomplete);
    const labels = openLabels([]);
    const found = survey.live.projects
      .map((project) => ({ ...project, count: matchingIn(survey.live, project, glob) }))
      .filter(({ count }) => count > 0)
      .map((one) => (created === null ? one : { ...one, label: labels.choose(one.name, one.id) }));
    if (found.length === 0)
      throw new UsageError(`no branch in the projects of ${created === null ? shown : 'the account'} matches ${glob}`);
    const next = `To see which of them it deletes: trueup plan${shown === 'trueup.yaml' ? '' : ` -f ${shown}`}`;
    const said = await written(io, files, { name, glob, found, desired, created });
    for (const text of said) await io.stdout.write(`${text} ${next}\n`);
    return exitCodes.done;
  });
}

function matchingIn({ resources }: LiveState, { id }: LiveProject, glob: string): number {
  return resources.filter(
    ({ kind, projectId, spec }) => kind === branch.kind && projectId === id && matchesGlob(glob, String(spec['name'])),
  ).length;
}

interface Rules {
  readonly name: string;
  readonly glob: string;
  readonly found: readonly (LiveProject & { readonly count: number })[];
  readonly desired: DesiredState;
  /** The file to create; null if it exists. */
  readonly created: { readonly shown: string; readonly text: string } | null;
}

/** Writes the rules and returns a sentence about each. Projects that no file declares go into the new file. */
async function written(
  io: Io,
  files: AuthoringFiles,
  { name, glob, found, desired, created }: Rules,
): Promise<readonly string[]> {
  const value = { match: [glob], ...RULE };
  const texts = new Map<string, { readonly shown: string; readonly before: string | null; readonly after: string }>();
  const said = found.map(({ label, id, count }) => {
    const declared = desired.projects.find((one) => one.label === label);
    const shown = declared?.source.file ?? created?.shown ?? '';
    const path = resolve(io.cwd, shown);
    const before = created === null ? (files.textOf(path) ?? '') : null;
    const isThere = declared?.retention?.some((rule) => rule.name === name) === true;
    const edits = [
      ...(declared === undefined ? [{ path: ['projects', label, 'id'], value: id }] : []),
      { path: ['projects', label, RETENTION, name], value },
    ];
    const { text, refused } = setValues(texts.get(path)?.after ?? before ?? created?.text ?? '', edits, Infinity);
    const problem = isThere ? `${retentionAddress(label, name)} exists already` : [...refused.values()][0];
    if (problem !== undefined)
      throw new UsageError(
        `${shown} cannot be edited: ${problem}`,
        `Write the rule by hand, in the project ${label}: retention: { NAME: ${renderInline(value)} }`,
      );
    texts.set(path, { shown, before, after: text });
    return `Wrote ${retentionAddress(label, name)} to ${shown}: it matches ${plural(count, 'branch', 'branches')}.`;
  });
  const after = await files.load(new Map([...texts].map(([path, one]) => [path, one.after])));
  if (after.desired === null) throw new UsageError('the files would have errors with the rule', 'Nothing was written.');
  replaceFiles(
    [...texts].map(([path, one]) => ({ path, ...one })),
    io,
  );
  return said;
}
