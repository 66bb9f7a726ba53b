// The places for a secret as the file names them, whatever kind it is of. Names of files stay within the secrets folder.
import { fileNameProblem } from '../../apply/sinks/secret-folder.ts';
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { nameProblem } from '../../config/check/names.ts';
import type { EntryProblem } from '../../config/kind-section.ts';
import { sinkKey, sinksOf, type DesiredResource } from '../../model/desired.ts';
import type { SourceRange } from '../../model/source.ts';
import { error } from './problems.ts';

const WITHIN_FOLDER =
  'Write a name within the secrets folder, such as ci-deploy.json; --secrets-dir chooses the folder.';

/** The targets as a list of `{ file: NAME }` and `{ exec: NAME }`, as they stand at the member `key` of an entry. */
export function targetsOf(written: Json | undefined, key: string, problems: EntryProblem[]): readonly JsonObject[] {
  const list = Array.isArray(written)
    ? written.map((sink: Json, at) => ({ sink, path: [key, at] as const }))
    : [{ sink: written ?? null, path: [key] as const }];
  const sinks: JsonObject[] = [];
  const seen = new Set<string>();
  for (const { sink, path } of list) {
    if (!isJsonObject(sink)) continue;
    const [kind, target] = Object.entries(sink)[0] ?? [];
    if (kind === undefined || typeof target !== 'string') continue;
    const problem = kind === 'file' ? sinkFileProblem(target) : null;
    const place = sinkKey(kind, target);
    const refuse = (code: string, message: string, hint: string): void => {
      problems.push(error([...path, kind], code, message, { hint }));
    };
    if (problem !== null) refuse('bad_sink', problem, WITHIN_FOLDER);
    else if (seen.has(place))
      refuse('duplicate_sink', 'this sink is named twice for one secret', 'Name each sink once.');
    seen.add(place);
    sinks.push({ [kind]: kind === 'file' ? target.replace(/^(\.\/)+/, '') : target });
  }
  return sinks;
}

export function hasPlaces(desired: readonly DesiredResource[]): boolean {
  return desired.some((one) => sinksOf(one).length > 0);
}

/** Where `word` of the declaration is written, or its first part; the declaration itself where it is not. */
export function writtenAt({ sources, source }: DesiredResource, word: string): SourceRange {
  const path = Object.keys(sources)
    .filter((one) => one === word || one.startsWith(`${word}.`))
    .sort()[0];
  return (path === undefined ? undefined : sources[path]) ?? source;
}

/** Why a file name cannot be a sink: it could leave the folder, or nobody could tell where it leads. */
function sinkFileProblem(name: string): string | null {
  const unreadable = nameProblem(name);
  if (unreadable !== null) return unreadable;
  if (name.includes('\\')) return 'the name of a secret file holds no backslash';
  if (/^(\/|[A-Za-z]:)/.test(name))
    return 'a secret file needs a path relative to the secrets folder, not an absolute one';
  if (/[~$]/.test(name)) return 'the name of a secret file must not hold `~` or `$`: trueup does not expand them';
  return fileNameProblem(name.replace(/^(\.\/)+/, ''));
}
