// The admin interface, by which tests control a server: faults, switches, ledger, clock, states.
import { isJsonObject, parseJson, stringifyJson, type Json } from '../../base/json.ts';
import type { ControlPlane } from '../control-plane.ts';
import { isSameSecret } from '../resources/engine/naming.ts';
import { Refusal } from '../core/refusal.ts';
import { switchTable } from '../resources/engine/switches.ts';
import { FaultPlanError } from '../faults/check-plan.ts';
import type { FaultPlan } from '../faults/plan.ts';
import type { States } from '../world/states.ts';
import { setClock, MAX_BODY_BYTES, bearerOf } from '../api/input.ts';
import { Hono, type Context } from '../api/web.ts';

const LEDGER_PAGE = 1000;

export function createAdmin(controlPlane: ControlPlane, token: string): Hono {
  const admin = new Hono();
  admin.use(async (context, next) => {
    const sent = bearerOf(context.req.header('authorization')) ?? '';
    return isSameSecret(sent, token) ? next() : context.json({ message: 'unauthorized' }, 401);
  });
  admin.get('/faults', (context) => context.json(controlPlane.faults.plan));
  admin.put('/faults', (context) =>
    withBody(controlPlane, context, (body) => {
      controlPlane.setFaults(body as FaultPlan);
      return controlPlane.faults.plan;
    }),
  );
  admin.get('/switches', (context) => context.json({ switches: controlPlane.engine.switches, table: switchTable }));
  admin.patch('/switches', (context) =>
    withBody(controlPlane, context, (body) => {
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
  admin.get('/clock', (context) => context.json(controlPlane.clock.state));
  admin.patch('/clock', (context) =>
    withBody(controlPlane, context, (body) => {
      setClock(controlPlane.clock, body);
      controlPlane.settle();
      return controlPlane.clock.state;
    }),
  );
  const { states } = controlPlane;
  for (const [method, path, act] of STATES)
    admin.on(method, path, async (context) => {
      const text = await controlPlane.dispatcher.bodies.read(context.req.raw, MAX_BODY_BYTES);
      if (text instanceof Refusal || !['', '{}'].includes(text.trim()))
        return context.json({ message: 'this route takes no body' }, 400);
      act(states, context.req.param('name') ?? '');
      return context.json({ states: states.names() });
    });
  admin.onError((error, context) => {
    if (error instanceof Refusal) return context.json({ message: error.message }, error.status as 404);
    const known = error instanceof RangeError || error instanceof FaultPlanError;
    return context.json({ message: known ? error.message : 'internal error' }, known ? 400 : 500);
  });
  return admin;
}

/** The routes that list, save, restore, reset or forget states. Each replies with the names of the saved states. */
const STATES: readonly (readonly [method: string, path: string, act: (states: States, name: string) => void])[] = [
  ['GET', '/states', () => undefined],
  ['POST', '/reset', (states) => states.reset()],
  ['PUT', '/states/:name', (states, name) => states.keep(name)],
  ['POST', '/states/:name/restore', (states, name) => states.putBack(name)],
  ['DELETE', '/states/:name', (states, name) => states.forget(name)],
];

async function withBody(
  { dispatcher }: ControlPlane,
  context: Context,
  use: (body: Json) => unknown,
): Promise<Response> {
  const text = await dispatcher.bodies.read(context.req.raw, MAX_BODY_BYTES);
  if (text instanceof Refusal) throw text;
  let body: Json;
  try {
    body = parseJson(text);
  } catch {
    return context.json({ message: 'the body is not valid JSON' }, 400);
  }
  return context.json(use(body) as object);
}
