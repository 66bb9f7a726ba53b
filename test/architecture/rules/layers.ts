// Rule: a file imports from lower layers or its own package, and no imports form a cycle.
import { posix } from 'node:path';
import { layerOf, localServer, mayImport, packageOf, serverLayers } from '../layer-map.ts';
import type { SourceFile } from '../source-tree.ts';

/** Imports of a higher layer, of another package of the same layer, or across the border of the local server. */
export function layerViolations(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => {
    const folder = packageOf(file.path);
    if (folder !== localServer.folder && layerOf(folder) === undefined)
      return [`${file.path}: the layer map has no package "${folder}"`];
    return targetsOf(file)
      .filter(({ target }) => !mayImport(folder, packageOf(target)))
      .map(({ target, line }) => `${file.path}:${line}: ${folder} may not import ${packageOf(target)} (${target})`);
  });
}

/** Imports inside the local server that go up, or across to another folder of the same layer. */
export function serverViolations(files: readonly SourceFile[]): string[] {
  const folderIn = (path: string): string => path.split('/')[1] ?? '';
  const layerIn = (folder: string): number => serverLayers.findIndex((folders) => folders.includes(folder));
  return files
    .filter(({ path }) => packageOf(path) === localServer.folder)
    .flatMap((file) => {
      const folder = folderIn(file.path);
      if (layerIn(folder) < 0) return [`${file.path}: the local server has no layer "${folder}"`];
      return targetsOf(file)
        .filter(({ target }) => packageOf(target) === localServer.folder && folderIn(target) !== folder)
        .filter(({ target }) => layerIn(folderIn(target)) >= layerIn(folder))
        .map(({ target, line }) => `${file.path}:${line}: ${folder} may not import ${folderIn(target)} (${target})`);
    });
}

/** Every cycle of imports, each reported once, beginning with its first file in the alphabet. */
export function cycleViolations(files: readonly SourceFile[]): string[] {
  const targets = new Map(files.map((file) => [file.path, targetsOf(file).map(({ target }) => target)]));
  const done = new Set<string>();
  const cycles = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    const seenAt = trail.indexOf(path);
    if (seenAt >= 0) cycles.add(cycleText(trail.slice(seenAt)));
    if (seenAt >= 0 || done.has(path)) return;
    for (const target of targets.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of [...targets.keys()].sort()) visit(path, []);
  return [...cycles].sort();
}

function cycleText(cycle: readonly string[]): string {
  const first = cycle.indexOf([...cycle].sort()[0] ?? '');
  const turned = [...cycle.slice(first), ...cycle.slice(0, first)];
  return [...turned, turned[0]].join(' -> ');
}

function targetsOf(file: SourceFile): { readonly target: string; readonly line: number }[] {
  return file.imports
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ specifier, line }) => ({ target: posix.join(posix.dirname(file.path), specifier), line }))
    .filter(({ target }) => !target.startsWith('..'));
}
