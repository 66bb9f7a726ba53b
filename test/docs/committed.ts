// A page of docs/ that is generated: the committed text beside the text of now.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { root } from '../architecture/source-tree.ts';

/** `text`, formatted, and the committed page at `path` from the root; UPDATE=1 writes the page first. */
export async function committedPage(
  path: string,
  text: string,
): Promise<{ readonly committed: string; readonly current: string }> {
  const file = join(root, path);
  const current = await format(text, { ...(await resolveConfig(file)), parser: 'markdown' });
  if (process.env['UPDATE'] === '1') {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, current);
  }
  return { committed: existsSync(file) ? readFileSync(file, 'utf8') : '', current };
}
