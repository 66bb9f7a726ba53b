// An account whose answers are a tape: a plan is made of them, any one of them may be another.
import { VirtualClock } from '../../support/virtual-clock.ts';
import { Secret } from '../../../src/base/secret.ts';
import type { HttpRequest, Send } from '../../../src/client/types.ts';
import { handlerTransport } from '../../../src/client/http/handler-transport.ts';
import { createControlPlane, type World } from '../../../src/control-plane/index.ts';
import type { DesiredState } from '../../../src/model/desired.ts';
import { createReconciler } from '../../../src/reconciler/index.ts';
import type { PlanOutcome } from '../../../src/reconciler/types.ts';
import { Disk } from '../../simulation/world/disk.ts';
import { Life } from '../../simulation/world/life.ts';
import { HOME, load } from '../../support/files.ts';

const BASE_URL = 'http://localhost/api/v2';
const ROOT_KEY = 'canary-5f1c7e0a9b3d';
const SETTINGS = { pg_settings: { work_mem: '64MB', max_connections: '100' } };

const DEV = { id: 'br-dev-2', name: 'dev' };
const SIZE = { autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 2 };

const WORLD: World = {
  version: 1,
  projects: [
    {
      id: 'shop-1',
      name: 'shop',
      branches: [{ id: 'br-main-1', name: 'main', default: true }, DEV],
      computes: [
        { id: 'ep-primary-1', branch: 'main', ...SIZE, settings: SETTINGS },
        { id: 'ep-reader-2', branch: 'main', type: 'read_only' },
        { id: 'ep-reader-3', branch: 'main', type: 'read_only', autoscaling_limit_max_cu: 4 },
        { id: 'ep-dev-4', branch: 'dev' },
      ],
    },
    {
      id: 'lab-2',
      name: 'lab',
      branches: [{ id: 'br-lab-3', name: 'main', default: true }],
      computes: [{ id: 'ep-lab-5', branch: 'main' }],
    },
  ],
  api_keys: [
    { id: '9007199254740993', name: 'ci', created_at: '2026-01-02T00:00:00Z', last_used_at: '2026-03-01T00:00:00Z' },
    { id: 77, name: 'old', created_at: '2025-01-02T00:00:00Z', last_used_at: '2025-02-01T00:00:00Z' },
    { id: 78, name: 'somebody', created_at: '2025-01-02T00:00:00Z', last_used_at: '2026-02-01T00:00:00Z' },
  ],
};

const FILE = `version: 1
api_keys:
  ci: { rotate: { not_before: 2026-01-01 }, secret: { exec: vault } }
  old: { state: absent }
projects:
  shop:
    branches: { main: br-main-1, dev: br-dev-2 }
    prune: { types: [read_only], branches: [dev] }
    computes:
      primary: { branch: main, autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 4, settings: { pg_settings: { work_mem: 64MB } } }
      small: { branch: main, type: read_only }
      big: { branch: main, type: read_only, autoscaling_limit_max_cu: 4 }
      dev: { branch: dev, state: absent }
  lab:
    computes:
      primary: { branch_id: br-lab-3, restart: { not_before: 2025-01-01 } }
`;

/** One answer: what was asked, and its text. */
export interface Take {
  readonly path: string;
  readonly text: string;
}

export interface Tape {
  readonly desired: DesiredState;
  readonly takes: readonly Take[];
}

/** Everything that a plan asks of the account, answered as it should be. */
export async function record(): Promise<Tape> {
  const { desired, diagnostics } = await load({ files: { 'trueup.yaml': FILE } });
  if (desired === null) throw new Error(JSON.stringify(diagnostics));
  const clock = new VirtualClock(Date.UTC(2026, 2, 1));
  const plane = createControlPlane({ clock, seed: WORLD });
  const transport = handlerTransport((request) => plane.handle(request), { baseUrl: BASE_URL });
  const takes: Take[] = [];
  const send: Send = async (request) => {
    const headers = { ...request.headers, authorization: `Bearer ${plane.rootKey?.reveal() ?? ''}` };
    const response = await transport({ ...request, headers });
    takes.push({ path: request.path, text: response.text });
    return response;
  };
  await someHistory(send, clock);
  takes.length = 0;
  await planBy(desired, send, clock);
  plane.close();
  return { desired, takes };
}

/** Operations that ended, and one that is under way, for the logs. */
async function someHistory(send: Send, clock: VirtualClock): Promise<void> {
  const projectOf = { 'br-lab-3': 'lab-2', 'br-dev-2': 'shop-1', 'br-main-1': 'shop-1' };
  for (const [branch, project] of Object.entries(projectOf)) {
    const body = JSON.stringify({ endpoint: { branch_id: branch, type: 'read_only' } });
    const headers = { 'content-type': 'application/json' };
    const { signal } = new AbortController();
    await clock.run(send({ method: 'POST', path: `/projects/${project}/endpoints`, headers, body, signal }));
    if (branch !== 'br-main-1') await clock.advance(60_000);
  }
}

/** The plan of the tape, in which the answer `at` is `text`; every time that it is asked for. */
export async function planOf(tape: Tape, at: number, text: string): Promise<PlanOutcome> {
  const spoilt = tape.takes[at]?.path;
  // A list that is read again is answered in the order of the tape, the last answer for ever.
  const counts = new Map<string, number>();
  const send: Send = async ({ method, path }: HttpRequest) => {
    if (method !== 'GET') throw new Error(`bug in trueup: a plan sent ${method} ${path}`);
    const headers = { 'content-type': 'application/json' };
    if (path === spoilt) return { status: 200, headers, text };
    const same = tape.takes.filter((take) => take.path === path);
    const count = counts.get(path) ?? 0;
    counts.set(path, count + 1);
    const take = same[Math.min(count, same.length - 1)];
    if (take === undefined) return { status: 404, headers: {}, text: '{"message":"not found"}' };
    return { status: 200, headers, text: take.text };
  };
  return planBy(tape.desired, send, new VirtualClock(Date.UTC(2026, 2, 1)));
}

async function planBy(desired: DesiredState, send: Send, clock: VirtualClock): Promise<PlanOutcome> {
  const reconciler = createReconciler({
    baseUrl: BASE_URL,
    credential: new Secret(ROOT_KEY),
    send,
    clock,
    cwd: HOME,
    requestsPerMinute: Infinity,
    machine: {
      fileSystem: new Disk(['/', HOME]).seenBy(new Life(1, null)),
      processes: { self: { pid: 1, startTime: '1', host: 'here' }, isAlive: () => false },
      runProgram: async () => ({ end: 'exited', code: 3, stderr: '', problem: null }),
    },
    sinks: new Map([['vault', '/vault']]),
  });
  return clock.run(reconciler.plan({ desired, consent: 'reviewed' }));
}
