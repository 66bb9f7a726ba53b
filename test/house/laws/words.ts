// Law: below the kinds nobody names a kind of resource, so that a new kind cannot need a change there.
import { roomOf, roomsWithoutKinds } from '../floor-plan.ts';
import type { SourceFile } from '../source-tree.ts';

// "computed" and "computer" are other words; `endpoint_id` is the one field of the wire that waiting needs.
const KIND_WORDS: readonly RegExp[] = [/compute(?![dr])/i, /endpoint(?!_id\b)/i, /api[\s_-]?key/i];

/** Lines of code or comment that name a kind. */
export function vocabularyViolations(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => roomsWithoutKinds.includes(roomOf(path)))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) => {
        const word = KIND_WORDS.map((pattern) => pattern.exec(line)?.[0]).find((match) => match !== undefined);
        return word === undefined ? [] : [`${path}:${index + 1}: says "${word}"`];
      }),
    );
}
