// A working folder of one project of a server: its file, its credential, and the program run there.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { World } from '../../../src/control-plane/index.ts';
import type { LedgerEntry } from '../../../src/control-plane/core/store.ts';
import { stateOf } from '../../support/state.ts';
import { newFolder, start, type Ended, type Running, type StartOptions } from './program.ts';
import type { Server } from './server.ts';

export interface Desk {
  readonly folder: string;
  readonly projectId: string;
  path(name: string): string;
  /** The path of a program outside of the folder, as the operator's own are. */
  tool(name: string): string;
  /** The path of what the program keeps for this folder. */
  state(name: string): string;
  /** Writes trueup.yaml: the computes of the project as flow mappings by name, and further text on the top level. */
  wish(computes: Readonly<Record<string, string>>, more?: string): void;
  write(name: string, text: string): void;
  /** The text of a file, empty when there is none. */
  read(name: string): string;
  start(args: readonly string[], options?: Partial<StartOptions>): Running;
  run(args: readonly string[], options?: Partial<StartOptions>): Promise<Ended>;
  ledger(): Promise<readonly LedgerEntry[]>;
}

/** A larger primary. */
export const RESIZE = { primary: 'branch: main, autoscaling_limit_max_cu: 2' };

const BRANCHES = ['main', 'staging', 'dev', 'test'] as const;

/** A world of these projects, each with four branches and a primary (0.25 CU, idle) on main. */
export function worldOf(...names: readonly string[]): World {
  return {
    version: 1,
    projects: names.map((name) => ({
      id: idOf(name),
      name,
      branches: BRANCHES.map((branch) => ({ id: `br-${name}-${branch}`, name: branch, default: branch === 'main' })),
      computes: [{ id: `ep-${name}-main`, branch: 'main', created_at: '-1d' }],
    })),
  };
}

function idOf(name: string): string {
  return `${name}-000001`;
}

/** A folder for the project `name` of the server's world. */
export function openDesk(server: Server, name: string): Desk {
  const [folder, tools] = [newFolder(name), newFolder('tools')];
  const env = { TRUEUP_API_KEY: server.key, TRUEUP_BASE_URL: server.baseUrl };
  const path = (file: string): string => resolve(folder, file);
  const begin: Desk['start'] = (args, options = {}) =>
    start(args, { cwd: folder, ...options, env: { ...env, ...options.env } });
  return {
    folder,
    projectId: idOf(name),
    path,
    tool: (file) => join(tools, file),
    state: (file) => join(stateOf(folder), file),
    wish(computes, more = '') {
      writeFileSync(path('trueup.yaml'), wishText(name, computes, more));
    },
    write: (file, text) => writeFileSync(path(file), text),
    read: (file) => (existsSync(path(file)) ? readFileSync(path(file), 'utf8') : ''),
    start: begin,
    run: async (args, options) => begin(args, options).ended,
    ledger: async () => server.ledger(idOf(name)),
  };
}

function wishText(name: string, computes: Readonly<Record<string, string>>, more: string): string {
  const branches = BRANCHES.map((branch) => `${branch}: br-${name}-${branch}`).join(', ');
  const lines = Object.entries(computes).map(([label, attributes]) => `      ${label}: { ${attributes} }\n`);
  const body = lines.length === 0 ? '' : `    computes:\n${lines.join('')}`;
  return `version: 1\n${more}projects:\n  ${name}:\n    branches: { ${branches} }\n${body}`;
}

/** What the ledger says was done, without ids that the service chose: `POST compute`, `PATCH compute`, … */
export function deeds(entries: readonly LedgerEntry[]): readonly string[] {
  return entries.map(({ verb, kind }) => `${verb} ${kind}`);
}
