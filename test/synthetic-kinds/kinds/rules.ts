// What changing the invented kinds takes.
import { isoTime } from '../../../src/base/time/clock.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import type { Effect, EffectInput, KindRules, RequestInput } from '../../../src/plan/kind-rules.ts';
import { MISSED } from './missed.ts';
import { rootOf, type Shape } from './shapes.ts';

export function rulesOf(shape: Shape): KindRules {
  const { kind } = shape.place;
  const words = (spec: JsonObject): string => `the ${kind} named "${String(spec['name'] ?? '')}"`;
  return {
    ...shape.place,
    key: 'name',
    attributes: shape.attributes,
    isPruned: false,
    place: (spec) => (typeof spec['name'] === 'string' ? words(spec) : null),
    fingerprint: ({ createdAtMs }) => ({
      lasting: createdAtMs === null ? {} : { created_at: isoTime(createdAtMs) },
      passing: {},
    }),
    poolWords: words,
    verdict: () => ({ intents: [], notes: [], diagnostics: [], blockedBy: [] }),
    effects: { create: effectOf, update: effectOf, move: effectOf, replace: effectOf, delete: effectOf },
    requests: requestsOf(shape),
    ...(shape.isMissed === true ? MISSED : {}),
  };
}

function effectOf({ action, attributes }: EffectInput): Effect {
  const shakes = attributes.some(({ restarts }) => restarts);
  const impact = action === 'delete' || action === 'replace' ? 'permanent' : shakes ? 'drops_connections' : 'none';
  return { impact: [impact], details: {}, notes: [] };
}

function requestsOf(shape: Shape): KindRules['requests'] {
  const own = ({ projectId, id }: RequestInput): string => `${rootOf(projectId)}${shape.member(id ?? '')}`;
  return {
    create: ({ projectId, parentId, attributes }) => ({
      method: 'POST',
      path: `${rootOf(projectId)}${shape.collection(parentId)}`,
      body: { member: attributes },
    }),
    update: (input) => ({ method: 'PATCH', path: own(input), body: { member: input.attributes } }),
    delete: (input) => ({ method: 'DELETE', path: own(input), body: null }),
  };
}
