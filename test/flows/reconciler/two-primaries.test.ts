// Two read_write computes on one live branch: the control plane cannot hold them, so the replies are bent; what a person reads of it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { handlerTransport } from '../../../src/client/http/handler-transport.ts';
import { createControlPlane } from '../../../src/control-plane/index.ts';
import { createReconciler } from '../../../src/reconciler/index.ts';
import { renderDiagnostics } from '../../../src/render/human/diagnostics.ts';
import { renderReport } from '../../../src/render/human/report.ts';
import { planReport } from '../../../src/render/report/plan-report.ts';

const BASE_URL = 'http://localhost/api/v2';
const HUMAN = { color: false, width: 80, verbose: false };
const CONTEXT = { local: null, orgId: null, files: [], overlays: [] };
const cwd = mkdtempSync(join(tmpdir(), 'trueup-primaries-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

async function read(entry: string): Promise<string> {
  // Bending a reply takes no time, however long it really takes.
  let bending = 0;
  const clock = new VirtualClock(undefined, () => bending > 0);
  const controlPlane = createControlPlane({
    clock,
    seed: {
      version: 1,
      projects: [
        {
          id: 'spring-example-302709',
          name: 'shop',
          branches: [{ id: 'br-wispy-meadow-118737', name: 'main', default: true }],
          computes: [
            { id: 'ep-cool-darkness-123456', branch: 'main' },
            { id: 'ep-dry-field-000001', branch: 'main', type: 'read_only' },
          ],
        },
      ],
    },
  });
  const bent = async (request: Request): Promise<Response> => {
    bending++;
    try {
      const response = await controlPlane.handle(request);
      const text = (await response.text()).replaceAll('"read_only"', '"read_write"');
      return new Response(text, { status: response.status });
    } finally {
      bending--;
    }
  };
  const path = join(cwd, 'trueup.yaml');
  writeFileSync(
    path,
    `version: 1\nprojects:\n  shop:\n    branches: { main: br-wispy-meadow-118737 }\n    computes:\n      primary: ${entry}\n`,
  );
  const reconciler = createReconciler({
    baseUrl: BASE_URL,
    credential: controlPlane.rootKey ?? '',
    send: handlerTransport(bent, { baseUrl: BASE_URL }),
    clock,
    cwd,
  });
  const { desired } = await reconciler.load({
    paths: ['trueup.yaml'],
    cwd,
    stdin: async () => new Uint8Array(),
    variables: { flags: new Map(), files: [], env: new Map() },
  });
  if (desired === null) throw new Error('the file has errors');
  const { plan, diagnostics } = await clock.run(reconciler.plan({ desired }));
  controlPlane.close();
  const sources = new Map([['trueup.yaml', readFileSync(path, 'utf8')]]);
  const said = renderDiagnostics(diagnostics, { ...HUMAN, sources });
  return `${said}${plan === null ? '' : renderReport(planReport(plan, CONTEXT), { ...HUMAN, diagnostics: false })}`;
}

it('without a pin nobody can say which is meant: it is refused, at its line', async () => {
  const text = await read('{ branch: main }');
  expect(text).toMatchInlineSnapshot(`
    "trueup.yaml:6:7: error crowded_place: only one live resource can be the primary
      of br-wispy-meadow-118737, but the account has ep-cool-darkness-123456 and
      ep-dry-field-000001; trueup changes none of these resources
      5 |     computes:
    > 6 |       primary: { branch: main }
        |       ^^^^^^^
      hint: Delete the surplus resource by hand, or ask the service to repair the
        account.
    "
  `);
});

it('a pin does not change that; nothing there is changed', async () => {
  const text = await read('{ branch: main, id: ep-cool-darkness-123456 }');
  expect(text).toMatchInlineSnapshot(`
    "trueup.yaml:6:7: error crowded_place: only one live resource can be the primary
      of br-wispy-meadow-118737, but the account has ep-cool-darkness-123456 and
      ep-dry-field-000001; trueup changes none of these resources
      5 |     computes:
    > 6 |       primary: { branch: main, id: ep-cool-darkness-123456 }
        |       ^^^^^^^
      hint: Delete the surplus resource by hand, or ask the service to repair the
        account.
    "
  `);
});
