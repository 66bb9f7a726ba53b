// A route: the one description from which requests are served and the OpenAPI document is made.
import type { ShapeName } from '../../../api/index.ts';
import type { Call } from './call.ts';

/**
 * Keys that a route answers: all, with a reply cut to the scope; those of the path's project; those of an organization or the account; those of the account.
 */
export type Scope = 'key' | 'project' | 'organization' | 'account';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** A query parameter. Numbers are integers within their bounds. */
export interface QueryParameter {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'boolean';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly oneOf?: readonly string[];
  readonly description: string;
}

/** Checked input of a request: path parameters, query, and the body in its shape. */
export interface Input {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | number | boolean>>;
  readonly body: unknown;
}

/** Body of an answer, as a resource makes it. */
export type ReplyBody = Record<string, unknown>;

/** An answer; the body is JSON unless it is absent. */
export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Route {
  readonly method: Method;
  /** Below the version segment, with parameters in braces. */
  readonly path: string;
  readonly id: string;
  readonly tag: 'API keys' | 'Projects' | 'Computes' | 'Operations' | 'Branches' | 'Organizations' | 'Users';
  readonly summary: string;
  readonly scope: Scope;
  /** Requests that it takes a second, where that is less than others take. */
  readonly perSecond?: number;
  readonly query?: readonly QueryParameter[];
  /** Shape of the request body. */
  readonly body?: ShapeName;
  /** True when a request without body is served as if it had sent an empty object. */
  readonly bodyOptional?: boolean;
  /** Shapes of the good answers by status; null has no body. */
  readonly replies: Readonly<Record<number, ShapeName | null>>;
  /** Runs as one committed transaction. Returns the body of the answer; undefined for none. */
  readonly run: (call: Call, input: Input) => unknown;
}

type MakeRoute = (method: Method, path: string, told: Omit<Route, 'method' | 'path' | 'tag'>) => Route;

/** Makes routes that stand under one heading of the document. */
export function routesOf(tag: Route['tag']): MakeRoute {
  return (method, path, told) => ({ method, path, tag, ...told });
}

/** True for a route that changes nothing; the lists of keys store the last uses that they show. */
export function isRead({ method, id }: Route): boolean {
  return method === 'GET' && id !== 'listApiKeys' && id !== 'listOrgApiKeys';
}

/** The answer with the first status that the route has for one; 204 where there is no body. */
export function replyOf({ replies }: Route, body: unknown): Reply {
  return body === undefined ? { status: 204 } : { status: Number(Object.keys(replies)[0]), body };
}

/** A path parameter; routes have the ones that their path names. */
export function param(input: Input, name: string): string {
  return input.params[name] ?? '';
}
