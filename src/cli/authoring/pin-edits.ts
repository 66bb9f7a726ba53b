// Finds the ids that `pin` writes, and writes them into the files after a check of all files together.
import { kindOf } from '../../kinds/index.ts';
import { isInSet } from '../../model/address.ts';
import type { DesiredResource, DesiredState } from '../../model/desired.ts';
import { PROJECT } from '../../model/kind.ts';
import { isDerived } from '../../plan/diff/draft.ts';
import { isKeyed } from './import/entries.ts';
import { dirname, resolve } from 'node:path';
import { groupBy } from '../../base/group-by.ts';
import type { JsonObject } from '../../base/json.ts';
import { setValues } from '../../config/edit/edit-file.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { PinRow } from '../../render/tables/pins.ts';
import { replaceFiles, type AuthoringFiles, type Replacement } from './edited-files.ts';
import type { Io } from '../process/io.ts';
import { schemaLine } from './shipped-schema.ts';

export interface PinEdit extends Omit<PinRow, 'line'> {
  readonly path: readonly string[];
}

export type NotPinned = Pick<PinEdit, 'address' | 'because' | 'id'>;

export interface PinWork {
  readonly edits: readonly PinEdit[];
  readonly skipped: readonly NotPinned[];
  /** Addresses whose id in the file is not that of a matched live resource; only `fix` corrects such an id. */
  readonly stale: readonly string[];
}

export interface PinInput {
  readonly desired: DesiredState;
  /** The matched or created live resource of each address; its id is null if none exists. */
  readonly found: ReadonlyMap<string, Pick<PinEdit, 'id' | 'because'>>;
  /** The file for new ids; null for the file that declares each resource. */
  readonly to: string | null;
  readonly fix: boolean;
}

/** The ids to write, sorted by address. A resource that its name identifies needs no id. */
export function pinWork({ desired, found, to, fix }: PinInput): PinWork {
  const edits: PinEdit[] = [];
  const skipped: NotPinned[] = [];
  const stale: string[] = [];
  for (const resource of desired.resources) {
    const { address, pin, source, sources } = resource;
    const live = found.get(address);
    if (live === undefined || resource.absent || pin === live.id) continue;
    if (pin === null && !hasPins(resource)) continue;
    if (pin !== null && !fix) stale.push(address);
    else if (pin === null && resource.isNew) skipped.push({ address, because: NEW_WORD, id: null });
    else {
      const file = pin === null ? (to ?? source.file) : (sources()['id']?.file ?? source.file);
      edits.push({ address, ...live, before: pin, file, path: [...entryPath(desired, resource), 'id'] });
    }
  }
  return { edits, skipped, stale };
}

function hasPins({ kind, address }: DesiredResource): boolean {
  const own = kindOf(kind);
  // Members of a set have no entries in the file.
  return !isInSet(address) && !isKeyed(own) && !isDerived(own) && own.requests.rotate === undefined;
}

const NEW_WORD = 'the entry has `new: true`: remove that key, because the resource exists now';

export function entryPath(desired: Pick<DesiredState, 'resources'>, resource: DesiredResource): readonly string[] {
  const { kind, name, scope, parent } = resource;
  const { section, parent: below } = kindOf(kind);
  const above = desired.resources.find(({ address }) => address === parent);
  const root = below === null ? [] : ['projects', scope];
  if (kind === PROJECT) return root;
  return [...(above === undefined ? root : entryPath(desired, above)), section, name];
}

/** In a file of ids, an entry at this depth (projects, LABEL, SECTION, NAME) takes one line. */
const INLINE_DEPTH = 4;

export interface Written {
  readonly done: readonly PinEdit[];
  readonly refused: readonly NotPinned[];
  /** The files as read again after the edits; null if the edits made them invalid, so that nothing was written. */
  readonly desired: DesiredState | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** Writes all edited files, or none if the edits make them invalid. Throws UsageError if a file cannot be written. */
export async function writePins(edits: readonly PinEdit[], files: AuthoringFiles, io: Io): Promise<Written> {
  const done: PinEdit[] = [];
  const refused: NotPinned[] = [];
  const replacements: Replacement[] = [];
  for (const [file, own] of groupBy(edits, (edit) => edit.file)) {
    if (file === '-') {
      for (const { address, id } of own) refused.push({ address, id, because: 'standard input cannot be edited' });
      continue;
    }
    const path = resolve(io.cwd, file);
    const before = files.textOf(path) ?? null;
    const start =
      before ?? `${schemaLine(dirname(path))}\n# Ids of live resources, written by \`trueup pin\`.\nversion: 1\n`;
    const values = own.map(({ path: at, id }) => ({ path: at, value: idValue(at, id) }));
    const { text, refused: problems } = setValues(start, values, INLINE_DEPTH);
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

/** An id as a YAML value; undefined to remove it. An API key's id is an integer, or text if a double cannot hold it exactly. */
function idValue(path: readonly string[], id: string | null): JsonObject[string] | undefined {
  if (id === null) return undefined;
  return path.length === 3 && Number.isSafeInteger(Number(id)) ? Number(id) : id;
}
