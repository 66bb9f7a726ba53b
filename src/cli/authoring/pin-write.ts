// Ids written into files: each file's text with all of its edits, checked as a whole before anything is written.
import { resolve } from 'node:path';
import { groupBy } from '../../base/group-by.ts';
import type { JsonObject } from '../../base/json.ts';
import { setValues } from '../../config/edit/edit-file.ts';
import type { DesiredState } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { replaceFiles, type AuthoringFiles, type Replacement } from './edited-files.ts';
import type { Io } from '../process/io.ts';
import { schemaLine } from './shipped-schema.ts';
import type { NotPinned, PinEdit } from './pin-edits.ts';

/** An entry in a file of ids stands on one line, with what is in it: projects, LABEL, SECTION, NAME. */
const INLINE_DEPTH = 4;

export interface Written {
  readonly done: readonly PinEdit[];
  readonly refused: readonly NotPinned[];
  /** The files read again as they are then; null when they would not be valid, and nothing was written. */
  readonly desired: DesiredState | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** Makes the edits and writes the files, all or none of them. Throws UsageError when a file cannot be written. */
export async function writePins(edits: readonly PinEdit[], files: AuthoringFiles, io: Io): Promise<Written> {
  const done: PinEdit[] = [];
  const refused: NotPinned[] = [];
  const replacements: Replacement[] = [];
  for (const [file, own] of groupBy(edits, (edit) => edit.file)) {
    const path = resolve(io.cwd, file);
    const before = file === '-' ? undefined : (files.textOf(path) ?? null);
    if (before === undefined) {
      for (const { address, id } of own) refused.push({ address, id, because: 'standard input cannot be edited' });
      continue;
    }
    const { text, refused: problems } = edited(before, own, path);
    for (const [at, edit] of own.entries()) {
      const because = problems.get(at);
      if (because === undefined) done.push(edit);
      else refused.push({ address: edit.address, id: edit.id, because });
    }
    if (text !== before) replacements.push({ path, shown: file, before, after: text });
  }
  const texts = new Map(replacements.map(({ path, after }) => [path, after]));
  const created = replacements.filter(({ before }) => before === null).map(({ shown }) => shown);
  const { desired, diagnostics } = await files.load(texts, created);
  if (desired !== null) replaceFiles(replacements, io);
  return { done, refused, desired, diagnostics };
}

function edited(
  before: string | null,
  edits: readonly PinEdit[],
  path: string,
): { readonly text: string; readonly refused: ReadonlyMap<number, string> } {
  const start =
    before ?? `${schemaLine(resolve(path, '..'))}\n# Ids of live resources, written by \`trueup pin\`.\nversion: 1\n`;
  const values = edits.map(({ path: at, id }) => ({ path: at, value: idValue(at, id) }));
  return setValues(start, values, INLINE_DEPTH);
}

/** Ids of keys are integers; one that a double cannot hold exactly is written as text. */
function idValue(path: readonly string[], id: string | null): JsonObject[string] | undefined {
  if (id === null) return undefined;
  return path.length === 3 && Number.isSafeInteger(Number(id)) ? Number(id) : id;
}
