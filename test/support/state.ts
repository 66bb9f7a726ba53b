// Where a run in a test keeps things: below its own folder, which is its HOME as well, and never below anybody else's.
import { stateFolderFor } from '../../src/apply/file-system.ts';

/** The state folder of the working folder `cwd`, as a run has it whose HOME is `home`. */
export function stateOf(cwd: string, home: string = cwd): string {
  const folder = stateFolderFor(cwd, { HOME: home });
  if (folder === null) throw new Error(`${home} is no folder`);
  return folder;
}
