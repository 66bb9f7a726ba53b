// The kept inputs: each once broke a law or is the shortest known way to something; all of them are judged in every run of the tests.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, 'corpus');

export type Kind = 'files' | 'replies' | 'names';

/** Texts by the name of their file, in the order of the names. */
export function kept(kind: Kind): readonly (readonly [name: string, text: string])[] {
  const names = readdirSync(join(folder, kind)).filter((name) => name.endsWith('.txt'));
  return names.toSorted().map((name) => [name, readFileSync(join(folder, kind, name), 'utf8')] as const);
}

/** Keeps a text that broke a law, under a name of its own. */
export function keepFound(kind: Kind, text: string): void {
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 12);
  writeFileSync(join(folder, kind, `found-${digest}.txt`), text);
}

/** Keeps a text as the example of `what`, unless there is a shorter one; not one that looks like a credential. */
export function keepShortest(kind: Kind, what: string, text: string): void {
  const path = join(folder, kind, `${what}.txt`);
  if (what === 'secret_in_file' || (existsSync(path) && statSync(path).size <= Buffer.byteLength(text))) return;
  rmSync(path, { force: true });
  writeFileSync(path, text);
}
