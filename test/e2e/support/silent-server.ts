// A server that says nothing and counts who knocks: proof that a run which was refused has sent nothing.
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

export interface SilentServer {
  readonly baseUrl: string;
  /** Resolves with the first connection. */
  readonly knocked: Promise<void>;
  /** Stops and tells how many connections were made. */
  close(): Promise<number>;
}

/** Hangs up on everybody, or lets them wait for ever. */
export async function silentServer({ hangsUp = true }: { readonly hangsUp?: boolean } = {}): Promise<SilentServer> {
  const guests: Socket[] = [];
  let knock: () => void = () => undefined;
  const knocked = new Promise<void>((resolve) => {
    knock = resolve;
  });
  const server = createServer((socket) => {
    guests.push(socket);
    socket.on('error', () => undefined);
    socket.resume();
    if (hangsUp) socket.destroy();
    knock();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/api/v2`,
    knocked,
    close: async () =>
      new Promise((resolve) => {
        server.close(() => resolve(guests.length));
        for (const guest of guests) guest.destroy();
      }),
  };
}
