// Preloaded into every process of the run: connections beyond this machine are refused, and written down.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { isIP, Socket } from 'node:net';
import process from 'node:process';

const connect = Socket.prototype.connect;

Socket.prototype.connect = function connectOnLoopback(...args) {
  const destination = destinationOf(args);
  if (destination === undefined) return connect.apply(this, args);
  const log = process.env.CLIENTS_REFUSED_LOG;
  if (log !== undefined) appendFileSync(log, `${destination}\n`);
  process.nextTick(() => this.destroy(new Error(`refused: ${destination} is beyond loopback`)));
  return this;
};

/** Destinations beyond loopback that any process of this run tried to reach. */
export function refusedConnections() {
  const log = process.env.CLIENTS_REFUSED_LOG;
  return existsSync(log) ? readFileSync(log, 'utf8').split('\n').filter(Boolean) : [];
}

/** Where the connection would go, if beyond loopback. */
function destinationOf(args) {
  // Node hands on its own normalised arguments as one array.
  const [first, second] = Array.isArray(args[0]) ? args[0] : args;
  const options =
    typeof first === 'object' && first !== null
      ? first
      : { port: first, host: typeof second === 'string' ? second : undefined };
  if (options.path !== undefined && options.port === undefined) return undefined;
  const host = options.host ?? 'localhost';
  return isLoopback(host) ? undefined : `${host}:${options.port ?? ''}`;
}

function isLoopback(host) {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
