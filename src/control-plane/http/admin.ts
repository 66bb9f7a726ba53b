// The admin interface: faults, switches, the ledger and simulated access, for tests that drive a server from outside.
import { timingSafeEqual } from 'node:crypto';
import { isJsonObject, parseJson, stringifyJson } from '../../base/json.ts';
import type { Json } from '../../base/json.ts';
import { DatabaseError } from '../resources/compute/connections.ts';
import type { ControlPlane } from '../control-plane.ts';
import { hashOfKey } from '../engine/naming.ts';
import { Refusal } from '../engine/refusal.ts';
import { switchTable } from '../engine/switches.ts';
import { FaultPlanError } from '../faults/check-plan.ts';
import type { FaultPlan } from '../faults/plan.ts';
import { worldToYaml } from '../world/world-file.ts';
import { MAX_BODY_BYTES } from './exchange.ts';
import { bearerOf, readBounded } from './input.ts';
import { Hono } from './web.ts';
import type { Context } from './web.ts';

const LEDGER_PAGE = 1000;

/** Routes below `/admin`, each behind the token. */
export function createAdmin(controlPlane: ControlPlane, token: string): Hono {
  const admin = new Hono();
  admin.use(async (context, next) => {
    if (!isToken(context.req.header('authorization'), token)) return context.json({ message: 'unauthorized' }, 401);
    return next();
  });
  admin.get('/faults', (context) => context.json(controlPlane.engine.faults.plan));
  admin.put('/faults', (context) =>
    withBody(context, (body) => {
      controlPlane.setFaults(body as FaultPlan);
      return controlPlane.engine.faults.plan;
    }),
  );
  admin.get('/switches', (context) => context.json({ switches: controlPlane.engine.switches, table: switchTable }));
  admin.patch('/switches', (context) =>
    withBody(context, (body) => {
      if (!isJsonObject(body)) throw new RangeError('the switches are an object');
      controlPlane.setSwitches(body);
      return controlPlane.engine.switches;
    }),
  );
  admin.get('/ledger', (context) => {
    const after = Number(context.req.query('after') ?? 0);
    const entries = controlPlane.ledger(Number.isFinite(after) ? after : 0, LEDGER_PAGE);
    return context.body(stringifyJson({ entries }), 200, { 'Content-Type': 'application/json' });
  });
  admin.get('/world', (context) => context.text(worldToYaml(controlPlane.exportWorld())));
  admin.get('/computes/:id/limits', (context) => context.json(controlPlane.truth.limits(context.req.param('id'))));
  admin.post('/computes/:id/connect', (context) => {
    const { from, pooled, private: isPrivate } = context.req.query();
    const connection = controlPlane.truth.connect(context.req.param('id'), {
      ...(from === undefined ? {} : { from }),
      pooled: pooled === 'true',
      isPrivate: isPrivate === 'true',
    });
    return context.json({ ready_at_ms: connection.readyAtMs() ?? null });
  });
  admin.onError((error, context) => {
    if (error instanceof Refusal) return context.json({ message: error.message }, error.status as 404);
    const known = error instanceof DatabaseError || error instanceof RangeError || error instanceof FaultPlanError;
    return context.json({ message: known ? error.message : 'internal error' }, known ? 400 : 500);
  });
  return admin;
}

function isToken(header: string | undefined, token: string): boolean {
  return timingSafeEqual(Buffer.from(hashOfKey(bearerOf(header) ?? '')), Buffer.from(hashOfKey(token)));
}

async function withBody(context: Context, use: (body: Json) => unknown): Promise<Response> {
  const text = await readBounded(context.req.raw, MAX_BODY_BYTES);
  if (text === undefined) return context.json({ message: 'the body is too large' }, 413);
  let body: Json;
  try {
    body = parseJson(text);
  } catch {
    return context.json({ message: 'the body is not valid JSON' }, 400);
  }
  return context.json(use(body) as object);
}
