// A working folder with a service of its own, at which the commands of the program with the invented kinds are run in memory.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VirtualClock } from '../support/virtual-clock.ts';
import { fakeIo, testClock } from '../support/fake-io.ts';
import { BASE_URL, closeProgram, openProgram, type Program } from './program.ts';
import { Service } from './service.ts';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** Requests of this command. */
  readonly wire: readonly string[];
  /** Mutations that were committed meanwhile, as `verb kind name`. */
  readonly ledger: readonly string[];
}

export interface SyntheticDesk {
  readonly cwd: string;
  readonly clock: VirtualClock;
  readonly service: Service;
  run(...argv: readonly string[]): Promise<Ran>;
  /** The same at a terminal, where somebody answers what is asked. */
  answering(answers: readonly string[], ...argv: readonly string[]): Promise<Ran>;
  write(name: string, text: string): void;
  read(name: string): string;
}

let program: Promise<Program> | null = null;
const folders: string[] = [];

async function theProgram(): Promise<Program> {
  return (program ??= openProgram());
}

/** For `afterAll`: removes the folders, and gives the next file the program as it is. */
export function leave(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  program = null;
  closeProgram();
}

export interface DeskOptions {
  readonly columns?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** With `trueup.yaml`, unless it is null. */
export async function syntheticDesk(
  file: string | null,
  { columns = 80, env = {} }: DeskOptions = {},
): Promise<SyntheticDesk> {
  const { main, serve } = await theProgram();
  const cwd = mkdtempSync(join(tmpdir(), 'trueup-synthetic-'));
  folders.push(cwd);
  const clock = testClock();
  const service = new Service(clock);
  const write = (name: string, text: string): void => writeFileSync(join(cwd, name), text);
  if (file !== null) write('trueup.yaml', file);
  const answering: SyntheticDesk['answering'] = async (answers, ...argv) => {
    serve(service);
    const [wireFrom, ledgerFrom] = [service.wire.length, service.ledger.length];
    const settings = { TRUEUP_API_KEY: 'secret', TRUEUP_BASE_URL: BASE_URL, ...env };
    const io = fakeIo({ cwd, clock, columns, env: settings, ...(answers.length === 0 ? {} : { answers }) });
    const code = await clock.run(main(argv, io));
    return {
      code,
      out: io.out(),
      err: io.err(),
      wire: service.wire.slice(wireFrom),
      ledger: service.ledger.slice(ledgerFrom).map(({ verb, kind, name }) => `${verb} ${kind} ${name}`),
    };
  };
  return {
    cwd,
    clock,
    service,
    write,
    read: (name) => readFileSync(join(cwd, name), 'utf8'),
    run: async (...argv) => answering([], ...argv),
    answering,
  };
}
