// Writes the floor plan in the linter's words, so that an editor draws a red line under a wrong import while it is typed.
import { annex, floors, machineRooms, mayImport, packageRooms, pureRooms } from './floor-plan.ts';

/** One entry of `overrides` in .oxlintrc.json. */
export interface LintOverride {
  readonly files: readonly string[];
  readonly rules: Readonly<Record<string, readonly unknown[]>>;
}

const rooms: readonly string[] = [...floors.flat(), annex.room];

/** Globals that nobody touches but the room named: what they give comes in as a parameter. */
const globals: Readonly<Record<string, readonly string[]>> = {
  console: [],
  fetch: [],
  performance: ['base'],
  process: ['cli'],
  setImmediate: ['base'],
  setInterval: ['base'],
  setTimeout: ['base'],
};

/** The layer rules of every room, in the order of the floor plan. */
export function layerOverrides(): LintOverride[] {
  return rooms.map((room) => ({
    files: [`src/${room}/**`],
    rules: {
      'no-restricted-globals': ['error', ...closedGlobals(room)],
      'no-restricted-imports': ['error', { patterns: closedImports(room) }],
    },
  }));
}

function closedGlobals(room: string): string[] {
  return Object.keys(globals).filter((name) => globals[name]?.includes(room) !== true);
}

function closedImports(room: string): { regex: string; message: string }[] {
  const closedRooms = rooms.filter((other) => !mayImport(room, other));
  const closedPackages = Object.keys(packageRooms).filter((name) => packageRooms[name]?.includes(room) !== true);
  const closedParts = pureRooms.includes(room)
    ? ['node:.*']
    : Object.keys(machineRooms).filter((name) => machineRooms[name]?.includes(room) !== true);
  return [
    ...(closedRooms.length === 0 ? [] : [rule(above(closedRooms), 'import from lower floors or your own room')]),
    rule(`^(${closedPackages.join('|')})(/|$)`, 'another room holds the door to this package'),
    rule(`^(${closedParts.join('|')})$`, 'this room does not reach that part of the machine'),
  ];
}

/** A relative path that climbs out of the room and enters one of the closed rooms. */
function above(closed: readonly string[]): string {
  return `^(\\.\\./)+(${closed.join('|')})/`;
}

function rule(regex: string, message: string): { regex: string; message: string } {
  return { regex, message };
}
