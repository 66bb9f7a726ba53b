// Finds the route of a request by method and path.
import type { Method, Route } from './route.ts';

export type RouteMatch =
  | { readonly kind: 'route'; readonly route: Route; readonly params: Readonly<Record<string, string>> }
  | { readonly kind: 'wrong-method'; readonly allowed: readonly Method[] }
  | { readonly kind: 'none' };

interface Compiled {
  readonly route: Route;
  readonly segments: readonly string[];
}

/** A function that finds the route for a method and a path below the version segment. */
export function createRouter(routes: readonly Route[]): (method: string, path: string) => RouteMatch {
  const byLength = new Map<number, Compiled[]>();
  for (const route of routes) {
    const segments = route.path.split('/');
    byLength.set(segments.length, [...(byLength.get(segments.length) ?? []), { route, segments }]);
  }
  // A fixed segment is preferred to a parameter at the same place: /projects/shared before /projects/{project_id}.
  for (const list of byLength.values()) list.sort((a, b) => countParams(a.segments) - countParams(b.segments));
  return (method, path) => find(byLength, method, path);
}

function countParams(segments: readonly string[]): number {
  return segments.filter(isParam).length;
}

function isParam(segment: string): boolean {
  return segment.startsWith('{');
}

function find(byLength: ReadonlyMap<number, Compiled[]>, method: string, path: string): RouteMatch {
  const segments = path.split('/');
  const allowed: Method[] = [];
  for (const compiled of byLength.get(segments.length) ?? []) {
    if (!fits(compiled.segments, segments)) continue;
    if (compiled.route.method !== method) allowed.push(compiled.route.method);
    else return { kind: 'route', route: compiled.route, params: paramsOf(compiled.segments, segments) };
  }
  return allowed.length > 0 ? { kind: 'wrong-method', allowed } : { kind: 'none' };
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  return pattern.every((part, at) => (isParam(part) ? segments[at] !== '' : part === segments[at]));
}

function paramsOf(pattern: readonly string[], segments: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [at, part] of pattern.entries()) if (isParam(part)) params[part.slice(1, -1)] = decode(segments[at] ?? '');
  return params;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
