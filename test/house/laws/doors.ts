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

/** What reads a file, whatever lies at its name. */
const OPENERS = /\b(?:readFile|readFileSync|open|openSync|createReadStream|openAsBlob)\b/;
/** The module that opens what people name, the one for what survives a crash, the writer, and readers of what the system or this package brings. */
const OPENING: readonly string[] = [
  'base/files/plain-file.ts',
  'apply/folder/file-system.ts',
  'cli/process/files.ts',
  'apply/journal/processes.ts',
  'cli/process/version.ts',
  'cli/authoring/shipped-schema.ts',
];

/** Files outside of the annex that open others by themselves: bounds, links and pipes are judged in one place. */
export function openingViolations(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => !OPENING.includes(path) && !path.startsWith('control-plane/'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/import \{([^}]*)\} from 'node:fs(?:\/promises)?'/g)]
        .filter(([, names = '']) => OPENERS.test(names))
        .map(() => `${path}: open it by base/files/plain-file.ts`),
    );
}

function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}
