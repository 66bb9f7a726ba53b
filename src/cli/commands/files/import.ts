// `trueup import`: writes YAML for live resources that no file declares. Warns if a plan with the new YAML would have changes.
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { groupBy } from '../../../base/group-by.ts';
import { listOf, listOfFirst, plural } from '../../../base/text/words.ts';
import { kinds } from '../../../kinds/index.ts';
import { matchesGlob } from '../../../model/address.ts';
import type { DesiredState, KindName } from '../../../model/desired.ts';
import { hasErrors, type Diagnostic, type Unplanned } from '../../../model/diagnostic.ts';
import { PROJECT, type KindPlace } from '../../../model/kind.ts';
import type { LiveProject } from '../../../model/live.ts';
import type { Survey } from '../../../reconciler/types.ts';
import { openAuthoringFiles, presentFiles, writeNew } from '../../authoring/edited-files.ts';
import type { Invocation, Run } from '../../command.ts';
import { makeFolder } from '../../process/files.ts';
import { Ended, exitCodes, UsageError } from '../../process/exit-code.ts';
import { checkDraft } from '../../authoring/import/check.ts';
import { readNames, removedBlocks } from '../../authoring/import/names.ts';
import { draftImport, type ProjectPart } from '../../authoring/import/draft.ts';
import { type AttributeDetail, type DraftScope, fileNameOf, textOfScopes } from '../../authoring/import/scope.ts';
import { schemaLine } from '../../authoring/shipped-schema.ts';
import { online, type Online } from '../../session/online.ts';
import { topSections, namesOf, selectedDraft, touches } from '../../session/selection.ts';
import { readToEdit } from '../../session/desired-files.ts';
import { isError, say } from '../../session/session.ts';

export const run: Run = async (invocation) => {
  const { io, settings, flags } = invocation;
  const { include, parts } = includedIn(flags['include']);
  const given = await readNames(invocation, flags['fromTerraform'] as readonly string[]);
  const present = presentFiles(invocation);
  const files = openAuthoringFiles(invocation, [...present, VIRTUAL]);
  const draftAs = (text: string): ReadonlyMap<string, string> => new Map([[resolve(io.cwd, VIRTUAL), text]]);
  const draftOf = (scopes: readonly DraftScope[]): ReadonlyMap<string, string> =>
    draftAs(textOfScopes(scopes, schemaLine(io.cwd)));
  const { desired: before } = await readToEdit(invocation, async () => files.load(draftAs('version: 1\n')));
  return online(invocation, async (line) => {
    const survey = await surveyed(invocation, line, before, include);
    const { live } = survey;
    const detail = flags['attributes'] as AttributeDetail;
    const draft = draftImport(before, survey, detail, given.names, parts);
    const drafted = selectedDraft(draft, settings);
    const checked = await checkDraft(drafted, {
      live,
      baseUrl: line.connection.reconciler.client.baseUrl,
      nowMs: io.clock.nowMs(),
      load: async (scopes) => files.load(draftOf(scopes)),
      loadAlone: async (scope) => openAuthoringFiles(invocation, [VIRTUAL]).load(draftOf([scope])),
    });
    if ('refused' in checked) {
      await say(invocation, checked.refused.diagnostics, checked.refused.sources);
      throw new Ended();
    }
    const { scopes, warnings } = checked.draft;
    const gaps = [...unreadOf(survey), ...hiddenOf(survey), ...checked.remaining.map(stillDiffers)];
    await say(invocation, [...given.warnings, ...warnings, ...gaps]);
    const isWhole = live.unread.length + survey.unplanned.length === 0;
    const isAll = isWhole && gaps.length + warnings.length === 0;
    const told = await deliver(invocation, scopes, { given: present, isAll });
    if (settings.verbosity !== 'quiet') await io.stderr.write(told + removedBlocks(given.names, live));
    return isWhole ? exitCodes.done : exitCodes.incomplete;
  });
};

const PARTS: Readonly<Record<string, ProjectPart>> = { projects: 'identity', settings: 'attributes' };

/** The kinds and the parts of projects that --include names. Throws UsageError for an unknown word. */
function includedIn(flag: unknown) {
  const all = (typeof flag === 'string' ? flag : '').split(',').map((word) => word.trim());
  const words = new Set(all.filter((word) => word !== ''));
  const offered = kinds.filter(({ isOnlyDeclared }) => isOnlyDeclared === true);
  const sections = [...new Set([...Object.keys(PARTS), ...offered.map(({ section }) => section)])];
  const unknown = [...words].find((word) => !sections.includes(word));
  if (unknown !== undefined) throw new UsageError(`--include takes ${listOf(sections)}, not ${unknown}`);
  const parts = Object.entries(PARTS).flatMap(([word, part]) => (words.has(word) ? [part] : []));
  const isNamed = ({ kind, section }: KindPlace): boolean =>
    words.has(section) || (kind === PROJECT && parts.length > 0);
  // A parent is imported, too, unless it is the account or a project.
  const above = (parent: KindName | null): readonly KindName[] =>
    parent === null || parent === PROJECT ? [] : [parent];
  const named = offered.filter(isNamed).flatMap(({ kind, parent }) => [kind, ...above(parent)]);
  return { include: [...new Set(named)], parts };
}

/** The name that messages show for a draft, which is loaded before it is written to a file. */
const VIRTUAL = '(import)';

