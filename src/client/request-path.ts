// Paths of requests: only what a URL parser leaves as it is, so that no id can climb out of its place.

const SEGMENT = /^[A-Za-z0-9_~-][A-Za-z0-9._~-]{0,199}$/;
/** One search for all segments: a path is not taken apart. */
const PLAIN_PATH = new RegExp(`^(?:/${SEGMENT.source.slice(1, -1)})+$`);

/** True for `/a/b-c/d`: plain segments of at most 200 characters, none empty, none of dots. */
export function isPlainPath(path: string): boolean {
  return PLAIN_PATH.test(path);
}

type Query = Readonly<Record<string, string | number>>;

export const NO_QUERY: Query = {};

/** The path with its query, names and values encoded, in the order given. */
export function withQuery(path: string, query: Query): string {
  if (query === NO_QUERY) return path;
  const pairs = Object.entries(query).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}
