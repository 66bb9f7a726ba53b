// Paths of requests: only what a URL parser leaves as it is, so that no id can climb out of its place.

const SEGMENT = /^[A-Za-z0-9_~-][A-Za-z0-9._~-]{0,199}$/;

/** True for `/a/b-c/d`: plain segments, none empty, none of dots. */
export function isPlainPath(path: string): boolean {
  return (
    path.startsWith('/') &&
    path
      .slice(1)
      .split('/')
      .every((segment) => SEGMENT.test(segment))
  );
}

/** The path with its query, names and values encoded, in the order given. */
export function withQuery(path: string, query: Readonly<Record<string, string | number>>): string {
  const pairs = Object.entries(query).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}
