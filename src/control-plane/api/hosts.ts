// Checks the Host header: after DNS rebinding, a foreign page reaches this machine but still sends its own host name.
import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Thrown when options would expose the server to other machines unsafely and do not allow that explicitly. */
export class ExposedHostError extends Error {
  constructor(host: string, ways: string = 'give a TLS key pair, or allow plain HTTP explicitly') {
    super(`${host} is reachable from other machines: ${ways}`);
    this.name = 'ExposedHostError';
  }
}

export type HostCheck = (header: string | undefined, localAddress: string | undefined) => boolean;

const NAME = /^[a-z0-9]([a-z0-9._-]{0,251}[a-z0-9])?$/;

/** Makes a check that allows loopback, `host`, `further` and the local address in a Host header. Throws RangeError. */
export function hostCheck(host: string, further: readonly string[] = []): HostCheck {
  const own = ['127.0.0.1', 'localhost', '[::1]', inHeader(host)];
  const names = new Set([...own, ...further.map(requireName)]);
  return (header, localAddress) => {
    const name = (header ?? '').toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
    return names.has(name) || (localAddress !== undefined && name === inHeader(plainAddress(localAddress)));
  };
}

/** False unless the request target is a path, or a URL with the origin of the Host header, which `hostCheck` checks. */
export function isForItsHost({ url: target = '', headers, socket }: IncomingMessage): boolean {
  if (target.startsWith('/')) return true;
  const scheme = 'encrypted' in socket ? 'https' : 'http';
  const own = `${scheme}://${headers.host ?? ''}`;
  return URL.canParse(target) && URL.canParse(own) && new URL(target).origin === new URL(own).origin;
}

function requireName(text: string): string {
  const name = text.toLowerCase();
  if (isIPv6(name)) return inHeader(name);
  if (!NAME.test(name))
    throw new RangeError(`${JSON.stringify(text)} is no host name; it stands without scheme and port`);
  return name;
}

export function inHeader(host: string): string {
  const name = host.toLowerCase();
  return name.includes(':') ? `[${name}]` : name;
}

export function plainAddress(address: string | undefined): string {
  return (address ?? '').replace(/^::ffff:/, '');
}
