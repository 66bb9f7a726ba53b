// Rule: only the packages that the layer map names import npm packages and Node modules.
import { isBuiltin } from 'node:module';
import { nodeImporters, npmImporters, npmOfGeneratedCode, purePackages, packageOf } from '../layer-map.ts';
import type { SourceFile } from '../source-tree.ts';

/** npm packages imported by a package that the map does not name, or by more than one file of a package. */
export function npmViolations(files: readonly SourceFile[]): string[] {
  const importers = new Map<string, Set<string>>();
  const violations: string[] = [];
  for (const { path, imports } of files) {
    const folder = packageOf(path).split('/')[0] ?? '';
    for (const { specifier, line } of imports) {
      if (specifier.startsWith('.') || isBuiltin(specifier)) continue;
      const name = npmPackageOf(specifier);
      const folders = npmImporters[name];
      const importer = `${name} is imported by ${folder}/`;
      importers.set(importer, (importers.get(importer) ?? new Set()).add(path));
      if (folders === undefined) violations.push(`${path}:${line}: no package imports ${name}`);
      else if (!folders.includes(folder))
        violations.push(`${path}:${line}: ${name} belongs to ${folders.join('/, ')}/`);
    }
  }
  for (const [importer, paths] of importers) {
    if (paths.size > 1) violations.push(`${importer} in ${paths.size} files: ${[...paths].join(', ')}`);
  }
  return violations;
}

/** Packages of package.json that no source file imports. */
export function unusedPackages(files: readonly SourceFile[], dependencies: readonly string[]): string[] {
  const imported = new Set(files.flatMap(({ imports }) => imports.map(({ specifier }) => npmPackageOf(specifier))));
  return dependencies.filter((name) => !imported.has(name) && !npmOfGeneratedCode.includes(name));
}

/** Node modules (files, sockets, processes) imported by a package that the map does not name. */
export function nodeViolations(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, imports }) =>
    imports
      .filter(({ specifier }) => isBuiltin(specifier))
      .flatMap(({ specifier, line }) => {
        const folder = packageOf(path).split('/')[0] ?? '';
        if (!specifier.startsWith('node:')) return [`${path}:${line}: write node:${specifier}`];
        if (purePackages.includes(folder))
          return [`${path}:${line}: ${folder}/ is pure and may not import ${specifier}`];
        const folders = nodeImporters[specifier];
        return folders === undefined || folders.includes(folder)
          ? []
          : [`${path}:${line}: ${folder}/ may not import ${specifier}`];
      }),
  );
}

/** Functions that read a file, whatever lies at its name. */
const OPENERS = /\b(?:readFile|readFileSync|open|openSync|createReadStream|openAsBlob)\b/;
/** The module that opens files that users name, the one for the state folder, the writer, and readers of system and shipped files. */
const OPENING: readonly string[] = [
  'base/files/plain-file.ts',
  'apply/file-system.ts',
  'cli/process/files.ts',
  'apply/journal/lock.ts',
  'cli/process/files.ts',
  'cli/authoring/shipped-schema.ts',
];

/** Files outside the local server that open other files themselves: one module checks bounds, links and pipes. */
export function openingViolations(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => !OPENING.includes(path) && !path.startsWith('control-plane/'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/import \{([^}]*)\} from 'node:fs(?:\/promises)?'/g)]
        .filter(([, names = '']) => OPENERS.test(names))
        .map(() => `${path}: open it by base/files/plain-file.ts`),
    );
}

function npmPackageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}
