// How far a path may lead: into the working folder, or into the folder that a path which leaves it names, and never into what the system makes up.
import { dirname, isAbsolute, resolve, sep } from 'node:path';

/** True for the folder itself and for what lies below it. Both absolute. */
export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

/**
 * The folders (absolute, perhaps by way of links) in which the file or folder that people call `named` has to lie once all links are followed.
 * Within the working folder that is the working folder. Beyond it, it is the file's own folder; and where the path begins with `..`, what
 * that leads to: the rest of it came with a commit, as the working folder did.
 */
export function foldersAround(cwd: string, named: string, kind: 'file' | 'folder'): readonly string[] {
  const path = resolve(cwd, named);
  if (isWithin(cwd, path)) return [cwd];
  const own = kind === 'file' ? [dirname(path)] : [];
  return isAbsolute(named) ? own : [...own, resolve(cwd, /^(?:\.\.?(?:[\\/]+|$))*/.exec(named)?.[0] ?? '.')];
}

/** True for what is no file that anybody wrote: processes, devices, and what the system tells of itself. Memory with names is fine. */
export function isOfSystem(real: string): boolean {
  return /^\/(?:proc|sys|dev)(?:\/|$)/.test(real) && !real.startsWith('/dev/shm/');
}
