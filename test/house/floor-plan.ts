// The floor plan of src/: which room stands on which floor, and who holds the door to each npm package and each part of the machine.

/** Rooms from the ground up. A file imports from lower floors or its own room; rooms of one floor do not import each other. */
export const floors: readonly (readonly string[])[] = [
  ['base'],
  ['model', 'api'],
  ['config', 'plan', 'client', 'render'],
  ['apply'],
  ['kinds'],
  ['reconciler'],
  ['cli'],
];

/** A room beside the house: it may use only these rooms, and only these rooms may use it. */
export const annex = { room: 'control-plane', mayUse: ['base', 'api'], usedBy: ['cli'] } as const;

/** Rooms whose folders are rooms of their own: one kind never imports another. */
const dividedRooms: readonly string[] = ['kinds'];

/** Rooms without any effect: no I/O, clock, chance, environment or package. */
export const pureRooms: readonly string[] = ['model', 'plan'];

/** Rooms that never name a kind of resource. */
export const roomsWithoutKinds: readonly string[] = [
  'base',
  'model',
  'config',
  'plan',
  'apply',
  'client',
  'render',
  'reconciler',
];

/** The rooms that hold a door to each npm package; in each of them, one file imports it. House and annex each have their own. */
export const packageRooms: Readonly<Record<string, readonly string[]>> = {
  '@hono/node-server': ['control-plane'],
  commander: ['cli'],
  diff: ['render'],
  'fast-string-width': ['render'],
  hono: ['control-plane'],
  libsql: ['control-plane'],
  'lossless-json': ['base'],
  'p-retry': ['client'],
  pg: ['control-plane'],
  picocolors: ['render'],
  undici: ['client'],
  yaml: ['config', 'control-plane'],
};

/** Packages that only generated code imports (the validators' run-time parts). */
export const packagesOfGeneratedCode: readonly string[] = ['ajv'];

/** The rooms that may reach each part of the machine; what is not listed here (paths, urls, hashes) is open to all impure rooms. */
export const machineRooms: Readonly<Record<string, readonly string[]>> = {
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

/** The room of a path below src/: `kinds/compute/diff.ts` lives in `kinds/compute`. */
export function roomOf(path: string): string {
  const parts = path.split('/');
  const first = parts[0] ?? '';
  return dividedRooms.includes(first) && parts.length > 2 ? `${first}/${parts[1]}` : first;
}

/** The floor of a room, or undefined for the annex and for rooms that the plan does not know. */
export function floorOf(room: string): number | undefined {
  const top = room.split('/')[0] ?? room;
  const floor = floors.findIndex((rooms) => rooms.includes(top));
  return floor < 0 ? undefined : floor;
}

/** May a file of room `from` import a file of room `to`? */
export function mayImport(from: string, to: string): boolean {
  if (from === to) return true;
  if (from === annex.room) return (annex.mayUse as readonly string[]).includes(to);
  if (to === annex.room) return (annex.usedBy as readonly string[]).includes(from);
  const [fromFloor, toFloor] = [floorOf(from), floorOf(to)];
  if (fromFloor === undefined || toFloor === undefined) return false;
  if (toFloor !== fromFloor) return toFloor < fromFloor;
  // Inside a divided room: the registry may see every folder, and a folder what is shared or lies beside the folders, never a neighbour.
  if (from.split('/')[0] !== to.split('/')[0]) return false;
  return to.endsWith('/shared') || (!(from.includes('/') && to.includes('/')) && !from.endsWith('/shared'));
}
