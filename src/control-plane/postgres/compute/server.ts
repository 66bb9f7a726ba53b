// One running Postgres: started on a folder, watched, reloaded and stopped.
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { waitAtMost } from '../../../base/time/clock.ts';
import { startDaemon, type Machine } from '../machine/machine.ts';
import { requireOwn } from '../machine/places.ts';
import { connectSql, type Connect } from '../sql/client.ts';
import { writeSettings, type Settings } from './settings.ts';

export interface Server {
  readonly folder: string;
  readonly port: number;
  /** The settings with which it started. */
  readonly settings: Settings;
  readonly ended: Promise<void>;
  readonly connect: Connect;
  reload(settings: Settings): void;
  /** Stops Postgres, by force if a clean shutdown takes too long. Resolves when the process is gone. */
  stop(): Promise<void>;
}

const KEPT_LINES = 40;
const TOLD_LINES = 4;
const START_MS = 60_000;
/** Milliseconds to wait after SIGINT (fast shutdown) and SIGQUIT (immediate shutdown); then the server is killed. */
const STOP_MS = [8000, 4000] as const;
const COMPLAINT = /^(?:FATAL|PANIC|ERROR|DETAIL|HINT): /;
const READY = /database system is ready to accept (?:read-only |read only )?connections/;

/** Starts Postgres on `folder`; resolves once it accepts connections. Throws ServerError, WorksError (untrusted folder). */
export async function startServer(
  machine: Machine,
  { folder, port, settings }: Pick<Server, 'folder' | 'port' | 'settings'>,
): Promise<Server> {
  const { programs, user, clock, places } = machine;
  requireOwn(folder, user);
  const configFile = join(places.run, `${port}.conf`);
  writeSettings(machine, configFile, settings);
  const program = join(programs.bin, 'postgres');
  const args = ['-D', folder, '-c', `config_file=${configFile}`];
  const { child, ended, isUp } = startDaemon(machine, program, args, 'pipe');
  if (child.pid === undefined) throw new ServerError([`${program} cannot be run`]);
  const stop = async (): Promise<void> => {
    for (const [at, signal] of (['SIGINT', 'SIGQUIT', 'SIGKILL'] as const).entries()) {
      if (!isUp()) break;
      child.kill(signal);
      await waitAtMost(clock, STOP_MS[at] ?? START_MS, ended);
    }
    await ended;
  };
  const log = listen(child);
  const isReady = await Promise.race([log.ready, waitAtMost(clock, START_MS, ended)]);
  if (isReady !== true) {
    await stop();
    throw new ServerError(log.lines);
  }
  return {
    folder,
    port,
    settings,
    ended,
    connect: (database) => connectSql(machine, port, database),
    reload: (settings) => {
      writeSettings(machine, configFile, settings);
      child.kill('SIGHUP');
    },
    stop,
  };
}

export class ServerError extends Error {
  readonly log: readonly string[];

  constructor(log: readonly string[]) {
    const complaints = log.filter((line) => COMPLAINT.test(line));
    const told = complaints.length > 0 ? complaints : log;
    super(`Postgres did not start: ${told.slice(-TOLD_LINES).join('; ') || 'it said nothing'}`);
    this.name = 'ServerError';
    this.log = log;
  }
}

function listen(child: ChildProcess): { readonly lines: readonly string[]; readonly ready: Promise<true> } {
  const lines: string[] = [];
  const ready = new Promise<true>((resolve) => {
    let begun = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      const whole = (begun + text).split('\n');
      begun = whole.pop() ?? '';
      lines.push(...whole);
      lines.splice(0, lines.length - KEPT_LINES);
      if (whole.some((line) => READY.test(line))) resolve(true);
    });
  });
  return { lines, ready };
}
