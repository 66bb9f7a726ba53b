// Law: a file imports from lower floors or its own room, and no chain of imports comes back to where it began.
import { posix } from 'node:path';
import { floorOf, annex, mayImport, roomOf } from '../floor-plan.ts';
import type { SourceFile } from '../source-tree.ts';

/** Imports that go up, sideways, or into or out of the annex by the wrong door. */
export function layerViolations(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => {
    const room = roomOf(file.path);
    if (room !== annex.room && floorOf(room) === undefined)
      return [`${file.path}: the floor plan has no room "${room}"`];
    return targetsOf(file)
      .filter(({ target }) => !mayImport(room, roomOf(target)))
      .map(({ target, line }) => `${file.path}:${line}: ${room} may not import ${roomOf(target)} (${target})`);
  });
}

/** Every ring of imports, each told once, beginning with its first file in the alphabet. */
export function cycleViolations(files: readonly SourceFile[]): string[] {
  const targets = new Map(files.map((file) => [file.path, targetsOf(file).map(({ target }) => target)]));
  const done = new Set<string>();
  const rings = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    const seenAt = trail.indexOf(path);
    if (seenAt >= 0) rings.add(ringText(trail.slice(seenAt)));
    if (seenAt >= 0 || done.has(path)) return;
    for (const target of targets.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of [...targets.keys()].sort()) visit(path, []);
  return [...rings].sort();
}

function ringText(ring: readonly string[]): string {
  const first = ring.indexOf([...ring].sort()[0] ?? '');
  const turned = [...ring.slice(first), ...ring.slice(0, first)];
  return [...turned, turned[0]].join(' -> ');
}

function targetsOf(file: SourceFile): { readonly target: string; readonly line: number }[] {
  return file.imports
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ specifier, line }) => ({ target: posix.join(posix.dirname(file.path), specifier), line }))
    .filter(({ target }) => !target.startsWith('..'));
}
