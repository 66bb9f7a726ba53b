// Writes the layer map as rules of the linter, so that an editor marks a wrong import while you type it.
import { localServer, layers, nodeImporters, mayImport, npmImporters, purePackages } from './layer-map.ts';

/** One entry of `overrides` in .oxlintrc.json. */
export interface LintOverride {
  readonly files: readonly string[];
  readonly rules: Readonly<Record<string, readonly unknown[]>>;
}

const folders: readonly string[] = [...layers.flat(), localServer.folder];

/** Globals that only the listed packages use; every other package takes them as a parameter. */
const globals: Readonly<Record<string, readonly string[]>> = {
  console: [],
  fetch: [],
  performance: ['base'],
  process: ['cli'],
  setImmediate: ['base'],
  setInterval: ['base'],
  setTimeout: ['base'],
};

/** The layer rules of every package, in the order of the layer map. */
export function layerOverrides(): LintOverride[] {
  return folders.map((folder) => ({
    files: [`src/${folder}/**`],
    rules: {
      'no-restricted-globals': ['error', ...closedGlobals(folder)],
      'no-restricted-imports': ['error', { patterns: closedImports(folder) }],
    },
  }));
}

function closedGlobals(folder: string): string[] {
  return Object.keys(globals).filter((name) => globals[name]?.includes(folder) !== true);
}

function closedImports(folder: string): { regex: string; message: string }[] {
  const closedFolders = folders.filter((other) => !mayImport(folder, other));
  const closedPackages = Object.keys(npmImporters).filter((name) => npmImporters[name]?.includes(folder) !== true);
  const closedParts = purePackages.includes(folder)
    ? ['node:.*']
    : Object.keys(nodeImporters).filter((name) => nodeImporters[name]?.includes(folder) !== true);
  return [
    ...(closedFolders.length === 0 ? [] : [rule(above(closedFolders), 'import from lower layers or your own package')]),
    rule(`^(${closedPackages.join('|')})(/|$)`, 'another package imports this npm package'),
    rule(`^(${closedParts.join('|')})$`, 'this package does not import that Node module'),
  ];
}

/** A relative path that leaves the package and enters one of the closed packages. */
function above(closed: readonly string[]): string {
  return `^(\\.\\./)+(${closed.join('|')})/`;
}

function rule(regex: string, message: string): { regex: string; message: string } {
  return { regex, message };
}
