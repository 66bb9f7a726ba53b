// Checks the names and folders of file sinks: no name leads out of the secrets folder, and no other user may write to the folders in it.
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { ensureFolder, type FileSystem } from '../file-system.ts';

const SEGMENT = /^[A-Za-z0-9_][A-Za-z0-9._@+=-]{0,99}$/;
const MAX_SEGMENTS = 8;

export function fileNameProblem(name: string): string | null {
  const segments = name.split('/');
  if (segments.length <= MAX_SEGMENTS && segments.every((segment) => SEGMENT.test(segment))) return null;
  if (name.startsWith('/') || segments.includes('..') || name.includes('\\'))
    return 'the name must not lead out of the secrets folder';
  return 'use letters, digits and ._@+=-, with / between folders; each part begins with a letter, a digit or _';
}

export interface SecretPlace {
  /** The secrets folder; all paths here are absolute. */
  readonly base: string;
  readonly folder: string;
  readonly path: string;
  readonly workDir: string;
}

export function secretPlace(name: string, secretsDir: string, workDir: string): SecretPlace {
  const base = resolve(workDir, secretsDir);
  const path = join(base, ...name.split('/'));
  return { base, folder: dirname(path), path, workDir };
}

interface FolderOnTheWay {
  readonly path: string;
  /** `own` (in the secrets folder): no symlink, and not writable by others · `fixed` (in the working folder): no symlink · `free`: no check. */
  readonly rule: 'free' | 'fixed' | 'own';
}

/** Returns the folders above the file, from the top down. A symlink in the working folder is refused, because it may come from a repository. */
function foldersOnTheWay(place: SecretPlace): readonly FolderOnTheWay[] {
  const folders: FolderOnTheWay[] = [];
  for (let path = place.folder; dirname(path) !== path; path = dirname(path)) {
    if (path === place.workDir) break;
    const own = !outside(place.base, path);
    const fixed = !outside(place.workDir, path);
    folders.unshift({ path, rule: own ? 'own' : fixed ? 'fixed' : 'free' });
  }
  return folders;
}

function outside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);
}

/** `missing`: the folder does not exist (only without `make`) · `refused`: `reason` says why nothing may be stored there. */
type FolderState = { readonly state: 'ready' | 'missing' } | { readonly state: 'refused'; readonly reason: string };

/** Checks every folder above the file; `make` creates missing ones (mode 0700). Rejects with system errors. */
export async function openFolder(fileSystem: FileSystem, place: SecretPlace, make: boolean): Promise<FolderState> {
  for (const { path, rule } of foldersOnTheWay(place)) {
    let facts = await fileSystem.facts(path);
    if (facts === null) {
      if (!make) return { state: 'missing' };
      await ensureFolder(fileSystem, path);
      facts = await fileSystem.facts(path);
    }
    if (rule === 'free') continue;
    const reason = refusal(facts, rule);
    if (reason !== null) return { state: 'refused', reason: `its folder ${relative(place.workDir, path)} ${reason}` };
  }
  return { state: 'ready' };
}

function refusal(facts: Awaited<ReturnType<FileSystem['facts']>>, rule: 'fixed' | 'own'): string | null {
  if (facts === null) return 'was deleted while trueup used it';
  if (facts.type === 'symlink') return 'is a symlink; name the real folder';
  if (facts.type !== 'folder') return 'is not a folder';
  if (rule === 'own' && (facts.mode & 0o022) !== 0)
    return `is writable by other users (mode ${facts.mode.toString(8).padStart(4, '0')}); run chmod 700 on it`;
  return null;
}
