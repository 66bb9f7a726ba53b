// A route of the OpenAPI document, and the handler that answers it. A route without a handler does not compile.
import type { Operations } from '../../../api/index.ts';
import type { Call } from './call.ts';

/** Keys that a route answers: all, those of the path's project, those of an organization or the account, those of the account. */
export type Scope = 'key' | 'project' | 'organization' | 'account';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly type: 'string' | 'integer' | 'boolean';
  readonly required?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly string[];
  readonly description: string;
}

export interface Route {
  readonly method: Method;
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  readonly scope: Scope;
  readonly tag: string;
  readonly description?: string;
  /** Words of the button in the console; a route without them has no button beside its resource. */
  readonly label?: string;
  /** Requests a second, where the limit is lower than that of other routes. */
  readonly perSecond?: number;
  /** True for a look that stores something: the lists of keys store the last uses that they show. */
  readonly commits?: boolean;
  /** True where the path names something deleted. */
  readonly ofDeleted?: boolean;
  /** The member of a reply that is an empty list, because nothing here can fill it. */
  readonly emptyList?: string;
  readonly parameters: readonly Parameter[];
  readonly body?: string;
  readonly bodyOptional?: boolean;
  /** Shapes of the good answers by status; null has no body. */
  readonly replies: Readonly<Record<string, string | null>>;
}

/** Checked input of a request: the parameters by name, and `body` in its shape. */
export type Input = Readonly<Record<string, unknown>>;

export type OperationId = keyof Operations;

/** Runs as one transaction and returns the body of the answer; undefined for none. */
export type Handler<I extends OperationId> = (call: Call, input: Operations[I]) => unknown;
export type Handlers = { readonly [I in OperationId]: Handler<I> };

export type ReplyBody = Record<string, unknown>;

/** An answer; the body is JSON unless it is absent. */
export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
