// What the tests of the transport share: a raw server with a transport to it, and ways to answer badly.
import { afterAll } from 'vitest';
import { systemClock } from '../../../src/base/time/clock.ts';
import type { ExchangeLimits } from '../../../src/client/http/exchange.ts';
import { ApiFailure, type FailureClass, type HttpMethod } from '../../../src/client/failure.ts';
import { undiciTransport, type Transport, type TransportOptions } from '../../../src/client/http/transport.ts';
import type { HttpRequest, HttpResponse } from '../../../src/client/types.ts';
import { answerText, rawServer, type Asked, type RawServer } from './raw-server.ts';
import { NEVER } from './world.ts';

/** Limits that a test can live through. */
export const LIMITS: Partial<ExchangeLimits> = {
  connectMs: 800,
  headersMs: 250,
  idleMs: 250,
  totalMs: 900,
  readBytes: 20_000,
  writeBytes: 10_000,
};

export const open: { close(): Promise<void> }[] = [];
afterAll(async () => {
  for (const one of open.splice(0)) await one.close();
});

export async function serve(
  answer: (asked: Asked) => void,
  options: Partial<TransportOptions> = {},
): Promise<{ server: RawServer; transport: Transport }> {
  const server = await rawServer(answer);
  const baseUrl = `http://127.0.0.1:${server.port}/api/v2`;
  const transport = undiciTransport({ baseUrl, clock: systemClock, limits: LIMITS, ...options });
  open.push(transport, server);
  return { server, transport };
}

export function request(method: HttpMethod, more: Partial<HttpRequest> = {}): HttpRequest {
  const body = method === 'GET' ? null : '{"a":1}';
  return { method, path: '/things', headers: { authorization: 'Bearer canary-1' }, body, signal: NEVER, ...more };
}

export function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

export type Outcome = FailureClass | number;

export async function outcomeOf(
  sending: Promise<HttpResponse>,
): Promise<{ outcome: Outcome; code: string; message: string; text: string }> {
  return sending.then(
    ({ status, text }) => ({ outcome: status, code: '', message: '', text }),
    (error: unknown) => {
      if (!(error instanceof ApiFailure)) throw error;
      return { outcome: error.failureClass, code: error.code, message: error.message, text: '' };
    },
  );
}

export const write =
  (...texts: (string | Buffer)[]) =>
  ({ socket }: Asked): void => {
    for (const text of texts) socket.write(text);
  };
export const writeAndEnd =
  (text: string | Buffer) =>
  ({ socket }: Asked): void =>
    void socket.end(text);

/** Writes `text` again and again until the socket is closed. */
export const repeat =
  (head: string, text: string | Buffer, everyMs: number) =>
  ({ socket }: Asked): void => {
    socket.write(head);
    const timer = setInterval(() => socket.write(text), everyMs);
    socket.on('close', () => clearInterval(timer));
  };

export const OK = answerText(200, '{"a":1}');
