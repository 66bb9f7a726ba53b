// `trueup ping`: checks URL, credential and reachability with one request.
import type { ProjectList } from '../../api/index.ts';
import type { Json } from '../../base/json.ts';
import { ApiFailure } from '../../client/failure.ts';
import { problemOf } from '../output/failure.ts';
import { jsonText } from '../../render/machine/diagnostics-json.ts';
import type { Run } from '../command.ts';
import { exitCodes } from '../process/exit-code.ts';
import { online } from '../session/online.ts';
import { deliver } from '../output/output.ts';

export const run: Run = async (invocation) => {
  const { io } = invocation;
  return online(invocation, async ({ connection, stop }) => {
    const { client } = connection.reconciler;
    const { baseUrl } = client;
    const answer = async (json: Json, words: string): Promise<void> =>
      deliver(invocation, { human: () => words, json: () => `${jsonText(json)}\n` });
    const startedAtMs = io.clock.monotonicMs();
    try {
      await client.get<ProjectList>('/projects', 'ProjectList', { query: { limit: 1 }, signal: stop.soft });
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      await answer({ ok: false, base_url: baseUrl, status: error.status, reason: error.message }, '');
      const { hint } = problemOf(error);
      await io.stderr.write(`error: ${error.message}\n${hint === undefined ? '' : `  ${hint}\n`}`);
      return exitCodes.error;
    }
    const milliseconds = Math.round(io.clock.monotonicMs() - startedAtMs);
    await answer(
      { ok: true, base_url: baseUrl, milliseconds },
      `ok: ${baseUrl} accepts the credential (${milliseconds} ms)\n`,
    );
    return exitCodes.done;
  });
};
