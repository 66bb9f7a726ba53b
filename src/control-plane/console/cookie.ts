// The cookie of a session: its name is the server's own, since all ports of a host share their cookies.

/** Name of the session's cookie at this address. */
function cookieName(url: URL): string {
  return url.protocol === 'https:' ? `__Host-console-${url.port || '443'}` : `console-${url.port || '80'}`;
}

/** The session id that a request carries. */
export function sessionIdOf(request: Request): string | undefined {
  const name = cookieName(new URL(request.url));
  for (const pair of (request.headers.get('cookie') ?? '').split(';')) {
    const [left = '', right = ''] = pair.split('=');
    if (left.trim() === name && right.trim() !== '') return right.trim();
  }
  return undefined;
}

/** Set-Cookie for a session id; `undefined` takes the cookie away. Scripts cannot read it, other sites cannot send it. */
export function sessionCookie(request: Request, id: string | undefined): string {
  const url = new URL(request.url);
  const secure = url.protocol === 'https:' ? '; Secure' : '';
  const end = id === undefined ? '; Max-Age=0' : '';
  return `${cookieName(url)}=${id ?? ''}; Path=/; HttpOnly; SameSite=Strict${secure}${end}`;
}
