// A page of docs/ of which the program gives a part: the committed text beside the text of now.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { root } from '../architecture/source-tree.ts';

/** `text`, formatted, and the committed page at `path` from the root; UPDATE=1 writes the page first. */
export async function committedPage(path: string, text: string): Promise<{ committed: string; current: string }> {
  const file = join(root, path);
  const current = await format(text, { ...(await resolveConfig(file)), parser: 'markdown' });
  if (process.env['UPDATE'] === '1') writeFileSync(file, current);
  return { committed: pageAt(path), current };
}

export function pageAt(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}
