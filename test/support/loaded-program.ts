// The program with the code of all its commands at hand: loaded while a command runs, it would look like standing still.
import { readdirSync } from 'node:fs';

const code = new URL('../../src/', import.meta.url);
/** What commands load when they need it, besides each its own. */
const others = ['cli/output/failure.ts', 'cli/session/local.ts'];
const commands = readdirSync(new URL('cli/commands/', code), { encoding: 'utf8', recursive: true })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => `cli/commands/${file}`);
await Promise.all([...commands, ...others].map(async (file): Promise<unknown> => import(new URL(file, code).href)));

export { main } from '../../src/cli/main.ts';
