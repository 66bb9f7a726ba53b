// Turns a failed connection into words for people and a code for programs.
import { isCertificateCode, PROXY_WANTS_CREDENTIALS } from '../pace.ts';

export const TIMED_OUT = 'ETIMEDOUT';

const TIMEOUT_CODES: ReadonlySet<string> = new Set([
  TIMED_OUT,
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

const WORDS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be looked up',
  ECONNREFUSED: 'nothing accepts connections there',
  ECONNRESET: 'the connection was reset',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  UND_ERR_CONNECT_TIMEOUT: 'the connection could not be made in time',
  UND_ERR_HEADERS_TIMEOUT: 'the answer did not begin in time',
  UND_ERR_BODY_TIMEOUT: 'the answer stopped in the middle',
  UND_ERR_SOCKET: 'the connection was closed',
  UND_ERR_DESTROYED: 'the client has been closed',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too large',
};

/** Keyed by the library's message, because a refused reply has the same code as any closed connection. */
const REFUSED_REPLIES: Readonly<Record<string, string>> = {
  'bad response':
    'the connection was closed: the server sent an unexpected interim reply, such as 100 Continue (bad response)',
  'bad upgrade': 'the connection was closed: the server switched to a protocol of its own choice (bad upgrade)',
};

const NO_TUNNEL = /^Proxy (?:response|Authentication Required) \((\d{3})\)/;

/** Describes a network error. `code` is `ETIMEDOUT` after every timeout; `words` never quote what was sent or received. */
export function describeNetworkError(error: unknown): { readonly code: string; readonly words: string } {
  const { code: raw, message } = firstOf(error);
  const status = NO_TUNNEL.exec(message)?.[1];
  if (status === '407')
    return { code: PROXY_WANTS_CREDENTIALS, words: 'the proxy asks for credentials (407): write them in its URL' };
  if (status !== undefined) return { code: raw, words: `the proxy refuses the connection to the service (${status})` };
  const code = TIMEOUT_CODES.has(raw) ? TIMED_OUT : raw;
  if (isCertificateCode(raw)) return { code, words: `the certificate of the host is not trusted (${message || raw})` };
  // Replaces the library's text, which names a thread, a function and a line of its source.
  if (raw.startsWith('ERR_SSL_') || message.includes(':SSL routines:'))
    return {
      code,
      words: `the answer is not TLS; is there a proxy in between, or does the host use http://? (${raw})`,
    };
  const known = REFUSED_REPLIES[message] ?? WORDS[raw];
  if (known !== undefined)
    return { code, words: message.includes(raw) || message === '' ? `${known} (${message || raw})` : known };
  // The message of the HTTP parser names the broken rule without quoting bytes.
  return { code, words: message || raw || 'the connection failed' };
}

/** Returns the first error of a connection attempt to several addresses, which fails with one error that contains all others. */
function firstOf(error: unknown): { code: string; message: string } {
  if (!(error instanceof Error)) return { code: '', message: '' };
  const inner = error instanceof AggregateError ? (error.errors as unknown[])[0] : undefined;
  const source: Error & { code?: unknown } = inner instanceof Error ? inner : error;
  return { code: typeof source.code === 'string' ? source.code : '', message: source.message };
}
