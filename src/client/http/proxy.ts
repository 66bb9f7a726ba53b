// Checks the base URL, and chooses the proxy for requests to the service from the proxy variables, by the rules of curl.
import { BlockList, isIP, isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';
import { inert } from '../../base/text/inert.ts';

type ProxyChoice =
  | { readonly proxy: string | null }
  /** `variable` has a value that cannot be used; `problem` never quotes the value. */
  | { readonly variable: string; readonly problem: string };

type Variables = Readonly<Record<string, string | undefined>>;

export function proxyFor(baseUrl: string, variables: Variables): ProxyChoice {
  const target = new URL(baseUrl);
  const variable = firstSet(variables, namesFor(target.protocol, variables));
  if (variable === null) return { proxy: null };
  const bypass = firstSet(variables, ['no_proxy', 'NO_PROXY']);
  const isSpared = bypass === null ? false : spares(variables[bypass] ?? '', target);
  if (isSpared === null && bypass !== null)
    return { variable: bypass, problem: 'an entry with `/` in it is not a network such as 10.0.0.0/8' };
  if (isSpared === true) return { proxy: null };
  const parsed = parseProxy(variables[variable] ?? '');
  if ('problem' in parsed) return { variable, ...parsed };
  if (target.protocol === 'http:' && parsed.proxy.startsWith('http:') && !isLoopbackUrl(parsed.proxy))
    return {
      variable,
      problem: `the credential would cross the network unencrypted; add ${target.hostname} to NO_PROXY`,
    };
  return parsed;
}

/** In a CGI program, a request can set HTTP_PROXY by a header, so only the lower-case name counts there. */
function namesFor(protocol: string, { REQUEST_METHOD: method }: Variables): readonly string[] {
  if (protocol === 'https:') return ['https_proxy', 'HTTPS_PROXY'];
  return method === undefined ? ['http_proxy', 'HTTP_PROXY'] : ['http_proxy'];
}

function firstSet(variables: Variables, names: readonly string[]): string | null {
  return names.find((name) => (variables[name] ?? '') !== '') ?? null;
}

/** The default port of a proxy, as in curl, except for a URL that starts with https://. */
const DEFAULT_PORT = '1080';

function parseProxy(text: string): { readonly proxy: string } | { readonly problem: string } {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase() ?? null;
  if (scheme !== null && scheme !== 'http' && scheme !== 'https')
    return { problem: 'the URL of the proxy must start with http:// or https://' };
  const written = scheme === null ? `http://${text}` : text;
  const authority = /^[a-z]+:\/\/([^/?#]*)/i.exec(written)?.[1] ?? '';
  const isPlain = /^[\x21-\x7e]+$/.test(text) && !text.includes('\\') && !/[/?#].*@/.test(written.slice(8));
  if (!isPlain || authority === '' || !URL.canParse(written) || !isDecodable(new URL(written)))
    return {
      problem: 'it is not the address of a proxy, such as http://proxy.example.com:3128 or proxy.example.com:3128',
    };
  const url = new URL(written);
  if (!/:\d+$/.test(authority) && scheme !== 'https') url.port = DEFAULT_PORT;
  return { proxy: url.href };
}

function isDecodable({ username, password }: URL): boolean {
  try {
    return decodeURIComponent(username + password) !== null;
  } catch {
    return false;
  }
}

/** True if an entry of NO_PROXY matches the target; null if an entry is malformed. */
function spares(list: string, { hostname, port, protocol }: URL): boolean | null {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const at = { host, port: Number(port) || (protocol === 'https:' ? 443 : 80) };
  const found = list.split(/[\s,]+/).flatMap((entry) => (entry === '' ? [] : [matches(entry, at)]));
  return found.includes(null) ? null : found.includes(true);
}

/** An entry is `*`, a name and all names below it (`name`, `.name`), an address, or a network. A name or an address may have `:port`. */
function matches(entry: string, { host, port }: { readonly host: string; readonly port: number }): boolean | null {
  if (entry === '*') return true;
  const [, network, prefix] = /^\[?([^\]/]+)\]?\/(.*)$/.exec(entry) ?? [];
  if (network !== undefined && prefix !== undefined) return isWithin(host, network, prefix);
  const [, bracketed, bare, own] = isIPv6(entry)
    ? ['', entry]
    : (/^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(entry) ?? []);
  if (own !== undefined && Number(own) !== port) return false;
  const name = bracketed ?? bare ?? entry;
  if (isIP(name) !== 0) return isWithin(host, name, isIPv6(name) ? '128' : '32');
  const ascii = domainToASCII(name.replace(/^\*?\./, '').replace(/\.$/, ''));
  return ascii !== '' && (host === ascii || host.endsWith(`.${ascii}`));
}

function isWithin(host: string, network: string, prefix: string): boolean | null {
  const bits = /^\d{1,3}$/.test(prefix) ? Number(prefix) : Infinity;
  if (isIP(network) === 0 || bits > (isIPv6(network) ? 128 : 32)) return null;
  if (isIP(host) === 0) return false;
  const list = new BlockList();
  list.addSubnet(network, bits, familyOf(network));
  return list.check(host, familyOf(host));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}

type BaseUrl = { readonly url: string } | { readonly problem: string };

/** `url` has no trailing slash. Plain http is allowed only for a loopback host. `problem` never quotes a possible credential. */
export function parseBaseUrl(text: string): BaseUrl {
  if (!/^[\x21-\x7e]+$/.test(text)) return { problem: 'the base URL is empty or has characters that no URL can have' };
  if (!/^https?:\/\//i.test(text)) return { problem: 'the base URL must start with https://' };
  if (text.includes('\\')) return { problem: 'the base URL must not contain a backslash' };
  if (!URL.canParse(text)) return { problem: 'the base URL is not a valid URL' };
  const url = new URL(text);
  const host = inert(url.hostname, 100);
  if (url.username !== '' || url.password !== '' || /^https?:\/*[^/]*@/i.test(text))
    return { problem: `the base URL must not contain a user name or password (host ${host})` };
  if (/[?#]/.test(text)) return { problem: `the base URL must not have a query or a fragment (host ${host})` };
  if (url.protocol === 'http:' && !isLoopbackUrl(url.href))
    return { problem: `http:// is accepted for this machine only; use https:// for ${host}` };
  const path = url.pathname.replace(/\/+$/, '');
  if (path.includes('//')) return { problem: `the path of the base URL has an empty segment (host ${host})` };
  return { url: `${url.origin}${path}` };
}

export function isLoopbackUrl(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
