// The real program with the invented kinds in its registry: every module anew, nothing of src/ changed but what the registry says.
import { vi } from 'vitest';
import type * as Shipped from '../../src/cli/authoring/shipped-schema.ts';
import type { main } from '../../src/cli/main.ts';
import type { handlerTransport } from '../../src/client/http/handler-transport.ts';
import type { loadDesired } from '../../src/config/load.ts';
import type { Kind } from '../../src/kinds/index.ts';
import type { planToJson } from '../../src/plan/json/plan-json.ts';
import type { openPlan } from '../../src/plan/json/saved-plan.ts';
import type { makePlan } from '../../src/plan/make-plan.ts';
import type { createReconciler } from '../../src/reconciler/index.ts';
import { syntheticSchemas } from './schemas.ts';
import type { Service } from './service.ts';

export interface Program {
  readonly main: typeof main;
  readonly createReconciler: typeof createReconciler;
  readonly makePlan: typeof makePlan;
  readonly kinds: readonly Kind[];
  readonly loadDesired: typeof loadDesired;
  readonly planToJson: typeof planToJson;
  readonly openPlan: typeof openPlan;
  readonly handlerTransport: typeof handlerTransport;
  /** Who answers the requests of commands. */
  serve(service: Service): void;
}

export const BASE_URL = 'http://127.0.0.1:4011/api/v2';

/** To be closed with `closeProgram`, after which every module is again what it was. */
export async function openProgram(): Promise<Program> {
  const schemas = await syntheticSchemas();
  vi.resetModules();
  vi.doMock('../../src/kinds/index.ts', async (original) => {
    const shipped = await original<Pick<Program, 'kinds'>>();
    const { syntheticKinds } = await import('./kinds/index.ts');
    const all = [...shipped.kinds, ...syntheticKinds];
    return { ...shipped, kinds: all, kindOf: (name: string) => all.find(({ kind }) => kind === name) };
  });
  vi.doMock('../../src/config/generated/validators.js', () => schemas.config);
  vi.doMock('../../src/config/generated/notes.ts', () => schemas.notes);
  vi.doMock('../../src/model/generated/impacts.ts', () => schemas.impacts);
  vi.doMock('../../src/cli/authoring/shipped-schema.ts', async (original) => {
    const { shippedSchema, ...others } = await original<typeof Shipped>();
    const composed = JSON.stringify(schemas.desiredState);
    return {
      ...others,
      filePlaces: () => others.placesOf(composed),
      shippedSchema: (file: string) => (file === 'desired-state.schema.json' ? composed : shippedSchema(file)),
    };
  });
  vi.doMock('../../src/api/generated/validators.js', async (original) => ({
    ...(await original<Record<string, unknown>>()),
    ...schemas.wire,
  }));
  let serving: Service | null = null;
  vi.doMock('../../src/client/http/transport.ts', async () => {
    const { handlerTransport } = await import('../../src/client/http/handler-transport.ts');
    const handle = async (request: Request): Promise<Response> => {
      if (serving === null) throw new Error('nobody serves');
      return serving.handle(request);
    };
    return {
      undiciTransport: ({ baseUrl }: { readonly baseUrl: string }) => ({
        send: handlerTransport(handle, { baseUrl }),
        close: async () => undefined,
      }),
    };
  });
  return {
    main: (await import('../support/loaded-program.ts')).main,
    createReconciler: (await import('../../src/reconciler/index.ts')).createReconciler,
    makePlan: (await import('../../src/plan/make-plan.ts')).makePlan,
    kinds: (await import('../../src/kinds/index.ts')).kinds,
    handlerTransport: (await import('../../src/client/http/handler-transport.ts')).handlerTransport,
    loadDesired: (await import('../../src/config/load.ts')).loadDesired,
    planToJson: (await import('../../src/plan/json/plan-json.ts')).planToJson,
    openPlan: (await import('../../src/plan/json/saved-plan.ts')).openPlan,
    serve: (service) => {
      serving = service;
    },
  };
}

export function closeProgram(): void {
  for (const path of [
    '../../src/kinds/index.ts',
    '../../src/config/generated/validators.js',
    '../../src/config/generated/notes.ts',
    '../../src/model/generated/impacts.ts',
    '../../src/cli/authoring/shipped-schema.ts',
    '../../src/api/generated/validators.js',
    '../../src/client/http/transport.ts',
  ])
    vi.doUnmock(path);
  vi.resetModules();
}