type Surveyed = Survey & { readonly live: NonNullable<Survey['live']> };

async function surveyed(
  invocation: Invocation,
  { connection, stop }: Online,
  desired: DesiredState,
  include: readonly KindName[],
): Promise<Surveyed> {
  const { settings, flags } = invocation;
  const glob = typeof flags['project'] === 'string' ? flags['project'] : null;
  const isTouched = touches(settings);
  const isWanted = (project: LiveProject): boolean =>
    (glob === null || namesOf(project).some((text) => matchesGlob(glob, text))) && isTouched(namesOf(project));
  const survey = await connection.reconciler.survey({
    desired,
    isWanted,
    include,
    accountWide: glob === null && topSections.some((section) => isTouched([section])),
    signal: stop.soft,
  });
  await say(invocation, [...survey.diagnostics, ...survey.unplanned.flatMap(leftOut)].filter(isError));
  if (survey.live === null || hasErrors(survey.diagnostics)) throw new Ended();
  if (glob !== null && survey.live.projects.length === 0)
    throw new UsageError(
      `no project matches ${glob}`,
      'Give a name, an id or a pattern; without --project, all projects are imported.',
    );
  return { ...survey, live: survey.live };
}

function leftOut({ project, diagnostics }: Unplanned): readonly Diagnostic[] {
  const words: Diagnostic = {
    severity: 'error',
    code: 'unplanned',
    message: `nothing of ${project} is imported: the files have errors there`,
    hint: 'Fix the errors, then run trueup import again.',
    address: `${project}/*`,
  };
  return [...diagnostics, words];
}

function unreadOf({ live }: Surveyed): readonly Diagnostic[] {
  return live.unread.map(({ what, reason }) => ({
    severity: 'warning',
    code: 'unread',
    message: `${what} could not be read, so nothing of it is imported: ${reason}`,
    hint: 'Run trueup import again.',
  }));
}

/** Reports parts that the credential cannot read. The import still counts as complete: trueup could not manage them. */
function hiddenOf({ hidden }: Surveyed): readonly Diagnostic[] {
  return hidden.map(({ what, reason }) => ({
    severity: 'warning',
    code: 'not_shown',
    message: `nothing of ${what} is imported, because this credential has no access: ${reason}`,
    hint: 'To import this part, use a credential that has access.',
  }));
}

function stillDiffers(address: string): Diagnostic {
  return {
    severity: 'warning',
    code: 'not_settled',
    message: `a plan of the new file would change ${address}`,
    hint: 'Run trueup plan to see the change, then correct the file.',
    address,
  };
}

/** Writes the files, or prints all of them on stdout. Returns the report. */
async function deliver(
  { io, flags }: Invocation,
  scopes: readonly DraftScope[],
  { given, isAll }: { readonly given: readonly string[]; readonly isAll: boolean },
): Promise<string> {
  if (scopes.length === 0)
    return `Nothing to import: the files list all live resources${isAll ? '' : ', except what is named above'}.\n`;
  const what = describe(scopes);
  if (typeof flags['outDir'] !== 'string') {
    await io.stdout.write(textOfScopes(scopes, schemaLine(io.cwd)));
    return `Imported ${what}. Save the output in a file, then: trueup plan\n`;
  }
  const shown = flags['outDir'];
  const folder = resolve(io.cwd, shown);
  const files = scopes.map((scope) => ({ scope, name: fileNameOf(scope), path: join(folder, fileNameOf(scope)) }));
  const taken = files.filter(({ path }) => existsSync(path)).map(({ name }) => join(shown, name));
  if (taken.length > 0)
    throw new UsageError(
      `these files exist already and are never overwritten: ${listOfFirst(taken, 5)}`,
      'Nothing was written. Give the folder with -f to import only resources that its files do not list, or choose another --out-dir.',
    );
  makeFolder(io.cwd, folder, shown);
  const schema = schemaLine(folder);
  for (const { scope, name, path } of files) {
    writeNew(path, textOfScopes([scope], schema), join(shown, name), io);
    await io.stdout.write(`${relative(io.cwd, path)}\n`);
  }
  const flagged = [...given, shown].map((path) => ` -f ${path}`).join('');
  return `Imported ${what} into ${plural(files.length, 'file')}. Next: trueup plan${flagged}\n`;
}

/** Returns text like `3 computes of 2 projects and 1 API key`. */
function describe(scopes: readonly DraftScope[]): string {
  const projects = scopes.filter(({ project }) => project !== null);
  const others = scopes.filter(({ project }) => project === null);
  const inProjects = listOf(countsOf(projects));
  const ofProjects = `${inProjects === '' ? '' : `${inProjects} of `}${plural(projects.length, 'project')}`;
  return [...(projects.length === 0 ? [] : [ofProjects]), ...countsOf(others)].join(' and ');
}

function countsOf(scopes: readonly DraftScope[]): readonly string[] {
  const sections = groupBy(
    scopes.flatMap(({ entries }) => entries.map(({ kind }) => kind)).filter(({ kind }) => kind !== PROJECT),
    ({ kind }) => kind,
  );
  return [...sections.values()].map(([{ kind, section }, ...rest]) =>
    plural(1 + rest.length, wordsOf(kind), wordsOf(section)),
  );
}

function wordsOf(name: string): string {
  return name.replaceAll('_', ' ').replace(/\bapi\b/, 'API');
}
