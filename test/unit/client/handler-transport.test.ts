// Protects the classes of failures over a handler in this process, which must be those of a network.
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { handlerTransport, type Handler } from '../../../src/client/http/handler-transport.ts';
import type { HttpResponse } from '../../../src/client/types.ts';
import type { HttpMethod } from '../../../src/client/failure.ts';
import { BASE_URL, NEVER } from './world.ts';

function send(handler: Handler, method: HttpMethod = 'POST', signal: AbortSignal = NEVER): Promise<HttpResponse> {
  const clock = new VirtualClock();
  const transport = handlerTransport(handler, { baseUrl: BASE_URL, clock, limits: { writeBytes: 1000 } });
  return clock.run(
    transport({ method, path: '/things?x=1', headers: { a: 'b' }, body: method === 'GET' ? null : '{}', signal }),
  );
}

function failing(afterBytes: number, more: ResponseInit = {}): Response {
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent++ < afterBytes) controller.enqueue(Uint8Array.of(0x20));
      else controller.error(new Error('reset'));
    },
  });
  return new Response(body, more);
}

describe('handlerTransport', () => {
  it.each<[string, unknown, string, string]>([
    ['a refused connection', { code: 'ECONNREFUSED', sent: false }, 'not_sent', 'ECONNREFUSED'],
    ['a reset before the first byte', { code: 'ECONNRESET', sent: false }, 'not_sent', 'ECONNRESET'],
    ['a reset after it', { code: 'ECONNRESET', sent: true }, 'ambiguous', 'ECONNRESET'],
    ['an error that does not say', {}, 'ambiguous', ''],
  ])('%s', async (_name, facts, failureClass, code) => {
    const handler: Handler = () => Promise.reject(Object.assign(new Error('broken'), facts));
    await expect(send(handler)).rejects.toMatchObject({ failureClass, code });
  });

  it('a refusal stays one although its body breaks', async () => {
    const answer = await send(() => failing(3, { status: 429, headers: { 'retry-after': '3' } }));
    expect(answer).toMatchObject({ status: 429, text: '', headers: { 'retry-after': '3' } });
  });

  it('an answer that never comes is ambiguous after the time allowed', async () => {
    const clock = new VirtualClock();
    const transport = handlerTransport(() => new Promise<Response>(() => {}), { baseUrl: BASE_URL, clock });
    const sending = transport({ method: 'POST', path: '/x', headers: {}, body: null, signal: NEVER });
    await expect(clock.run(sending)).rejects.toMatchObject({ failureClass: 'ambiguous', code: 'ETIMEDOUT' });
    expect(clock.monotonicMs()).toBe(60_000);
  });
});
