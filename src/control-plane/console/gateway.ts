// The console's way to the services: the API's own routes, with their shapes, rules and transactions, on behalf of a key.
import { stringifyJson } from '../../base/json.ts';
import type { ControlPlane } from '../control-plane.ts';
import { readBody, readQuery } from '../http/input.ts';
import { findRoute } from '../http/routes.ts';
import { Refusal, refusalOfStore } from '../engine/refusal.ts';

export interface Question {
  readonly verb: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Segments below the version segment; each is encoded. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Asks the services as the key `keyId` would over HTTP; the reply's body has the shape of its route. Throws Refusal. */
export type Gateway = (keyId: string, question: Question) => unknown;

/** Injected faults of exchanges do not strike here: they belong to connections, and the console has none. */
export function createGateway(controlPlane: ControlPlane): Gateway {
  const { engine } = controlPlane;
  return (keyId, { verb, path: segments, query = {}, body }) => {
    const path = ['', ...segments.map(encodeURIComponent)].join('/');
    const match = findRoute(verb, path);
    if (match.kind !== 'route') throw new Refusal(404, 'this route does not exist');
    const { route, params } = match;
    const input = {
      params,
      query: readQuery(route, new URLSearchParams(query)),
      body: readBody(route, 'application/json', body === undefined ? '' : stringifyJson(body)),
    };
    const call = controlPlane.call({ verb, path, keyId });
    const isRead = route.method === 'GET' && route.id !== 'listApiKeys';
    const run = (): unknown => route.run(call, input).body;
    return isRead ? run() : storing(() => engine.transact(run));
  };
}

/** A store that cannot write refuses, as over HTTP; nothing was done. */
function storing<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw refusalOfStore(error) ?? error;
  }
}
