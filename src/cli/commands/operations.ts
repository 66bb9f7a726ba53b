// `trueup operations`: lists operations of the API, newest first.
import { listProjects } from '../../client/list-projects.ts';
import { matchesGlob } from '../../model/address.ts';
import type { OperationRecord } from '../../model/live.ts';
import { isBusy } from '../../model/operations/status.ts';
import { jsonText } from '../../render/machine/json-text.ts';
import { operationLine, operationsToJson, operationToJson, renderOperations } from '../../render/tables/operations.ts';
import type { Invocation, Run } from '../command.ts';
import { exitCodes } from '../process/exit-code.ts';
import { online, type Online } from '../session/online.ts';
import { checkOutputs, deliver } from '../output/output.ts';
import { touches } from '../session/selection.ts';
import { tableOptions } from '../session/session.ts';
import type { Settings } from '../program/settings.ts';
import { UsageError } from '../program/usage-error.ts';

export const operations: Run = async (invocation) => {
  const { io, settings, flags } = invocation;
  const limit = Number(flags['limit']);
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000)
    throw new UsageError('--limit takes a whole number from 1 to 1000');
  checkOutputs(settings);
  if (flags['follow'] === true && settings.writes.length > 0)
    throw new UsageError('--follow and --write exclude each other: --follow never has a result');
  return online(invocation, async (line) => {
    const wanted = typeof flags['project'] === 'string' ? flags['project'] : '*';
    const projectIds = await chosenProjects(line, wanted, settings);
    const look = async (): Promise<OperationRecord[]> => lookAt(line, projectIds, limit);
    const running = flags['running'] === true;
    if (flags['follow'] === true) return follow(invocation, line, { look, running });
    const found = (await look()).filter((operation) => !running || isBusy(operation));
    await deliver(io, settings, {
      human: (place) =>
        renderOperations(found, line.connection.reconciler.client.serverTime(), tableOptions(io, settings, place)),
      json: () => `${jsonText(operationsToJson(found), 2)}\n`,
    });
    return exitCodes.done;
  });
};

async function chosenProjects(
  { connection, stop }: Online,
  wanted: string,
  settings: Settings,
): Promise<readonly string[]> {
  const { projects } = await listProjects(connection.reconciler.client, stop.soft);
  const isTouched = touches(settings);
  const isWanted = (names: readonly string[]): boolean =>
    names.some((text) => matchesGlob(wanted, text)) && isTouched(names);
  const chosen = projects.filter(({ id, name }) => isWanted([id, name]));
  if (chosen.length === 0)
    throw new UsageError(`no project matches ${settings.target.length > 0 ? settings.target.join(', ') : wanted}`);
  return chosen.map(({ id }) => id);
}

async function lookAt(
  { connection, stop }: Online,
  projectIds: readonly string[],
  limit: number,
): Promise<OperationRecord[]> {
  const logs = await Promise.all(
    projectIds.map(async (id) => connection.reconciler.operations(id, { limit, signal: stop.soft })),
  );
  return logs.flatMap((log) => log.operations).sort((a, b) => (b.createdAtMs ?? 0) - (a.createdAtMs ?? 0));
}

interface Following {
  readonly look: () => Promise<OperationRecord[]>;
  /** Prints only running operations, to their end; ends when none runs. */
  readonly running: boolean;
}

/** Prints a line for each new or changed operation, until a signal or the end of the run's time. */
async function follow(
  { io, settings }: Invocation,
  { stop }: Online,
  { look, running }: Following,
): Promise<typeof exitCodes.done> {
  const seen = new Map<string, string>();
  try {
    while (!stop.soft.aborted && !io.stdout.closed()) {
      const found = await look();
      for (const operation of found.toReversed()) {
        const state = `${operation.status} ${operation.failuresCount}`;
        if (seen.get(operation.id) === state) continue;
        if (running && !isBusy(operation) && !seen.has(operation.id)) continue;
        seen.set(operation.id, state);
        const text = settings.format === 'json' ? jsonText(operationToJson(operation)) : operationLine(operation);
        await io.stdout.write(`${text}\n`);
      }
      if (running && !found.some(isBusy)) {
        if (seen.size === 0) await io.stderr.write('No operation is running.\n');
        break;
      }
      if (!io.stdout.closed()) await io.clock.sleep(settings.pollIntervalMs, stop.soft);
    }
  } catch (error) {
    // The end of --timeout is no error here.
    if (stop.code() !== null || !stop.soft.aborted) throw error;
  }
  return exitCodes.done;
}
