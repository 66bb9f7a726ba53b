// The built program behind a proxy: it asks the proxy for a way to the service, and sends nothing else.
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, expect, it, onTestFinished, vi } from 'vitest';
import { cleanUp, newFolder, start } from './support/program.ts';

// Processes are slow to start on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

afterAll(cleanUp);

it.each(['http://127.0.0.1:PORT', '127.0.0.1:PORT'])('HTTPS_PROXY=%s is asked for a tunnel', async (proxyAddress) => {
  let ask: (request: string) => void = () => undefined;
  const asked = new Promise<string>((resolve) => {
    ask = resolve;
  });
  const proxy = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (bytes) => ask(bytes.toString('latin1')));
  });
  await new Promise<void>((resolve) => {
    proxy.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void proxy.close());
  const { port } = proxy.address() as AddressInfo;
  const ping = start(['ping'], {
    cwd: newFolder(),
    env: {
      TRUEUP_API_KEY: 'confidential',
      TRUEUP_BASE_URL: 'https://api.example.com/api/v2',
      HTTPS_PROXY: proxyAddress.replace('PORT', String(port)),
    },
  });
  const ended = ping.ended.then(({ err }) => err);
  const request = await Promise.race([asked, ended]);
  ping.signal('SIGKILL');
  expect(request).toMatch(/^CONNECT api\.example\.com:443 HTTP\/1\.1\r\n/);
  expect(request).not.toContain('confidential');
  await ended;
});
