// Serves all computes on one port: finds and starts the compute that a client names, then forwards bytes.
import { messageOf } from '../../../base/error-code.ts';
import { once } from 'node:events';
import { connect as connectTo, createServer, type AddressInfo, type Socket } from 'node:net';
import { TLSSocket, createSecureContext, type SecureContext } from 'node:tls';
import type { Clock } from '../../../base/time/clock.ts';
import { isLoopback, plainAddress } from '../../api/hosts.ts';
import { DatabaseError } from '../../resources/compute/connections.ts';
import type { KeyPair } from './certificate.ts';
import { enter, refuseOwn, type Entered, type Gate } from './gate.ts';
import {
  Replies,
  errorPacket,
  firstPacket,
  forwarded,
  startupPacket,
  wantedOf,
  type FirstPacket,
  type FoundPacket,
} from './protocol.ts';

export interface RouterOptions {
  readonly host: string;
  readonly port: number;
  readonly certificate: KeyPair;
  readonly gate: Gate;
}

export interface Router {
  readonly port: number;
  /** When a client of the compute last sent or received data; the current time while a query or transaction is open. */
  lastUseMs(computeId: string): number | undefined;
  close(): Promise<void>;
}

const HANDSHAKE_MS = 30_000;
const ALPN = ['postgresql'];

export async function openRouter(options: RouterOptions): Promise<Router> {
  const { host, port, certificate, gate } = options;
  const context = createSecureContext(certificate);
  const sessions = new Sessions(gate.engine.clock);
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: false, noDelay: true }, (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    void serveClient(socket, { ...options, context, sessions });
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    lastUseMs: (computeId) => sessions.lastUseMs(computeId),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

interface Serving extends RouterOptions {
  readonly context: SecureContext;
  readonly sessions: Sessions;
}

/** Serves one client. A failed negotiation closes the connection; after a later failure, the client gets an error. */
async function serveClient(raw: Socket, serving: Serving): Promise<void> {
  const stopTimer = serving.gate.machine.clock.after(HANDSHAKE_MS, () => raw.destroy());
  try {
    const { socket, packet } = await negotiate(raw, serving.context);
    stopTimer();
    if (packet.kind === 'cancel') await serving.sessions.cancel(packet.key, packet.packet);
    if (packet.kind === 'startup') await route(socket, packet, serving);
    else socket.end();
  } catch {
    raw.destroy();
  } finally {
    stopTimer();
  }
}

async function negotiate(
  raw: Socket,
  context: SecureContext,
): Promise<{ readonly socket: Socket; readonly packet: FirstPacket }> {
  let socket = raw;
  for (;;) {
    const { packet, rest } = await nextPacket(socket);
    if (packet.kind === 'gss') socket.write('N');
    else if (packet.kind === 'ssl' || packet.kind === 'tls') {
      if (socket !== raw) throw new Error('encryption within encryption');
      if (packet.kind === 'tls') raw.unshift(rest);
      // An attacker may have inserted plaintext before the TLS handshake.
      else if (rest.length > 0) throw new Error('data before the handshake');
      else raw.write('S');
      socket = await secured(raw, context);
    } else {
      if (rest.length > 0) socket.unshift(rest);
      return { socket, packet };
    }
  }
}

function nextPacket(socket: Socket): Promise<FoundPacket> {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0);
    const done = (): void => {
      socket.off('data', take);
      socket.off('close', gone);
      socket.pause();
    };
    const gone = (): void => {
      done();
      reject(new Error('the client left'));
    };
    const take = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk]);
      const found = firstPacket(bytes);
      if (found === undefined) return;
      done();
      resolve(found);
    };
    socket.on('data', take);
    socket.on('close', gone);
    socket.resume();
  });
}

function secured(raw: Socket, context: SecureContext): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = new TLSSocket(raw, { isServer: true, secureContext: context, ALPNProtocols: ALPN });
    socket.once('secure', () => resolve(socket));
    socket.on('error', () => raw.destroy());
    raw.once('close', () => reject(new Error('the client left')));
  });
}

async function route(
  socket: Socket,
  { version, parameters }: FirstPacket & { readonly kind: 'startup' },
  { gate, sessions }: Serving,
): Promise<void> {
  const serverName = socket instanceof TLSSocket ? serverNameOf(socket) : undefined;
  try {
    requireEncryption(socket);
    refuseOwn(parameters);
    const wanted = wantedOf(parameters, serverName);
    const entered = await enter(gate, wanted, plainAddress(socket.remoteAddress));
    if (!socket.destroyed) sessions.join(socket, entered, startupPacket(version, forwarded(parameters)));
  } catch (error) {
    const isOurs = error instanceof DatabaseError;
    socket.end(errorPacket(isOurs ? error.sqlstate : '58000', messageOf(error)));
  }
}

/** Refuses plaintext from other machines, because passwords and rows must be encrypted on a network. */
function requireEncryption(socket: Socket): void {
  if (socket instanceof TLSSocket || isLoopback(plainAddress(socket.remoteAddress))) return;
  throw new DatabaseError('28000', 'the connection is not encrypted: connect with sslmode=require');
}

/** The host name from the TLS handshake, a property that the types do not declare. */
function serverNameOf(socket: TLSSocket & { readonly servername?: unknown }): string | undefined {
  return typeof socket.servername === 'string' ? socket.servername : undefined;
}

class Sessions {
  readonly #clock: Clock;
  readonly #replies: Map<string, Set<Replies>> = new Map();
  readonly #lastUseMs: Map<string, number> = new Map();
  readonly #byKey: Map<string, string> = new Map();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  lastUseMs(computeId: string): number | undefined {
    for (const replies of this.#replies.get(computeId) ?? []) if (!replies.isIdle) return this.#clock.nowMs();
    return this.#lastUseMs.get(computeId);
  }

  join(client: Socket, { computeId: id, socket: path }: Entered, hello: Buffer): void {
    const replies = new Replies();
    const used = (): void => void this.#lastUseMs.set(id, this.#clock.nowMs());
    const open = this.#replies.get(id) ?? new Set();
    this.#replies.set(id, open.add(replies));
    const server = connectTo(path);
    server.on('data', (chunk: Buffer) => {
      used();
      const told = replies.follow(chunk);
      if (replies.cancelKey !== undefined) this.#byKey.set(replies.cancelKey, path);
      if (client.write(told)) return;
      server.pause();
      client.once('drain', () => server.resume());
    });
    client.on('data', () => {
      used();
      replies.isIdle = false;
    });
    const end = (): void => {
      open.delete(replies);
      if (replies.cancelKey !== undefined) this.#byKey.delete(replies.cancelKey);
      client.end();
      server.destroy();
    };
    server.on('error', () => client.end(errorPacket('57P03', 'the endpoint does not take connections just now')));
    server.once('close', end);
    client.once('close', end);
    server.write(hello);
    client.pipe(server);
  }

  async cancel(key: string, packet: Buffer): Promise<void> {
    const path = this.#byKey.get(key);
    if (path === undefined) return;
    const server = connectTo(path).resume();
    // The server closes the connection first: pgbouncer 1.18 aborts if the client has closed its half before.
    server.write(packet);
    await once(server, 'close').catch(() => undefined);
  }
}
