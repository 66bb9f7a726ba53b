// A simulated machine and a service of invented kinds: runs of the real reconciler that die, or whose replies are lost, at any exchange.
import { seededRandom } from '../../src/base/random.ts';
import type { DesiredState } from '../../src/model/desired.ts';
import type { Plan } from '../../src/model/outcome/plan.ts';
import type { RunResult } from '../../src/model/outcome/result.ts';
import type { Allowance } from '../../src/plan/input.ts';
import { Disk } from '../simulation/world/disk.ts';
import { Life, type CrashPoint } from '../simulation/world/life.ts';
import { SimTime } from '../simulation/world/sim-time.ts';
import { BASE_URL, type Program } from './program.ts';
import { Service } from './service.ts';

const HOME = '/home';
const FILE = `${HOME}/trueup.yaml`;
/** Far above what any story takes, in virtual time. */
const LIMIT_MS = 3_600_000;

const known = new Map<string, DesiredState>();

export interface Wish {
  readonly yaml: string;
  readonly allow?: readonly Allowance[];
}

export interface Told {
  /** Calls to the outside, in order. */
  readonly calls: readonly string[];
  readonly plan: Plan | null;
  /** Null when it died before. */
  readonly result: RunResult | null;
}

export class Site {
  readonly service: Service;
  readonly #disk = new Disk(['/', HOME]);
  readonly #program: Program;
  readonly #time = new SimTime();
  readonly #lives: Life[] = [];

  constructor(program: Program) {
    this.#program = program;
    this.service = new Service(this.#time.clockOf());
  }

  /** Plans and applies, to its end or its death. */
  async apply(wish: Wish, crash: CrashPoint | null = null): Promise<Told> {
    const life = new Life(this.#lives.length + 1, crash);
    this.#lives.push(life);
    const told: { plan: Plan | null; result: RunResult | null } = { plan: null, result: null };
    const work = this.#perform(wish, life, told);
    await this.#time.run(Promise.race([work, life.death]), LIMIT_MS);
    life.isDead = true;
    return { ...told, calls: life.calls };
  }

  async #perform({ yaml, allow = [] }: Wish, life: Life, told: { plan: Plan | null; result: RunResult | null }) {
    const { createReconciler, handlerTransport } = this.#program;
    const desired = await this.#desired(yaml);
    const transport = handlerTransport(async (request) => this.service.handle(request), { baseUrl: BASE_URL });
    const reconciler = createReconciler({
      baseUrl: BASE_URL,
      credential: 'secret',
      send: (request) => life.call(`${request.method} ${request.path}`, () => transport(request)),
      clock: this.#time.clockOf(life),
      random: seededRandom(life.pid),
      cwd: HOME,
      machine: {
        fileSystem: this.#disk.seenBy(life),
        processes: {
          self: { pid: life.pid, startTime: `boot:${life.pid}`, host: 'simulated' },
          isAlive: ({ pid }) => this.#lives[pid - 1]?.isDead === false,
        },
        runProgram: async () => ({ end: 'not_started', code: null, stderr: '', problem: 'ENOENT' }),
      },
      requestsPerMinute: Infinity,
    });
    const request = { allow, due: false, consent: 'reviewed' } as const;
    const { plan, reading, diagnostics } = await reconciler.plan({ ...request, desired });
    if (plan === null) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
    told.plan = plan;
    told.result = await reconciler.apply({ plan, desired, reading, request });
  }

  async #desired(yaml: string): Promise<DesiredState> {
    const before = known.get(yaml);
    if (before !== undefined) return before;
    const { loadDesired, kinds } = this.#program;
    const bytes = new TextEncoder().encode(yaml);
    const { desired, diagnostics } = await loadDesired({
      paths: [FILE],
      cwd: HOME,
      stdin: async () => bytes,
      variables: { flags: new Map(), files: [], env: new Map() },
      kinds: kinds.map(({ section }) => section),
      files: {
        stat: async () => ({ kind: 'file', sizeBytes: bytes.length }),
        readdir: async () => [],
        realPath: async (path) => path,
        readFile: async () => bytes,
      },
    });
    if (desired === null) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
    known.set(yaml, desired);
    return desired;
  }
}
