// The planted defects: each a mistake that somebody could make, as one replacement in one file of src/ or of the action.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const folder = join(import.meta.dirname, 'defects');

/**
 * All of them, in the order of their files. `from` stands exactly once in `file`; with `to` in its place, one of `tests` (of the
 * ring named) must fail; `named` picks some of them by their names. Throws for an entry that says less.
 */
export function plantedDefects() {
  const names = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  return names.sort().flatMap((name) =>
    parse(readFileSync(join(folder, name), 'utf8')).map((defect) => {
      const { file, from, to, ring, tests } = defect;
      const isWhole = [defect.name, file, from, to, ring].every((part) => typeof part === 'string' && part !== '');
      if (!isWhole || from === to || !(tests?.length > 0)) throw new Error(`${name}: ${defect.name} is incomplete`);
      return defect;
    }),
  );
}

/** `text` with the defect planted; throws when its place is not there exactly once. */
export function plant(defect, text) {
  const pieces = text.split(defect.from);
  if (pieces.length !== 2)
    throw new Error(`${defect.name}: ${defect.file} has its place ${pieces.length - 1} times, not once`);
  return pieces.join(defect.to);
}
