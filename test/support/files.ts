// Loads texts as if they were files: a folder in memory, the real loader and the real kinds.
import type { FileReader } from '../../src/config/files/read-files.ts';
import { loadDesired, type LoadInput, type LoadResult } from '../../src/config/load.ts';
import { kinds } from '../../src/kinds/index.ts';
import type { DesiredState } from '../../src/model/desired.ts';
import type { Diagnostic } from '../../src/model/diagnostic.ts';

export interface Given {
  readonly paths?: readonly string[];
  readonly overlays?: readonly string[];
  /** Content by path, relative to the working folder. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly variables?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly variableFiles?: readonly string[];
  readonly safetyFiles?: readonly string[];
  readonly stdin?: () => Promise<Uint8Array>;
  readonly reader?: FileReader;
  readonly maxEntries?: number;
}

/** The working folder. */
export const HOME = '/home';

/** The loader and its kinds: those of the sources, unless a program of its own brings others. */
interface Loader {
  readonly loadDesired: typeof loadDesired;
  readonly kinds: typeof kinds;
}

/** Loads one text as `trueup.yaml`. */
export async function loadText(text: string | Uint8Array, given: Given = {}): Promise<LoadResult> {
  return load({ ...given, paths: given.paths ?? ['trueup.yaml'], files: { ...given.files, 'trueup.yaml': text } });
}

export async function load(given: Given, loader: Loader = { loadDesired, kinds }): Promise<LoadResult> {
  const files = given.files ?? {};
  const input: LoadInput = {
    paths: given.paths ?? Object.keys(files),
    overlays: given.overlays ?? [],
    cwd: HOME,
    stdin: given.stdin ?? (async () => new Uint8Array()),
    variables: {
      flags: new Map(Object.entries(given.variables ?? {})),
      env: new Map(Object.entries(given.env ?? {})),
      files: given.variableFiles ?? [],
    },
    safetyFiles: given.safetyFiles ?? [],
    kinds: loader.kinds,
    files: given.reader ?? folderOf(files),
    maxEntries: given.maxEntries,
  };
  return loader.loadDesired(input);
}

/** The state that one file declares. Throws with everything that is wrong with it. */
export async function desiredOf(yaml: string, loader?: Loader): Promise<DesiredState> {
  const { desired, diagnostics } = await load({ files: { 'trueup.yaml': yaml } }, loader);
  if (desired === null) throw new Error(diagnostics.map(({ code, message }) => `${code}: ${message}`).join('\n'));
  return desired;
}

/** The working folder, in memory. */
export function folderOf(files: Readonly<Record<string, string | Uint8Array>>): FileReader {
  const paths = new Map(Object.entries(files).map(([path, content]) => [`${HOME}/${path}`, bytesOf(content)]));
  const missing = (path: string): Error => Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' });
  return {
    async isFolder(path) {
      if (paths.has(path)) return false;
      if ([...paths.keys()].some((known) => known.startsWith(`${path}/`))) return true;
      throw missing(path);
    },
    realPath: async (path) => path,
    async readdir(path) {
      const below = [...paths.keys()].filter((known) => known.startsWith(`${path}/`));
      return [...new Set(below.map((known) => known.slice(path.length + 1).split('/')[0] ?? ''))];
    },
    async readFile(path) {
      const file = paths.get(path);
      if (file === undefined) throw missing(path);
      return file;
    },
  };
}

export function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? new TextEncoder().encode(content) : content;
}

/** `code line:column` (with the file when it is not trueup.yaml), one a diagnostic. */
export function brief({ diagnostics }: LoadResult): readonly string[] {
  return diagnostics.map(briefOf);
}

function briefOf({ code, range, severity }: Diagnostic): string {
  const place = range === undefined ? '-' : `${range.start.line}:${range.start.column}`;
  const file = range === undefined || range.file === 'trueup.yaml' ? '' : `${range.file}:`;
  return `${severity === 'warning' ? '(warning) ' : ''}${code} ${file}${place}`;
}
