// `trueup operations`: lists operations of the API, newest first.
import { listProjects } from '../../client/pages.ts';
import { matchesGlob } from '../../model/address.ts';
import type { OperationRecord } from '../../model/live.ts';
import { isBusy } from '../../model/operations/operation.ts';
import { jsonPage, jsonText } from '../../render/machine/diagnostics-json.ts';
import { operationLine, operationToJson, renderOperations } from '../../render/tables/operations.ts';
import type { Invocation, Run } from '../command.ts';
import { exitCodes, UsageError } from '../process/exit-code.ts';
import { online, type Online } from '../session/online.ts';
import { deliver } from '../output/output.ts';
import { touches } from '../session/selection.ts';
import { tableOptions } from '../session/session.ts';

export const run: Run = async (invocation) => {
  const { settings, flags } = invocation;
  const limit = Number(flags['limit'] ?? 20);
  const running = flags['running'] === true;
  if (flags['follow'] === true && settings.writes.length > 0)
    throw new UsageError('--follow and --write exclude each other: --follow never has a result');
  return online(invocation, async (line) => {
    const { reconciler } = line.connection;
    const projectIds = await chosenProjects(invocation, line);
    const look = async (): Promise<OperationRecord[]> => {
      const logs = await Promise.all(
        projectIds.map(async (id) => reconciler.operations(id, { limit, signal: line.stop.soft })),
      );
      return logs.flatMap((log) => log.operations).sort((a, b) => (b.createdAtMs ?? 0) - (a.createdAtMs ?? 0));
    };
    if (flags['follow'] === true) await follow(invocation, line, look, running);
    else {
      const found = (await look()).filter((operation) => !running || isBusy(operation));
      await deliver(invocation, {
        human: (place) => renderOperations(found, reconciler.client.serverTime(), tableOptions(invocation, place)),
        json: () => jsonPage({ operations: found.map(operationToJson) }),
      });
    }
    return exitCodes.done;
  });
};

async function chosenProjects(
  { flags, settings }: Invocation,
  { connection, stop }: Online,
): Promise<readonly string[]> {
  const wanted = String(flags['project'] ?? '*');
  const { projects } = await listProjects(connection.reconciler.client, stop.soft);
  const isTouched = touches(settings);
  const chosen = projects.filter(({ id, name }) => {
    const names = [id, name];
    return names.some((text) => matchesGlob(wanted, text)) && isTouched(names);
  });
  if (chosen.length === 0)
    throw new UsageError(`no project matches ${settings.target.length > 0 ? settings.target.join(', ') : wanted}`);
  return chosen.map(({ id }) => id);
}

async function follow(
  { io, settings }: Invocation,
  { stop }: Online,
  look: () => Promise<OperationRecord[]>,
  running: boolean,
): Promise<void> {
  const seen = new Map<string, string>();
  try {
    while (!stop.soft.aborted && !io.stdout.closed()) {
      const found = await look();
      for (const operation of found.toReversed()) {
        const state = `${operation.status} ${operation.failuresCount}`;
        const isOld = running && !isBusy(operation) && !seen.has(operation.id);
        if (isOld || seen.get(operation.id) === state) continue;
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
    // With --follow, the user expects the end at --timeout, so it is not an error.
    if (stop.code() !== null || !stop.soft.aborted) throw error;
  }
}
