// `trueup init --retention`: adds a rule to each project with matching branches. Without a file, takes the account's projects.
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { plural } from '../../../base/text/words.ts';
import { setValues } from '../../../config/edit/edit-file.ts';
import { renderInline } from '../../../config/edit/layout.ts';
import { branch } from '../../../kinds/index.ts';
import { matchesGlob, RETENTION, retentionAddress } from '../../../model/address.ts';
import type { DesiredProject } from '../../../model/desired.ts';
import type { LiveProject } from '../../../model/live.ts';
import { openLabels } from '../../authoring/import/entries.ts';
import { openAuthoringFiles, replaceFiles, type Replacement } from '../../authoring/edited-files.ts';
import { schemaLine } from '../../authoring/shipped-schema.ts';
import type { Invocation } from '../../command.ts';
import { Ended, exitCodes, UsageError, type ExitCode } from '../../process/exit-code.ts';
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
  const isNew = !existsSync(path);
  const start = isNew ? `${schemaLine(dirname(path))}\nversion: 1\n` : '';
  const loaded = await readToEdit(invocation, async () => files.load(new Map(isNew ? [[path, start]] : [])));
  return online(invocation, async (line) => {
    const isWanted = isNew ? () => true : undefined;
    const survey = await surveyBranches(invocation, line, loaded, { target: [], exclude: [] }, isWanted);
    if (!survey.isWhole || survey.isInError) throw new Ended(exitCodes.incomplete);
    const { projects, resources } = survey.live;
    const labels = openLabels([]);
    const edits = new Map<string, Replacement>();
    const said: string[] = [];
    for (const project of projects) {
      const isMatch = ({ kind, projectId, spec }: (typeof resources)[number]): boolean =>
        kind === branch.kind && projectId === project.id && matchesGlob(glob, String(spec['name']));
      const count = resources.filter(isMatch).length;
      if (count === 0) continue;
      const label = isNew ? labels.choose(project.name, project.id) : project.label;
      const declared = loaded.desired.projects.find((one) => one.label === label);
      const file = declared?.source.file ?? shown;
      const place = resolve(io.cwd, file);
      const before = isNew ? null : (files.textOf(place) ?? '');
      const edit = edits.get(place) ?? { path: place, shown: file, before, after: before ?? start };
      edits.set(place, { ...edit, after: withRule(edit, { ...project, label }, declared, name, glob) });
      said.push(
        `Wrote ${retentionAddress(label, name)} to ${file}: it matches ${plural(count, 'branch', 'branches')}.`,
      );
    }
    if (said.length === 0)
      throw new UsageError(`no branch in the projects of ${isNew ? 'the account' : shown} matches ${glob}`);
    const { desired } = await files.load(new Map([...edits].map(([edited, { after }]) => [edited, after])));
    if (desired === null) throw new UsageError('the files would have errors with the rule', 'Nothing was written.');
    replaceFiles([...edits.values()], io);
    const next = `To see which of them it deletes: trueup plan${shown === 'trueup.yaml' ? '' : ` -f ${shown}`}`;
    for (const one of said) await io.stdout.write(`${one} ${next}\n`);
    return exitCodes.done;
  });
}

/** Returns the text of the file with the rule. A project that no file declares is added. */
function withRule(
  { shown, after: text }: Replacement,
  { label, id }: LiveProject,
  declared: DesiredProject | undefined,
  name: string,
  glob: string,
): string {
  const value = { match: [glob], ...RULE };
  const isThere = declared?.retention?.some((rule) => rule.name === name) === true;
  const edits = [
    ...(declared === undefined ? [{ path: ['projects', label, 'id'], value: id }] : []),
    { path: ['projects', label, RETENTION, name], value },
  ];
  const { text: after, refused } = setValues(text, edits, Infinity);
  const problem = isThere ? `${retentionAddress(label, name)} exists already` : [...refused.values()][0];
  if (problem !== undefined)
    throw new UsageError(
      `${shown} cannot be edited: ${problem}`,
      `Write the rule by hand, in the project ${label}: retention: { NAME: ${renderInline(value)} }`,
    );
  return after;
}
