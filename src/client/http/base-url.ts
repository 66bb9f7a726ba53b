// Checks the base URL and brings it to one normal form.
import { inert } from '../../base/text/inert.ts';

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
