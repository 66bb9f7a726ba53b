// Protects how much a run has in flight: as many writes as it was told, whatever is being read, and 32 reads at most.
import { expect, it } from 'vitest';
import { openSession } from '../../../src/reconciler/workspace.ts';
import { answerText, rawServer, type Asked } from '../../unit/client/raw-server.ts';
import { NEVER } from '../../unit/client/world.ts';

it.each([1, 10, 64])('%d writes are in flight beside 32 reads', async (parallelism) => {
  const waiting: Asked[] = [];
  const server = await rawServer((asked) => void waiting.push(asked));
  const { client, close } = openSession({
    baseUrl: `http://127.0.0.1:${server.port}/api/v2`,
    credential: 'key',
    requestsPerMinute: Infinity,
    parallelism,
  });
  const reads = Array.from({ length: 40 }, async () =>
    client.get('/projects/p/endpoints', 'EndpointList', { signal: NEVER }),
  );
  await expect.poll(() => waiting.length).toBeGreaterThanOrEqual(32);
  const writes = Array.from({ length: parallelism }, async () => client.write('POST', '/projects/p/endpoints', {}));
  const ended = Promise.allSettled([...reads, ...writes]);
  await expect.poll(() => waiting.length).toBe(32 + parallelism);
  expect(waiting.filter(({ text }) => text.startsWith('GET'))).toHaveLength(32);
  const answered = new Set<Asked>();
  const answer = (asked: Asked): void => {
    if (!answered.has(asked)) asked.socket.write(answerText(200, '{"endpoints":[]}'));
    answered.add(asked);
  };
  await expect
    .poll(() => {
      waiting.forEach(answer);
      return answered.size;
    })
    .toBe(40 + parallelism);
  expect(new Set((await ended).map(({ status }) => status))).toEqual(new Set(['fulfilled']));
  await close();
  await server.close();
});
