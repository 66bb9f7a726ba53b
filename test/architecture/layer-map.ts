// The layer map of src/: the packages of each layer, and which of them import each npm package and Node module.

/** Packages by layer, the lowest first. A file imports from lower layers or its own package, never from another package of its layer. */
export const layers: readonly (readonly string[])[] = [
  ['base'],
  ['model', 'api'],
  ['config', 'plan', 'client', 'render'],
  ['apply'],
  ['kinds'],
  ['reconciler'],
  ['cli'],
];

/** The local server imports only these packages, and only these packages import it. */
export const localServer = { folder: 'control-plane', mayUse: ['base', 'api'], usedBy: ['cli'] } as const;

/** The layers inside the local server, the lowest first. A file imports from lower layers or its own folder. */
export const serverLayers: readonly (readonly string[])[] = [
  ['core'],
  ['resources'],
  ['api', 'store', 'world'],
  ['faults'],
  ['control-plane.ts'],
  ['console', 'postgres'],
  ['serve'],
  ['index.ts'],
];

/** Packages whose folders are packages of their own: one kind never imports another. */
const dividedPackages: readonly string[] = ['kinds'];

/** Folders without any effect: no I/O, clock, chance, environment or package. */
export const purePackages: readonly string[] = ['model', 'plan'];

/** Folders that never name a kind of resource. */
export const packagesWithoutKinds: readonly string[] = [
  'base',
  'model',
  'config',
  'plan',
  'apply',
  'client',
  'render',
  'reconciler',
];

/** The packages that import each npm package, each in one file. The CLI and the local server have separate ones. */
export const npmImporters: Readonly<Record<string, readonly string[]>> = {
  '@hono/node-server': ['control-plane'],
  commander: ['cli'],
  diff: ['render'],
  'fast-string-width': ['render'],
  hono: ['control-plane'],
  libsql: ['control-plane'],
  'lossless-json': ['base'],
  pg: ['control-plane'],
  picocolors: ['render'],
  'p-retry': ['client'],
  undici: ['client'],
  yaml: ['config', 'control-plane'],
};

/** Packages that only generated code imports (the validators' run-time parts). */
export const npmOfGeneratedCode: readonly string[] = ['ajv'];

/** The packages that may import each Node module. Every impure package may import a module that is not listed (paths, URLs, hashes). */
export const nodeImporters: Readonly<Record<string, readonly string[]>> = {
  'node:child_process': ['apply', 'cli', 'control-plane'],
  'node:dns': ['client'],
  'node:fs': ['base', 'config', 'apply', 'reconciler', 'cli', 'control-plane'],
  'node:fs/promises': ['base', 'config', 'apply', 'reconciler', 'cli', 'control-plane'],
  'node:http': ['control-plane'],
  'node:https': ['control-plane'],
  'node:net': ['client', 'control-plane', 'cli'],
  'node:os': ['apply', 'cli', 'control-plane'],
  'node:process': ['apply', 'cli', 'control-plane'],
  'node:readline': ['cli'],
  'node:readline/promises': ['cli'],
  'node:timers': ['base'],
  'node:timers/promises': ['base'],
  'node:tls': ['client', 'control-plane'],
  'node:tty': ['cli'],
  'node:worker_threads': [],
};

/** The only files that read the machine's clock or its randomness. */
export const clockFiles: readonly string[] = ['base/time/clock.ts'];
export const chanceFiles: readonly string[] = ['base/random.ts'];

/** The package of a path below src/: `kinds/compute/diff.ts` lives in `kinds/compute`. */
export function packageOf(path: string): string {
  const parts = path.split('/');
  const first = parts[0] ?? '';
  return dividedPackages.includes(first) && parts.length > 2 ? `${first}/${parts[1]}` : first;
}

/** The layer of a package; undefined for the local server and for packages that the map does not know. */
export function layerOf(folder: string): number | undefined {
  const top = folder.split('/')[0] ?? folder;
  const layer = layers.findIndex((folders) => folders.includes(top));
  return layer < 0 ? undefined : layer;
}

/** May a file of package `from` import a file of package `to`? */
export function mayImport(from: string, to: string): boolean {
  if (from === to) return true;
  if (from === localServer.folder) return (localServer.mayUse as readonly string[]).includes(to);
  if (to === localServer.folder) return (localServer.usedBy as readonly string[]).includes(from);
  const [fromLayer, toLayer] = [layerOf(from), layerOf(to)];
  if (fromLayer === undefined || toLayer === undefined) return false;
  if (toLayer !== fromLayer) return toLayer < fromLayer;
  // Inside a divided package, the registry imports every folder. A folder imports shared files and the registry's level, never a neighbour.
  if (from.split('/')[0] !== to.split('/')[0]) return false;
  return to.endsWith('/shared') || (!(from.includes('/') && to.includes('/')) && !from.endsWith('/shared'));
}
