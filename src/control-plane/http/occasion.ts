// What the rules of a fault plan are held against when a request comes in.
import type { Engine } from '../engine.ts';
import type { Occasion } from '../faults/injector.ts';
import { authenticate } from '../services/keys.ts';
import { bearerOf } from './bearer.ts';

/** The method, the path and what it names, when, and who asks if a rule wants to know. */
export function occasionOf(engine: Engine, request: Request, path: string): Occasion {
  const value = engine.faults.asksWho ? bearerOf(request.headers.get('authorization')) : undefined;
  const actor = value === undefined ? undefined : authenticate(engine, value)?.id;
  const [, projectId, endpointId] = /^\/projects\/([^/]+)(?:\/endpoints\/([^/]+))?/.exec(path) ?? [];
  return {
    method: request.method,
    path,
    atMs: engine.clock.nowMs(),
    ...(actor === undefined ? {} : { actor }),
    ...(projectId === undefined ? {} : { projectId }),
    ...(endpointId === undefined ? {} : { endpointId }),
  };
}
