// The program's own version, from package.json beside the compiled code.
import { readFileSync } from 'node:fs';

export function programVersion(): string {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  const { version } = JSON.parse(text) as { version: string };
  return version;
}
