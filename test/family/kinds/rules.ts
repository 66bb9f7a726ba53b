// What changing the invented kinds takes.
import { unreachable } from '../../../src/base/assert.ts';
import { isoTime } from '../../../src/base/time/clock.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import type { Effect, EffectInput, KindRules } from '../../../src/plan/kind-rules.ts';
import { MISSED } from './missed.ts';
import { rootOf } from './shapes.ts';
import type { Shape } from './shapes.ts';

export function rulesOf(shape: Shape): KindRules {
  const { kind } = shape.place;
  const words = (spec: JsonObject): string => `the ${kind} named "${String(spec['name'] ?? '')}"`;
  return {
    ...shape.place,
    attribute: (path) => shape.attributes[path] ?? { onChange: 'update', restarts: false },
    canonical: (_path, value) => value ?? null,
    references: shape.references,
    placedBy: { attribute: 'name', key: 'renamed_from', isName: true },
    nameOf: ({ spec }) => String(spec['name']),
    isPruned: false,
    identity: ['name'],
    place: (spec) => (typeof spec['name'] === 'string' ? words(spec) : null),
    known: () => true,
    fingerprint: ({ createdAtMs }) => ({
      lasting: createdAtMs === null ? {} : { created_at: isoTime(createdAtMs) },
      passing: {},
    }),
    pool: (spec) => ({ name: spec['name'] ?? null }),
    poolWords: words,
    verdict: () => ({ intents: [], notes: [], diagnostics: [], blockedBy: [] }),
    explains: () => false,
    effect: effectOf,
    removal: 'delete',
    request: (input) => requestOf(shape, input),
    stepOptions: () => ({}),
    ...(shape.isMissed === true ? MISSED : {}),
  };
}

function effectOf({ action, attributes }: EffectInput): Effect {
  const shakes = attributes.some(({ restarts }) => restarts);
  const impact = action === 'delete' || action === 'replace' ? 'permanent' : shakes ? 'drops_connections' : 'none';
  return { impact: [impact], details: {}, notes: [] };
}

function requestOf(shape: Shape, input: Parameters<KindRules['request']>[0]): ReturnType<KindRules['request']> {
  const { action, projectId, parentId, id, attributes } = input;
  const root = rootOf(projectId);
  const own = `${root}${shape.member(id ?? '')}`;
  switch (action) {
    case 'create':
      return { method: 'POST', path: `${root}${shape.collection(parentId)}`, body: { member: attributes } };
    case 'update':
      return { method: 'PATCH', path: own, body: { member: attributes } };
    case 'delete':
      return { method: 'DELETE', path: own, body: null };
    case 'move':
    case 'restart':
    case 'rotate':
    case 'revoke':
      throw new Error(`a ${shape.place.kind} knows no ${action}`);
    default:
      return unreachable(action);
  }
}
