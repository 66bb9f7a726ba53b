// `secret` of a key: where its value goes. Names stay within the secrets folder.
import { fileNameProblem } from '../../../apply/sinks/secret-folder.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../base/json.ts';
import type { EntryProblem } from '../../../config/kind-section.ts';
import { nameProblem } from '../../../config/check/names.ts';

/** The targets as a list of `{ file: NAME }` and `{ exec: NAME }`. */
export function sinksOf(secret: Json | undefined, problems: EntryProblem[]): readonly JsonObject[] {
  const list = Array.isArray(secret)
    ? secret.map((sink: Json, at) => ({ sink, path: ['secret', at] as const }))
    : [{ sink: secret ?? null, path: ['secret'] as const }];
  const sinks: JsonObject[] = [];
  const seen = new Set<string>();
  for (const { sink, path } of list) {
    if (!isJsonObject(sink)) continue;
    const [kind, target] = Object.entries(sink)[0] ?? [];
    if (kind === undefined || typeof target !== 'string') continue;
    const problem = kind === 'file' ? sinkFileProblem(target) : null;
    const key = sinkKey(kind, target);
    if (problem !== null)
      problems.push({
        severity: 'error',
        code: 'bad_sink',
        message: problem,
        hint: 'Write a name within the secrets folder, such as ci-deploy.json; --secrets-dir chooses the folder.',
        path: [...path, kind],
      });
    else if (seen.has(key))
      problems.push({
        severity: 'error',
        code: 'duplicate_sink',
        message: 'this place is named twice for one key',
        hint: 'Remove one of the two.',
        path: [...path, kind],
      });
    seen.add(key);
    sinks.push({ [kind]: kind === 'file' ? target.replace(/^(\.\/)+/, '') : target });
  }
  return sinks;
}

/** Equal for targets that would be one place, also on file systems that ignore case. */
export function sinkKey(kind: string, target: string): string {
  return kind === 'file'
    ? `file\0${target
        .replace(/^(\.\/)+/, '')
        .normalize('NFKC')
        .toLowerCase()}`
    : `${kind}\0${target}`;
}

/** Why a file name cannot be a sink: it could leave the folder, or nobody could tell where it leads. */
function sinkFileProblem(name: string): string | null {
  const unreadable = nameProblem(name);
  if (unreadable !== null) return unreadable;
  if (name.includes('\\')) return 'the name of a secret file holds no backslash';
  if (/^(\/|[A-Za-z]:)/.test(name))
    return 'a secret file is named relative to the secrets folder, not by an absolute path';
  if (/[~$]/.test(name))
    return 'the name of a secret file is taken as it is written: `~` and `$` are not replaced and not allowed';
  return fileNameProblem(name.replace(/^(\.\/)+/, ''));
}
