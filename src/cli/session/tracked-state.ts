// Commands that read the tool's own folder refuse one that came with a commit: whoever opens a pull request would write their memory.
import { join, relative } from 'node:path';
import { nodeFileSystem } from '../../apply/folder/file-system.ts';
import { STATE_FOLDER } from '../../apply/folder/state-folder.ts';
import { trackedState } from '../../apply/folder/tracked-state.ts';
import { UsageError } from '../program/usage-error.ts';

/** Throws UsageError when git tracks anything in `.trueup/` of the working folder, or in another `folder` that this run keeps things in. */
export async function refuseTrackedState(cwd: string, folder: string | null = null): Promise<void> {
  const own = join(cwd, STATE_FOLDER);
  const folders = folder === null || !relative(own, folder).startsWith('..') ? [own] : [own, folder];
  for (const path of folders) {
    const problem = await trackedState(nodeFileSystem, path);
    if (problem === null) continue;
    const shown = relative(cwd, path) || path;
    throw new UsageError(
      `${shown} may hold what somebody committed: ${problem}`,
      `What lies there is this machine's own and is never read from a commit: look at it, then run \`git rm -r --cached ${shown}\` and commit that.`,
      'tracked_state',
    );
  }
}
