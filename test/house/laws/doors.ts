// Law: npm packages and the parts of the machine come in through named doors only.
import { isBuiltin } from 'node:module';
import { machineRooms, packageRooms, packagesOfGeneratedCode, pureRooms, roomOf } from '../floor-plan.ts';
import type { SourceFile } from '../source-tree.ts';

/** Imports of packages from a room without that door, and packages that a room lets in through more than one file. */
export function packageViolations(files: readonly SourceFile[]): string[] {
  const doors = new Map<string, Set<string>>();
  const violations: string[] = [];
  for (const { path, imports } of files) {
    const room = roomOf(path).split('/')[0] ?? '';
    for (const { specifier, line } of imports) {
      if (specifier.startsWith('.') || isBuiltin(specifier)) continue;
      const name = packageOf(specifier);
      const rooms = packageRooms[name];
      const door = `${name} comes into ${room}/`;
      doors.set(door, (doors.get(door) ?? new Set()).add(path));
      if (rooms === undefined) violations.push(`${path}:${line}: no room holds a door to ${name}`);
      else if (!rooms.includes(room)) violations.push(`${path}:${line}: ${name} belongs to ${rooms.join('/, ')}/`);
    }
  }
  for (const [door, paths] of doors) {
    if (paths.size > 1) violations.push(`${door} through ${paths.size} files: ${[...paths].join(', ')}`);
  }
  return violations;
}

/** Packages of package.json that no source file imports. */
export function unusedPackages(files: readonly SourceFile[], dependencies: readonly string[]): string[] {
  const imported = new Set(files.flatMap(({ imports }) => imports.map(({ specifier }) => packageOf(specifier))));
  return dependencies.filter((name) => !imported.has(name) && !packagesOfGeneratedCode.includes(name));
}

/** Parts of the machine (files, sockets, processes) reached from a room that has no business there. */
export function machineViolations(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, imports }) =>
    imports
      .filter(({ specifier }) => isBuiltin(specifier))
      .flatMap(({ specifier, line }) => {
        const room = roomOf(path).split('/')[0] ?? '';
        if (!specifier.startsWith('node:')) return [`${path}:${line}: write node:${specifier}`];
        if (pureRooms.includes(room)) return [`${path}:${line}: ${room}/ is pure and may not import ${specifier}`];
        const rooms = machineRooms[specifier];
        return rooms === undefined || rooms.includes(room)
          ? []
          : [`${path}:${line}: ${room}/ may not import ${specifier}`];
      }),
  );
}

function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}
