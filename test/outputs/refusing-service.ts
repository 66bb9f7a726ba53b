// A service that answers every request with 401, for the tests of one file.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';

/** Listens while the tests of the file run. Returns its base URL, once they do. */
export function refusingService(): () => string {
  const server = createServer((_, response) => {
    response.writeHead(401, { 'content-type': 'application/json' }).end('{"code":"","message":"no such key"}');
  });
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => {
    server.close();
  });
  return () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v2`;
}
