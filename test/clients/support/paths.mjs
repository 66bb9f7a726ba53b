// Where things lie: the project, this folder, and the packages installed in it.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const clientsFolder = dirname(dirname(fileURLToPath(import.meta.url)));
export const root = dirname(dirname(clientsFolder));
export const trueupBin = join(root, 'dist', 'cli', 'bin.js');
export const installed = (...parts) => join(clientsFolder, 'node_modules', ...parts);

/** The version of a package in this folder's node_modules; undefined where it is not installed. */
export function installedVersion(name) {
  try {
    return JSON.parse(readFileSync(installed(name, 'package.json'), 'utf8')).version;
  } catch {
    return undefined;
  }
}

/** Imports an installed package by the file that it names as its entry. */
export function load(name, entry) {
  return import(pathToFileURL(installed(name, entry)).href);
}
