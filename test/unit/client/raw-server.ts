// A server that speaks bytes, so that it can answer what no proper one would.
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

export interface Asked {
  /** The request's head and body, as they came. */
  readonly text: string;
  readonly socket: Socket;
  /** From 1, over all connections. */
  readonly number: number;
  /** From 1. */
  readonly connection: number;
}

export interface RawServer {
  readonly port: number;
  readonly asked: Asked[];
  readonly mostConnections: () => number;
  close(): Promise<void>;
}

/** Listens on a free port of this machine; `answer` is called once for each whole request. */
export async function rawServer(answer: (asked: Asked) => void): Promise<RawServer> {
  const asked: Asked[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  let most = 0;
  const server = createServer((socket) => {
    const connection = ++connections;
    sockets.add(socket);
    most = Math.max(most, sockets.size);
    let pending = '';
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (chunk) => {
      pending += chunk.toString('latin1');
      for (let length = wholeLength(pending); length !== null; length = wholeLength(pending)) {
        const one: Asked = { text: pending.slice(0, length), socket, number: asked.length + 1, connection };
        pending = pending.slice(length);
        asked.push(one);
        answer(one);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    mostConnections: () => most,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function wholeLength(text: string): number | null {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const bodyLength = Number(/^content-length: (\d+)/im.exec(text.slice(0, headEnd))?.[1] ?? 0);
  const length = headEnd + 4 + bodyLength;
  return text.length >= length ? length : null;
}

/** A proper answer. */
export function answerText(status: number, body: string, ...headers: string[]): string {
  const lines = [
    `HTTP/1.1 ${status} X`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  return [...lines, ...headers, '', body].join('\r\n');
}
